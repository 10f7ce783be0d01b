// How each work of a recording is done. Every one of them can be done twice.
import { Effect, Layer } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { RecordingSpool, type SpoolFailed } from "../../domain/ports/RecordingSpool.ts"
import { RecordingStore, type StoreFailed } from "../../domain/ports/RecordingStore.ts"
import { audioFault, copyFault } from "../../domain/recordings/FinishedAudio.ts"
import type { RecordingWork } from "../../domain/recordings/PlanRecording.ts"
import type { Recording } from "../../domain/recordings/Recording.ts"
import type { RecordingCommand, RecordingReply } from "../../domain/recordings/RecordingCommand.ts"
import { defaultRetention_days } from "../../domain/workspace/Workspace.ts"
import { wavOf } from "../../domain/recordings/Wav.ts"
import { CallActor } from "../calls/CallActor.ts"
import { RecordingActor } from "./RecordingActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { StorageActor } from "../storage/StorageActor.ts"

type RecordingSelf = Self<Recording, RecordingCommand, RecordingReply>
type Done = Effect.Effect<unknown, Failure | NotCommitted | SpoolFailed | StoreFailed>
type WorkOf<Tag extends RecordingWork["_tag"]> = Extract<RecordingWork, { readonly _tag: Tag }>

const makeStoreAudio = Effect.gen(function* () {
  const spool = yield* RecordingSpool
  const store = yield* RecordingStore
  const directory = yield* Directory

  /** What is at fault is told; what may pass fails, and is tried again. */
  const checked = Effect.fnUntraced(function* ({ audio, facts }: WorkOf<"StoreAudio">, recording_id: string) {
    const { bytes, head, size_bytes } = yield* spool.open(audio.object_key)
    const wav = wavOf(head, size_bytes)
    const fault = audioFault(audio, facts, { size_bytes, wav })
    if (fault !== undefined || wav._tag === "Failure") return { _tag: "Fail", error: fault ?? "not_wav" } as const
    const of = { workspace_id: facts.workspace_id, recording_id }
    const { sha256 } = yield* store.save(of, size_bytes, bytes)
    const altered = copyFault(audio, { sha256 })
    if (altered !== undefined) return yield* Effect.as(store.erase(of), { _tag: "Fail", error: altered } as const)
    const { retention_days = defaultRetention_days } = (yield* directory.workspace(facts.workspace_id)) ?? {}
    return { _tag: "Store", size_bytes, duration_ms: wav.success.duration_ms, sha256, retention_days } as const
  })

  return (work: WorkOf<"StoreAudio">, self: RecordingSelf): Done =>
    checked(work, self.id).pipe(
      Effect.catchIf(
        (error) => error._tag === "SpoolFailed" && error.reason === "refused",
        () => Effect.succeed<RecordingCommand>({ _tag: "Fail", error: "bad_key" })
      ),
      Effect.flatMap(self.tell)
    )
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const spool = yield* RecordingSpool
    const store = yield* RecordingStore
    const storeAudio = yield* makeStoreAudio

    const done = (work: RecordingWork, self: RecordingSelf): Done => {
      switch (work._tag) {
        case "StoreAudio":
          return storeAudio(work, self)
        case "ClearSpool":
          return spool.remove(work.object_key).pipe(
            Effect.catchIf(
              ({ reason }) => reason === "refused",
              () => Effect.void
            ),
            Effect.andThen(self.tell({ _tag: "SpoolCleared" }))
          )
        case "EraseAudio":
          return Effect.andThen(
            store.erase({ workspace_id: work.workspace_id, recording_id: self.id }),
            self.tell({ _tag: "Erased" })
          )
        case "TellStorage":
          return Effect.andThen(
            system.ask(StorageActor, work.workspace_id, { _tag: "Recount" }),
            self.tell({ _tag: "StorageTold", counted: work.counted })
          )
        case "TellCall": {
          const { call_id, reason, status } = work
          return system
            .ask(CallActor, call_id, { _tag: "RecordingChanged", recording_id: self.id, status, reason })
            .pipe(
              Effect.catchTag("calls.not_found", () => Effect.void),
              Effect.andThen(self.tell({ _tag: "CallTold", status }))
            )
        }
      }
    }

    const perform: Perform<Recording, RecordingCommand, RecordingReply, RecordingWork> = (work, self) =>
      Effect.asVoid(retryWithBackoff(done(work, self)))
    yield* system.register(RecordingActor, perform)
  })
)
