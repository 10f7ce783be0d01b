import { Context } from "effect"
import type { Backlogs } from "../../journal/Shedding.ts"

/** What waits in this process to be written by the journal. */
export class JournalBacklog extends Context.Service<
  JournalBacklog,
  {
    readonly read: () => Backlogs
    /** How long entries wait until they are sent, in milliseconds. 0 if none waits, or the database is away. */
    readonly wait: () => number
  }
>()("trunkline/domain/ports/JournalBacklog") {}
