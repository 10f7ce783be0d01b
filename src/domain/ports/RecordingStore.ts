// Where the audio of recordings is kept, encrypted. What is stored is of no use without the engine's master key.
import { Context, Data, type Effect, type Stream } from "effect"
import type { WorkspaceId } from "../BrandedIds.ts"

export class StoreFailed extends Data.TaggedError("StoreFailed")<{ readonly cause: unknown }> {}

/** The audio of one recording. What was stored for one can be read for no other. */
export interface AudioOf {
  readonly workspace_id: WorkspaceId
  readonly recording_id: string
}

export class RecordingStore extends Context.Service<
  RecordingStore,
  {
    /**
     * Stores the audio, of exactly `size_bytes`, in place of what was there: all of it or nothing.
     * Answers with its SHA-256 in hex.
     */
    readonly save: <E>(
      of: AudioOf,
      size_bytes: number,
      audio: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<{ readonly sha256: string }, StoreFailed | E>
    /**
     * The bytes from `start` up to and without `end`. No more of the stored audio is fetched than holds them. Fails
     * where there is none.
     */
    readonly read: (
      of: AudioOf,
      size_bytes: number,
      range: { readonly start: number; readonly end: number }
    ) => Effect.Effect<Stream.Stream<Uint8Array, StoreFailed>, StoreFailed>
    /** Erasing what is not there succeeds. */
    readonly erase: (of: AudioOf) => Effect.Effect<void, StoreFailed>
  }
>()("trunkline/domain/ports/RecordingStore") {}
