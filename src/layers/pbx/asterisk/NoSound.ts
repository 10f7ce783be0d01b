import { Data } from "effect"

/** There is no audio to play. */
export class NoSound extends Data.TaggedError("NoSound")<{ readonly reason: string; readonly cause?: unknown }> {}
