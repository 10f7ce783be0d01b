// The outcomes of the entries of one batch. They are announced when all are known.
import type { Append } from "../../../domain/ports/engine/Journal.ts"
import type { Committed } from "../../../domain/journal/Rows.ts"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { actorKey } from "./JournalBatch.ts"
import type { SubscriptionId } from "../../../domain/BrandedIds.ts"

/** One entry, or several that are tied: all of them are written, or none. */
export type Unit = ReadonlyArray<Waiting>

export interface Waiting extends Append {
  /** Since when it waits, in epoch milliseconds. */
  readonly since?: number
}

export type FanOutListener = (subscription_ids: ReadonlyArray<SubscriptionId>) => void

/** It may have been written. */
export const unknown = (cause: unknown): Committed => ({
  ok: false,
  error: new NotCommitted({ reason: "unavailable", unknown: true, cause })
})

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
  private readonly outcomes: Array<readonly [Append, Committed]> = []
  /** Subscriptions that got deliveries. */
  private readonly reached = new Set<SubscriptionId>()

  commit(batch: ReadonlyArray<Unit>, reached: ReadonlyArray<SubscriptionId>): void {
    for (const unit of batch) for (const waiting of unit) this.outcomes.push([waiting, committed])
    for (const id of reached) this.reached.add(id)
  }

  refuse(batch: ReadonlyArray<Unit>, outcome: Committed): void {
    for (const unit of batch)
      for (const waiting of unit) {
        this.failed.add(actorKey(waiting.entry))
        this.outcomes.push([waiting, outcome])
      }
  }

  /** Entries that follow a refused entry of the batch ahead are void too. */
  follow({ failed }: BatchOutcome): void {
    this.ahead = failed
  }

  /**
   * Refuses those that follow a failed entry of one of their actors, and returns the others. A refused unit makes later
   * entries of all its actors void.
   */
  admit(batch: ReadonlyArray<Unit>): Array<Unit> {
    if (this.failed.size === 0 && this.ahead.size === 0) return [...batch]
    return batch.filter((unit) => {
      const isVoid = unit.some(({ entry }) => this.failed.has(actorKey(entry)) || this.ahead.has(actorKey(entry)))
      if (isVoid) this.refuse([unit], stale)
      return !isVoid
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
