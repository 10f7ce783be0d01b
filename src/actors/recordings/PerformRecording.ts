// Performs the work of a recording. Each piece of work may run more than once.
import { Effect, Layer, Result } from "effect"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import { CallNotFound, type RecordingNotFound } from "../../domain/errors/CallErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { makeFairShares, type NoShare } from "../../domain/access/FairShares.ts"
import { keptDays } from "../../domain/limits/SandboxLimits.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { RecordingSpool, SpoolFailed } from "../../domain/ports/calls/RecordingSpool.ts"
import { RecordingStore, type StoreFailed } from "../../domain/ports/calls/RecordingStore.ts"
import { audioFault, copyFault } from "../../domain/recordings/FinishedAudio.ts"
import type { RecordingWork } from "../../domain/recordings/PlanRecording.ts"
import type { Recording } from "../../domain/recordings/Recording.ts"
import type { RecordingCommands, RecordingMessage } from "../../domain/recordings/RecordingCommand.ts"
import { wavOf } from "../../domain/recordings/Wav.ts"
import { StorageCommands } from "../../domain/storage/StorageCommand.ts"
import { retentionOf } from "../../domain/workspace/Workspace.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { RecordingActor } from "./RecordingActor.ts"
import { traced } from "../../domain/Traced.ts"
import type { RecordingId } from "../../domain/BrandedIds.ts"

type RecordingSelf = Self<Recording, RecordingCommands>
type Done = Effect.Effect<void, NoShare | RecordingNotFound | NotCommitted | SpoolFailed | StoreFailed>
type WorkOf<Tag extends RecordingWork["_tag"]> = Extract<RecordingWork, { readonly _tag: Tag }>

/**
 * Files that are copied or erased: at once, and of one workspace. Few wait here, because work that is refused is tried
 * again. Half of the places stay free for others, so that neither a workspace that records a lot nor one that is closed
 * holds up the recordings of all.
 */
export const fileShares = { total: 16, each: 8, waiting: 64, waiting_total: 1_024, wait_ms: 60_000 }

const isRefused = (error: unknown): error is SpoolFailed => error instanceof SpoolFailed && error.reason === "refused"

const makeStoreAudio = Effect.gen(function* () {
  const spool = yield* RecordingSpool
  const store = yield* RecordingStore
  const directory = yield* Directory

  /** A fault of the file fails the recording. A fault that may pass fails this effect, which is then retried. */
  const copy = Effect.fnUntraced(function* ({ audio, facts }: WorkOf<"StoreAudio">, recording_id: RecordingId) {
    const { bytes, head, size_bytes } = yield* spool.open(audio.object_key)
    const wav = wavOf(head, size_bytes)
    const fault = audioFault(audio, facts, { size_bytes, wav })
    if (fault !== undefined || Result.isFailure(wav)) return { _tag: "Fail", error: fault ?? "not_wav" } as const
    const key = { workspace_id: facts.workspace_id, recording_id }
    const { sha256 } = yield* store.save(key, size_bytes, bytes)
    const altered = copyFault(audio, { sha256 })
    if (altered !== undefined) {
      yield* store.erase(key)
      return { _tag: "Fail", error: altered } as const
    }
    const { retention_days } = retentionOf(yield* directory.workspace(facts.workspace_id))
    const kept = { retention_days: keptDays(facts.workspace_id, retention_days) }
    return { _tag: "Store", size_bytes, duration_ms: wav.success.duration_ms, sha256, ...kept } as const
  })

  return traced("Recording.storeAudio")(function* (work: WorkOf<"StoreAudio">, self: RecordingSelf) {
    const outcome: RecordingMessage<"Store" | "Fail"> = yield* Effect.catchIf(copy(work, self.id), isRefused, () =>
      Effect.succeed({ _tag: "Fail", error: "bad_key" } as const)
    )
    yield* self.tell(outcome)
  })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const spool = yield* RecordingSpool
    const store = yield* RecordingStore
    const storeAudio = yield* makeStoreAudio
    const files = makeFairShares(fileShares)

    const clearSpool = traced("Recording.clearSpool")(function* (
      { object_key }: WorkOf<"ClearSpool">,
      self: RecordingSelf
    ) {
      yield* Effect.catchIf(spool.remove(object_key), isRefused, () => Effect.void)
      yield* self.tell({ _tag: "SpoolCleared" })
    })

    const eraseAudio = traced("Recording.eraseAudio")(function* (
      { workspace_id }: WorkOf<"EraseAudio">,
      self: RecordingSelf
    ) {
      yield* store.erase({ workspace_id, recording_id: self.id })
      yield* self.tell({ _tag: "Erased" })
    })

    const tellStorage = traced("Recording.tellStorage")(function* (
      { counted, workspace_id }: WorkOf<"TellStorage">,
      self: RecordingSelf
    ) {
      yield* system.ask(StorageCommands.Recount, workspace_id, {})
      yield* self.tell({ _tag: "StorageTold", counted })
    })

    const tellCall = traced("Recording.tellCall")(function* (
      { call_id, reason, status }: WorkOf<"TellCall">,
      self: RecordingSelf
    ) {
      yield* Effect.catchIf(
        system.ask(CallCommands.RecordingChanged, call_id, { recording_id: self.id, status, reason }),
        (error) => error instanceof CallNotFound,
        () => Effect.void
      )
      yield* self.tell({ _tag: "CallTold", status })
    })

    const done = (work: RecordingWork, self: RecordingSelf): Done => {
      switch (work._tag) {
        case "StoreAudio":
          return files.run(work.facts.workspace_id, storeAudio(work, self))
        case "ClearSpool":
          return clearSpool(work, self)
        case "EraseAudio":
          return files.run(work.workspace_id, eraseAudio(work, self))
        case "TellStorage":
          return tellStorage(work, self)
        case "TellCall":
          return tellCall(work, self)
      }
    }

    yield* system.register(RecordingActor, (work, self) => retryWithBackoff(done(work, self)))
  })
)
