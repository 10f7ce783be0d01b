import { Data } from "effect"

/** The database did not answer a question. Nothing changed; ask again. */
export class ReadFailed extends Data.TaggedError("ReadFailed")<{ readonly cause: unknown }> {}
