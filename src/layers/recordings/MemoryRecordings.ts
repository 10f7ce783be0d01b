// A spool and a store in memory, for tests.
import { createHash } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import { RecordingSpool, SpoolFailed } from "../../domain/ports/calls/RecordingSpool.ts"
import { RecordingStore, StoreFailed } from "../../domain/ports/calls/RecordingStore.ts"
import { wav_head_bytes } from "../../domain/recordings/Wav.ts"
import type { AudioOf } from "../../domain/recordings/RecordingId.ts"

const keyOf = ({ recording_id, workspace_id }: AudioOf): string => `${workspace_id}/${recording_id}`

const collected = <E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<Uint8Array, E> =>
  Effect.map(Stream.runCollect(bytes), (chunks) => Buffer.concat(chunks))

export class MemoryRecordings {
  /** By object key. */
  readonly spooled = new Map<string, Uint8Array>()
  /** By workspace and recording. */
  readonly stored = new Map<string, Uint8Array>()
  /** While true, the store fails. */
  away = false
  /** Runs before audio is stored. */
  beforeSave: Effect.Effect<void> = Effect.void

  private store<A>(use: () => A): Effect.Effect<A, StoreFailed> {
    return Effect.suspend(() => (this.away ? Effect.fail(new StoreFailed({ cause: "away" })) : Effect.sync(use)))
  }

  get layer(): Layer.Layer<RecordingSpool | RecordingStore> {
    const spool = Layer.succeed(RecordingSpool)({
      open: (object_key) =>
        Effect.suspend(() => {
          const bytes = this.spooled.get(object_key)
          return bytes === undefined
            ? Effect.fail(new SpoolFailed({ reason: "missing" }))
            : Effect.succeed({
                size_bytes: bytes.length,
                head: bytes.subarray(0, wav_head_bytes),
                bytes: Stream.make(bytes)
              })
        }),
      remove: (object_key) => Effect.sync(() => void this.spooled.delete(object_key)),
      leave: (object_key, bytes) =>
        collected(bytes).pipe(
          Effect.map((all) => void this.spooled.set(object_key, all)),
          Effect.mapError((cause) => new SpoolFailed({ reason: "unavailable", cause }))
        )
    })
    const store = Layer.succeed(RecordingStore)({
      save: (of, _size_bytes, audio) =>
        Effect.flatMap(Effect.andThen(this.beforeSave, collected(audio)), (all) =>
          this.store(() => {
            this.stored.set(keyOf(of), all)
            return { sha256: createHash("sha256").update(all).digest("hex") }
          })
        ),
      read: (of, _size_bytes, { end, start }) =>
        Effect.flatMap(
          this.store(() => this.stored.get(keyOf(of))),
          (bytes) =>
            bytes === undefined
              ? Effect.fail(new StoreFailed({ cause: "missing" }))
              : Effect.succeed(Stream.make(bytes.subarray(start, end)))
        ),
      erase: (of) => this.store(() => void this.stored.delete(keyOf(of)))
    })
    return Layer.merge(spool, store)
  }
}
