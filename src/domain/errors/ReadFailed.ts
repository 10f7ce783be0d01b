import { Data } from "effect"

/** The database did not answer a read. Nothing changed; the caller may try again. */
export class ReadFailed extends Data.TaggedError("ReadFailed")<{ readonly cause: unknown }> {}
