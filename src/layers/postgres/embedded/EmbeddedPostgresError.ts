import { Data } from "effect"

/** Why the embedded server could not be prepared, started or stopped; the message is for a person. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly message: string
  readonly cause?: unknown
}> {}
