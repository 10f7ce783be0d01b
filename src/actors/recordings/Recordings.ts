// The door to recordings for HTTP and the library.
import { Clock, Context, Effect, Layer, type Stream } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import { CallNotFound, RecordingFailed, RecordingNotFound } from "../../domain/errors/CallErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { CallReads } from "../../domain/ports/CallReads.ts"
import { CursorSigner } from "../../domain/ports/CursorSigner.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { RecordingReads } from "../../domain/ports/RecordingReads.ts"
import { RecordingStore, type StoreFailed } from "../../domain/ports/RecordingStore.ts"
import { audioPath, link_valid_ms, workspaceOfLink } from "../../domain/recordings/AudioLink.ts"
import type { ByteRange } from "../../domain/recordings/ByteRange.ts"
import { refusalOf } from "../../domain/recordings/DecideRecording.ts"
import type { RecordingCommand } from "../../domain/recordings/RecordingCommand.ts"
import type { RecordingRecord } from "../../domain/recordings/RecordingRecord.ts"
import { RecordingActor } from "./RecordingActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

/** Of several recordings of a call, the newest that is available, unless one is named. */
export interface RecordingOf {
  readonly workspace_id: string
  /** The call's id, or its session's. */
  readonly call: string
  readonly recording_id?: string
}

export interface LinkedRecording extends RecordingRecord {
  /** Null where there is no audio to be had. */
  readonly download_url: string | null
  readonly download_url_expires_at: string | null
}

export interface Audio {
  readonly record: RecordingRecord
  readonly size_bytes: number
  readonly read: (range: ByteRange) => Effect.Effect<Stream.Stream<Uint8Array, StoreFailed>, RecordingFailed>
}

export class Recordings extends Context.Service<
  Recordings,
  {
    /**
     * A recording of a call with a link to its audio. Refused while it is made, and when it is
     * gone. Whoever is given a link stands in the audit log.
     */
    readonly ofCall: (of: RecordingOf, origin: Origin) => Effect.Effect<LinkedRecording, Unhappy>
    /** The link alone; refused where there is no audio to be had. */
    readonly link: (of: RecordingOf, origin: Origin) => Effect.Effect<string, Unhappy>
    /** Deletes the recording of a call. Its audio is gone when this returns. */
    readonly remove: (of: RecordingOf, origin: Origin) => Effect.Effect<void, Unhappy>
    /** The audio that a link leads to. */
    readonly open: (recording_id: string, token: string) => Effect.Effect<Audio, Unhappy>
  }
>()("trunkline/actors/Recordings") {
  /** `base_url` is where links begin. */
  static readonly layer = (options: { readonly base_url: string }) => Layer.effect(Recordings, make(options))
}

const make = Effect.fnUntraced(function* ({ base_url }: { readonly base_url: string }) {
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

  /** The actor has the last word on whether there is audio. */
  const ask = (recording_id: string, command: RecordingCommand) =>
    Effect.flatMap(
      system.ask(RecordingActor, recording_id, command),
      (reply): Effect.Effect<RecordingRecord, RecordingFailed> =>
        reply._tag === "Shown" ? Effect.succeed(reply.record) : Effect.fail(new RecordingFailed())
    )

  const handOut = Effect.fnUntraced(function* (workspace_id: string, recording_id: string, origin: Origin) {
    const record = yield* ask(recording_id, { _tag: "HandOut", origin })
    const expires_at = (yield* Clock.currentTimeMillis) + link_valid_ms
    return {
      ...record,
      download_url: base_url + audioPath(signer, { workspace_id, recording_id }, expires_at),
      download_url_expires_at: new Date(expires_at).toISOString()
    }
  })

  return Recordings.of({
    ofCall: Effect.fnUntraced(function* (of, origin) {
      const record = yield* find(of)
      if (record.status === "failed") return { ...record, download_url: null, download_url_expires_at: null }
      return yield* handOut(of.workspace_id, record.id, origin)
    }),
    link: Effect.fnUntraced(function* (of, origin) {
      const { id } = yield* find(of)
      return (yield* handOut(of.workspace_id, id, origin)).download_url
    }),
    remove: Effect.fnUntraced(function* (of, origin) {
      const { id } = yield* find(of)
      yield* ask(id, { _tag: "Delete", origin })
    }),
    open: Effect.fnUntraced(function* (recording_id, token) {
      const now = yield* Clock.currentTimeMillis
      const workspace_id = yield* Effect.fromResult(workspaceOfLink(signer, recording_id, token, now))
      const record = yield* reads.find(workspace_id, recording_id)
      if (record === undefined) return yield* new RecordingNotFound()
      const refusal = refusalOf(record)
      if (refusal !== undefined) return yield* Effect.fail(refusal)
      const size_bytes = record.size_bytes!
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
