// What became of the entries of one batch. They hear of it when all of it is known.
import { type Committed, type Entry, NotCommitted } from "../../domain/ports/Journal.ts"
import { actorKey } from "./JournalBatch.ts"

export interface Waiting {
  readonly entry: Entry
  readonly done: (outcome: Committed) => void
}

export type FanOutListener = (subscription_ids: ReadonlyArray<string>) => void

export const refusal = (reason: NotCommitted["reason"], cause?: unknown): Committed => ({
  ok: false,
  error: new NotCommitted(cause === undefined ? { reason } : { reason, cause })
})

const committed: Committed = { ok: true }
const stale = refusal("stale")

export class JournalVerdicts {
  /** Actors that lost an entry: what they decided after it is void. */
  private readonly failed = new Set<string>()
  private readonly outcomes: Array<readonly [Waiting, Committed]> = []
  /** Subscriptions that got deliveries. */
  private readonly reached = new Set<string>()

  commit(batch: ReadonlyArray<Waiting>, reached: ReadonlyArray<string>): void {
    for (const waiting of batch) this.outcomes.push([waiting, committed])
    for (const id of reached) this.reached.add(id)
  }

  refuse(batch: ReadonlyArray<Waiting>, outcome: Committed): void {
    for (const waiting of batch) {
      this.failed.add(actorKey(waiting.entry))
      this.outcomes.push([waiting, outcome])
    }
  }

  /** Refuses those that follow a failed entry of their actor, and returns the others. */
  admit(batch: Array<Waiting>): Array<Waiting> {
    if (this.failed.size === 0) return batch
    return batch.filter((waiting) => {
      const sound = !this.failed.has(actorKey(waiting.entry))
      if (!sound) this.outcomes.push([waiting, stale])
      return sound
    })
  }

  /** Tells everybody, even where one of them throws. Returns what was thrown. */
  announce(listeners: Iterable<FanOutListener>): ReadonlyArray<unknown> {
    const defects: Array<unknown> = []
    for (const [{ done }, outcome] of this.outcomes) {
      try {
        done(outcome)
      } catch (defect) {
        defects.push(defect)
      }
    }
    if (this.reached.size === 0) return defects
    const reached = [...this.reached]
    for (const listener of listeners) {
      try {
        listener(reached)
      } catch (defect) {
        defects.push(defect)
      }
    }
    return defects
  }
}
