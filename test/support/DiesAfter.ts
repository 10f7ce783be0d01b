// An engine that crashes at one of its commits.
import type { MemoryJournal } from "../../src/testing.ts"

/**
 * The engine on the journal dies with the commit after so many. What is dying may do a little more, as processes do.
 * Returns whether it is dead.
 */
export const diesAfter = (journal: MemoryJournal, commits: number): (() => boolean) => {
  let made = journal.commits
  let dead = false
  Object.defineProperty(journal, "commits", {
    configurable: true,
    get: () => made,
    set: (now: number) => {
      made = now
      if (made <= commits || dead) return
      dead = true
      journal.crash()
    }
  })
  return () => dead
}
