import { Context } from "effect"
import type { Backlogs } from "../../journal/Shedding.ts"

/** What waits in this process to be written by the journal. */
export class JournalBacklog extends Context.Service<JournalBacklog, { readonly read: () => Backlogs }>()(
  "trunkline/domain/ports/JournalBacklog"
) {}
