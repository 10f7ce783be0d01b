import { Data } from "effect"
import type { SoundError } from "../../../../domain/sounds/SoundError.ts"

/** There is no audio to play. */
export class NoSound extends Data.TaggedError("NoSound")<{
  readonly error: SoundError
  readonly reason: string
  readonly cause?: unknown
}> {}
