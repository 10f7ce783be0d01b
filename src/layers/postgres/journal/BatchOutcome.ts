// What became of the entries of one batch. They hear of it when all of it is known.
import type { Tracer } from "effect"
import type { Committed, Entry } from "../../../domain/journal/Rows.ts"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { actorKey } from "./JournalBatch.ts"

export interface Waiting {
  readonly entry: Entry
  readonly done: (outcome: Committed) => void
  /** Of the command that the entry is of; absent where tracing is off. */
  readonly span?: Tracer.Span | undefined
}

export type FanOutListener = (subscription_ids: ReadonlyArray<string>) => void

export const refusal = (reason: NotCommitted["reason"], cause?: unknown): Committed => ({
  ok: false,
  error: new NotCommitted(cause === undefined ? { reason } : { reason, cause })
})

const committed: Committed = { ok: true }
const stale = refusal("stale")

export class BatchOutcome {
  /** Actors that lost an entry of this batch: what they decided after it is void. */
  private readonly failed = new Set<string>()
  /** Those of the batch ahead, which was not settled when this one was sent. */
  private ahead: ReadonlySet<string> = new Set()
  /** Whoever appends from now on knows. */
  announced = false
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

  /** What was decided after an entry that fell with the batch ahead is void too. */
  follow({ failed }: BatchOutcome): void {
    this.ahead = failed
  }

  /** Refuses those that follow a failed entry of their actor, and returns the others. */
  admit(batch: Array<Waiting>): Array<Waiting> {
    if (this.failed.size === 0 && this.ahead.size === 0) return batch
    return batch.filter((waiting) => {
      const key = actorKey(waiting.entry)
      const sound = !this.failed.has(key) && !this.ahead.has(key)
      if (!sound) this.outcomes.push([waiting, stale])
      return sound
    })
  }

  /** Tells everybody, even where one of them throws. Returns what was thrown. */
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
