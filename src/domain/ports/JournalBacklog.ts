import { Context } from "effect"
import type { Backlog } from "../journal/Shedding.ts"

/** What waits in this process to be written by the journal. */
export class JournalBacklog extends Context.Service<JournalBacklog, { readonly read: () => Backlog }>()(
  "trunkline/domain/ports/JournalBacklog"
) {}
