// The outcomes of the entries of one batch. They are announced when all are known.
import type { Tracer } from "effect"
import type { Committed, Entry } from "../../../domain/journal/Rows.ts"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { actorKey } from "./JournalBatch.ts"
import type { SubscriptionId } from "../../../domain/BrandedIds.ts"

export interface Waiting {
  readonly entry: Entry
  readonly done: (outcome: Committed) => void
  /** The span of the entry's command. Absent if tracing is off. */
  readonly span?: Tracer.Span | undefined
}

export type FanOutListener = (subscription_ids: ReadonlyArray<SubscriptionId>) => void

export const refusal = (reason: NotCommitted["reason"], cause?: unknown): Committed => ({
  ok: false,
  error: new NotCommitted(cause === undefined ? { reason } : { reason, cause })
})

const committed: Committed = { ok: true }
const stale = refusal("stale")

export class BatchOutcome {
  /** Actors with a refused entry. Their later entries are void. */
  private readonly failed = new Set<string>()
  /** The same of the batch ahead, which was not settled when this batch was sent. */
  private ahead: ReadonlySet<string> = new Set()
  /** Whether the outcomes were announced. Entries appended from then on take them into account. */
  announced = false
  private readonly outcomes: Array<readonly [Waiting, Committed]> = []
  /** Subscriptions that got deliveries. */
  private readonly reached = new Set<SubscriptionId>()

  commit(batch: ReadonlyArray<Waiting>, reached: ReadonlyArray<SubscriptionId>): void {
    for (const waiting of batch) this.outcomes.push([waiting, committed])
    for (const id of reached) this.reached.add(id)
  }

  refuse(batch: ReadonlyArray<Waiting>, outcome: Committed): void {
    for (const waiting of batch) {
      this.failed.add(actorKey(waiting.entry))
      this.outcomes.push([waiting, outcome])
    }
  }

  /** Entries that follow a refused entry of the batch ahead are void too. */
  follow({ failed }: BatchOutcome): void {
    this.ahead = failed
  }

  /** Refuses those that follow a failed entry of their actor, and returns the others. */
  admit(batch: Array<Waiting>): Array<Waiting> {
    if (this.failed.size === 0 && this.ahead.size === 0) return batch
    return batch.filter((waiting) => {
      const key = actorKey(waiting.entry)
      const isValid = !this.failed.has(key) && !this.ahead.has(key)
      if (!isValid) this.outcomes.push([waiting, stale])
      return isValid
    })
  }

  /** Announces all outcomes, even if a listener throws. Returns what was thrown. */
  announce(listeners: Iterable<FanOutListener>): ReadonlyArray<unknown> {
    this.announced = true
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
