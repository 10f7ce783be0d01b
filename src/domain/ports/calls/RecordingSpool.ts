// Where a PBX leaves the audio that it has recorded, until the engine has stored it.
import { Context, Data, Effect, Layer, type Stream } from "effect"

/** `refused`: the key could lead outside the spool. The other two errors may be temporary. */
export class SpoolFailed extends Data.TaggedError("SpoolFailed")<{
  readonly reason: "missing" | "refused" | "unavailable"
  readonly cause?: unknown
}> {}

export interface SpooledFile {
  readonly size_bytes: number
  /** The first 4096 bytes, or all if there are fewer. */
  readonly head: Uint8Array
  /** All bytes, from the start. */
  readonly bytes: Stream.Stream<Uint8Array, SpoolFailed>
}

export class RecordingSpool extends Context.Service<
  RecordingSpool,
  {
    readonly open: (object_key: string) => Effect.Effect<SpooledFile, SpoolFailed>
    /** Succeeds also if there is no such file. */
    readonly remove: (object_key: string) => Effect.Effect<void, SpoolFailed>
    /** Stores what a gateway in the engine's own process has recorded. If the bytes fail, nothing is stored. */
    readonly leave: (object_key: string, bytes: Stream.Stream<Uint8Array, unknown>) => Effect.Effect<void, SpoolFailed>
  }
>()("trunkline/domain/ports/RecordingSpool") {
  /** Accepts no audio, so nothing can be recorded. For tests. */
  static readonly none = Layer.suspend(() => {
    const unavailable = Effect.fail(new SpoolFailed({ reason: "unavailable" }))
    return Layer.succeed(RecordingSpool)({
      open: () => unavailable,
      remove: () => unavailable,
      leave: () => unavailable
    })
  })
}
