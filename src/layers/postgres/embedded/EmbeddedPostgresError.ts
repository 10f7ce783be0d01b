import { Data } from "effect"

/** The embedded server could not be prepared, started or stopped. The message is for people. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly message: string
  readonly cause?: unknown
}> {}
