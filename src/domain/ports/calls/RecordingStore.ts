// Stores the audio of recordings, encrypted. It cannot be read without the engine's master key.
import { Context, Data, type Effect, type Stream } from "effect"
import type { AudioOf } from "../../recordings/RecordingId.ts"

export class StoreFailed extends Data.TaggedError("StoreFailed")<{ readonly cause: unknown }> {}

export class RecordingStore extends Context.Service<
  RecordingStore,
  {
    /**
     * Stores exactly `size_bytes` of audio, all or nothing, and replaces what was stored before. Returns the SHA-256 in
     * hex.
     */
    readonly save: <E>(
      of: AudioOf,
      size_bytes: number,
      audio: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<{ readonly sha256: string }, StoreFailed | E>
    /**
     * The bytes from `start` to before `end`. Fetches only the part of the stored audio that contains them. Fails if
     * there is no audio.
     */
    readonly read: (
      of: AudioOf,
      size_bytes: number,
      range: { readonly start: number; readonly end: number }
    ) => Effect.Effect<Stream.Stream<Uint8Array, StoreFailed>, StoreFailed>
    /** Succeeds also if there is no audio. */
    readonly erase: (of: AudioOf) => Effect.Effect<void, StoreFailed>
  }
>()("trunkline/domain/ports/RecordingStore") {}
