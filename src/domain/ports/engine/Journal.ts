// The journal makes decisions durable. Entries of all actors that wait at the same moment share one transaction.
import { Context, type Effect, type Tracer } from "effect"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { Alarm, Committed, Entry, Stored } from "../../journal/Rows.ts"
import type { SubscriptionId } from "../../BrandedIds.ts"

/** An entry and whoever waits for it. `span` is of the command that the entry is of. */
export interface Append {
  readonly entry: Entry
  readonly done: (outcome: Committed) => void
  readonly span?: Tracer.Span | undefined
}

export class Journal extends Context.Service<
  Journal,
  {
    /**
     * Queues the entry for the next transaction and calls `done` once it is on disk or surely is not. A callback
     * and not an Effect, because this is the hottest line of the engine. Entries of one actor must be appended in
     * the order of their versions; several may wait at once. `span` is of the command that the entry is of.
     */
    readonly append: (entry: Entry, done: (outcome: Committed) => void, span?: Tracer.Span) => void
    /**
     * Queues entries of several actors of which all are written or none: no end of a batch, no halving of a refused
     * batch and no refusal of one of them separates them. All get the same outcome.
     */
    readonly appendTied: (unit: ReadonlyArray<Append>) => void
    /** Reads an actor afresh. Undefined: it was never written. */
    readonly load: (actor_type: string, actor_id: string) => Effect.Effect<Stored | undefined, NotCommitted>
    /** Alarms due at or before `before`, in order of (due_at, type, id), after the given one. */
    readonly alarms: (options: {
      readonly before: number
      readonly after?: Alarm
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Alarm>, NotCommitted>
    /** Puts alarms off without touching their actors: a sweeper's lease. */
    readonly postpone: (alarms: ReadonlyArray<Alarm>, until: number) => Effect.Effect<void, NotCommitted>
    /** Called after a commit with the subscriptions that got deliveries in it. Returns how to stop listening. */
    readonly onFanOut: (listener: (subscription_ids: ReadonlyArray<SubscriptionId>) => void) => () => void
  }
>()("trunkline/domain/ports/Journal") {}
