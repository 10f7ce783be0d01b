// Recordings for HTTP and the library.
import { Clock, Context, Effect, Layer, type Stream } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import type { Refusal } from "../../domain/Command.ts"
import { CallNotFound, RecordingFailed, RecordingNotFound } from "../../domain/errors/CallErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { CursorSigner } from "../../domain/paging/CursorSigner.ts"
import { RecordingReads } from "../../domain/ports/calls/RecordingReads.ts"
import { RecordingStore, type StoreFailed } from "../../domain/ports/calls/RecordingStore.ts"
import { audioPath, linkLifetime_ms, workspaceOfLink } from "../../domain/recordings/AudioLink.ts"
import type { ByteRange } from "../../domain/recordings/ByteRange.ts"
import { refusalOf } from "../../domain/recordings/DecideRecording.ts"
import { RecordingCommands } from "../../domain/recordings/RecordingCommand.ts"
import type { RecordingRecord } from "../../domain/recordings/RecordingRecord.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { CallRef, RecordingId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import { PublicUrl } from "../shared/PublicUrl.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

/** The newest available recording of a call, unless one is named. */
export interface RecordingOf {
  readonly workspace_id: WorkspaceId
  /** The id of the call or of its session. */
  readonly call: CallRef
  readonly recording_id?: RecordingId
}

export interface LinkedRecording extends RecordingRecord {
  /** Null if the recording has no audio. */
  readonly download_url: string | null
  readonly download_url_expires_at: string | null
}

export interface Audio {
  readonly record: RecordingRecord
  readonly size_bytes: number
  readonly read: (range: ByteRange) => Effect.Effect<Stream.Stream<Uint8Array, StoreFailed>, RecordingFailed>
}

type FindError = CallNotFound | RecordingNotFound | ReadFailed
/** Why the actor does not hand out or delete the audio: there is none yet, or no longer. */
type AudioRefusal = Refusal<RecordingCommands, "HandOut" | "Delete">

export class Recordings extends Context.Service<
  Recordings,
  {
    /**
     * A recording of a call with a link to its audio. The link is recorded in the audit log. A failed recording has no
     * link. It fails while the recording is being made, and after its audio was removed.
     */
    readonly ofCall: (
      of: RecordingOf,
      origin: Origin
    ) => Effect.Effect<LinkedRecording, FindError | AudioRefusal | NotCommitted>
    /** The link alone. Fails if there is no audio. */
    readonly link: (of: RecordingOf, origin: Origin) => Effect.Effect<string, FindError | AudioRefusal | NotCommitted>
    /** Deletes a recording of a call. Its audio is no longer available when this returns. */
    readonly remove: (of: RecordingOf, origin: Origin) => Effect.Effect<void, FindError | AudioRefusal | NotCommitted>
    /** The audio behind a link. Fails if the link is not valid, or the audio is gone. */
    readonly open: (recording_id: RecordingId, token: string) => Effect.Effect<Audio, AudioRefusal | ReadFailed>
  }
>()("trunkline/actors/Recordings") {
  static readonly layer = Layer.effect(
    Recordings,
    Effect.suspend(() => make())
  )
}

const make = Effect.fnUntraced(function* () {
  const { base_url } = yield* PublicUrl
  const system = yield* ActorSystem
  const calls = yield* CallReads
  const reads = yield* RecordingReads
  const store = yield* RecordingStore
  const signer = yield* CursorSigner

  const find = Effect.fnUntraced(function* ({ call, recording_id, workspace_id }: RecordingOf) {
    const found = yield* calls.find(workspace_id, call)
    if (found === undefined) return yield* new CallNotFound()
    const record =
      recording_id === undefined
        ? yield* reads.ofCall(workspace_id, found.id)
        : yield* reads.find(workspace_id, recording_id)
    return record?.call_id === found.id ? record : yield* new RecordingNotFound()
  })

  /** Asks the actor, because the stored row may be older than its state. */
  const handOut = Effect.fnUntraced(function* (workspace_id: WorkspaceId, recording_id: RecordingId, origin: Origin) {
    const record = yield* system.ask(RecordingCommands.HandOut, recording_id, { origin })
    const expires_at = (yield* Clock.currentTimeMillis) + linkLifetime_ms
    return {
      ...record,
      download_url: base_url + audioPath(signer, { workspace_id, recording_id }, expires_at),
      download_url_expires_at: isoInstant(expires_at)
    }
  })

  return Recordings.of({
    ofCall: traced("Recordings.ofCall")(function* (of, origin) {
      const record = yield* find(of)
      if (record.status === "failed") return { ...record, download_url: null, download_url_expires_at: null }
      return yield* handOut(of.workspace_id, record.id, origin)
    }),
    link: traced("Recordings.link")(function* (of, origin) {
      const { id } = yield* find(of)
      return (yield* handOut(of.workspace_id, id, origin)).download_url
    }),
    remove: traced("Recordings.remove")(function* (of, origin) {
      const { id } = yield* find(of)
      yield* system.ask(RecordingCommands.Delete, id, { origin })
    }),
    open: traced("Recordings.open")(function* (recording_id, token) {
      const now = yield* Clock.currentTimeMillis
      const workspace_id = yield* Effect.fromResult(workspaceOfLink(signer, recording_id, token, now))
      const record = yield* reads.find(workspace_id, recording_id)
      if (record === undefined) return yield* new RecordingNotFound()
      const refusal = refusalOf(record)
      if (refusal !== undefined) return yield* Effect.fail(refusal)
      const { size_bytes } = record
      if (size_bytes === null) return yield* new RecordingNotFound()
      return {
        record,
        size_bytes,
        read: (range) =>
          Effect.mapError(
            store.read({ workspace_id, recording_id }, size_bytes, range),
            ({ cause }) => new RecordingFailed({ cause })
          )
      }
    })
  })
})
