// The recordings of a simulation: they have lengths and sizes, and no audio.
import { Effect, Layer, Stream } from "effect"
import { RecordingSpool, SpoolFailed } from "../../domain/ports/calls/RecordingSpool.ts"
import { RecordingStore, StoreFailed } from "../../domain/ports/calls/RecordingStore.ts"
import { wavHeader } from "../../domain/recordings/Wav.ts"
import type { LeaveAudio } from "../../layers/pbx/simulator/Recorders.ts"

const rate = 8_000
const sample_bytes = 2
const sha256 = "0".repeat(64)

interface Unheard {
  readonly head: Uint8Array
  readonly size_bytes: number
}

export class UnheardRecordings {
  private readonly spooled = new Map<string, Unheard>()

  readonly leave: LeaveAudio = ({ channels, duration_ms, object_key }, then) => {
    const data_bytes = Math.round((duration_ms * rate) / 1_000) * channels * sample_bytes
    const head = wavHeader({ channels, rate, data_bytes })
    const size_bytes = head.length + data_bytes
    this.spooled.set(object_key, { head, size_bytes })
    then({ size_bytes, sha256 })
  }

  get layer(): Layer.Layer<RecordingSpool | RecordingStore> {
    const spool = Layer.succeed(RecordingSpool)({
      open: (object_key) =>
        Effect.suspend(() => {
          const unheard = this.spooled.get(object_key)
          return unheard === undefined
            ? Effect.fail(new SpoolFailed({ reason: "missing" }))
            : Effect.succeed({ ...unheard, bytes: Stream.empty })
        }),
      remove: (object_key) => Effect.sync(() => void this.spooled.delete(object_key)),
      leave: () => Effect.void
    })
    const store = Layer.succeed(RecordingStore)({
      save: () => Effect.succeed({ sha256 }),
      read: () => Effect.fail(new StoreFailed({ cause: "A simulation records no audio." })),
      erase: () => Effect.void
    })
    return Layer.merge(spool, store)
  }
}
