// The only writer of a process: the entries that wait when a transaction ends go into the next one.
import { type Clock, Effect, Fiber, Schedule, type Tracer } from "effect"
import { randomUUID } from "node:crypto"
import type { Committed, Entry } from "../../../domain/journal/Rows.ts"
import type { Backlogs } from "../../../domain/journal/Shedding.ts"
import type { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { charactersOf } from "./EntrySize.ts"
import { actorKey, toBatch } from "./JournalBatch.ts"
import { type JournalSession, SessionFailure } from "./JournalSession.ts"
import { type FanOutListener, BatchOutcome, refusal, type Unit, unknown } from "./BatchOutcome.ts"
import type { SubscriptionId } from "../../../domain/BrandedIds.ts"

/** Limits of a batch. A larger one is not faster and only delays its first entry. */
const entriesMax = 1024
const charactersMax = 4 * 1024 * 1024

interface Sum {
  entries: number
  characters: number
}

const add = (sum: Sum, characters: number): Sum => {
  sum.entries++
  sum.characters += characters
  return sum
}

/** Why a single entry was not committed. */
const reasonOf = ({ constraint, kind }: SessionFailure): NotCommitted["reason"] =>
  kind !== "refused" || constraint === undefined
    ? "unavailable"
    : constraint === "idempotency_keys_pkey"
      ? "duplicate"
      : constraint === "holds_captured"
        ? "captured"
        : /(_pkey|_fence|_call_charge|_by_session)$/.test(constraint)
          ? "stale"
          : "unavailable"

/**
 * How often the id of a batch with an unknown outcome is claimed. Then its entries fail as unavailable. Retries are
 * frequent, because nothing else is written meanwhile.
 */
const claimRetries = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("250 millis")]).pipe(
  Schedule.upTo({ duration: "5 seconds" })
)

/** Ids of batches are kept longer than any writer claims them. */
const pruneEvery = 1_000
const idRetention_ms = 10 * 60_000

/**
 * A plan that was made for a nearly empty table may scan it, also when it has grown, until the server updates its
 * statistics a minute later. After a slow batch the next one is planned again.
 */
const slow_ms = 100
const replanEvery_ms = 10_000

/** The outcome of sending a batch. `Void`: it is certain that it will never be written. */
type Attempt =
  | { readonly _tag: "Written"; readonly reached: ReadonlyArray<SubscriptionId> }
  | { readonly _tag: "Void" | "Failed"; readonly failure: SessionFailure }

interface Underway {
  readonly fiber: Fiber.Fiber<void>
  readonly verdicts: BatchOutcome
  readonly size: number
}

/** While a batch is in flight, a second one is sent once this many entries wait, or half as many as are in flight. */
const secondBatchMin = 32

/** Maximum number of links of a batch's span. Its attribute has the number of all entries. */
const linksMax = 64

const entriesIn = (batch: ReadonlyArray<Unit>): number => batch.reduce((sum, unit) => sum + unit.length, 0)

/** The span of a batch: a child of the first traced command in it, with links to the others. */
const traced = <A, E>(batch: ReadonlyArray<Unit>, written: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const [parent, ...others] = batch.flatMap((unit) => unit.flatMap(({ span }) => span ?? []))
  return parent === undefined
    ? written
    : Effect.withSpan(written, "Journal.write", {
        parent,
        links: others.slice(0, linksMax).map((span) => ({ span, attributes: {} })),
        attributes: { "trunkline.journal.entries": entriesIn(batch) }
      })
}

export class JournalWriter {
  private readonly session: JournalSession
  private readonly clock: Clock.Clock
  private readonly listeners = new Set<FanOutListener>()
  private waiting: Array<Unit> = []
  /** How many entries wait. */
  private entries = 0
  private wake: (() => void) | undefined
  /** How many entries must wait before the writer is woken. */
  private enough = 1
  private closing = false
  private batches = 0
  private plannedAt = 0
  /** An outage is reported once. */
  private away = false
  /** Whether the last attempt reached the database. */
  private reachable = true
  /** How long the first entry of the latest batch had been waiting. */
  private waited_ms = 0

  constructor(session: JournalSession, clock: Clock.Clock) {
    this.session = session
    this.clock = clock
  }

  readonly append = (entry: Entry, done: (outcome: Committed) => void, span?: Tracer.Span): void => {
    if (this.closing) return done(refusal("unavailable"))
    this.waiting.push([{ entry, done, span, since: this.now() }])
    this.entries++
    this.notifyWriter()
  }

  readonly appendTied = (unit: Unit): void => {
    if (this.closing) return unit.forEach(({ done }) => done(refusal("unavailable")))
    const since = this.now()
    this.waiting.push(unit.map((append) => ({ ...append, since })))
    this.entries += unit.length
    this.notifyWriter()
  }

  /** What waits for the next batches. */
  readonly backlog = (): Backlogs => {
    const all = { entries: 0, characters: 0 }
    const of = new Map<string, Sum>()
    for (const { entry } of this.waiting.flat()) {
      const characters = charactersOf(entry)
      add(all, characters)
      const { workspace_id } = entry
      if (workspace_id === null) continue
      const own = of.get(workspace_id) ?? { entries: 0, characters: 0 }
      of.set(workspace_id, add(own, characters))
    }
    return { all, of }
  }

  /**
   * How long entries wait until they are sent, in milliseconds: 0 if none waits. Those that are sent show it, and not
   * those that wait, because a database that stands still or cannot be reached is not behind: nothing gets better by
   * giving it less to do, and each request must say what has become of it.
   */
  readonly wait = (): number => (this.entries > 0 && this.reachable ? this.waited_ms : 0)

  readonly onFanOut = (listener: FanOutListener) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /**
   * Writes until `close`, and then the entries that still wait. Up to two transactions are in flight, in order, on one
   * connection: while PostgreSQL writes one, the next is built and sent.
   */
  readonly run: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    let before: Underway | undefined
    while (true) {
      yield* this.untilWorthSending(before)
      // Actors that the last commit has answered may append more.
      yield* Effect.yieldNow
      const batch = this.take()
      if (batch.length === 0) {
        if (before !== undefined) yield* Fiber.await(before.fiber)
        else if (this.closing) return
        before = undefined
        continue
      }
      const verdicts = new BatchOutcome()
      const ahead = before?.verdicts.announced === false ? before : undefined
      const fiber: Fiber.Fiber<void> = yield* Effect.forkChild(traced(batch, this.write(batch, verdicts, ahead)), {
        startImmediately: true
      })
      if (before !== undefined) yield* Fiber.await(before.fiber)
      before = { fiber, verdicts, size: entriesIn(batch) }
    }
  })

  close(): void {
    this.closing = true
    this.notifyWriter()
  }

  /** Waits until enough entries wait for a batch, the batch in flight has ended, or the journal closes. */
  private untilWorthSending(before: Underway | undefined): Effect.Effect<void> {
    return Effect.suspend(() => {
      const enough = before === undefined ? 1 : Math.max(secondBatchMin, before.size >> 1)
      if (this.entries >= enough || (this.closing && before === undefined)) return Effect.void
      const notified = Effect.callback<void>((resume) => {
        this.enough = enough
        this.wake = () => resume(Effect.void)
      })
      return before === undefined ? notified : Effect.raceFirst(notified, Fiber.await(before.fiber))
    })
  }

  private notifyWriter(): void {
    if (this.entries < this.enough && !this.closing) return
    const wake = this.wake
    this.wake = undefined
    wake?.()
  }

  private take(): Array<Unit> {
    let units = 0
    let entries = 0
    let characters = 0
    for (const unit of this.waiting) {
      if ((units > 0 && entries + unit.length > entriesMax) || characters >= charactersMax) break
      for (const { entry } of unit) characters += charactersOf(entry)
      entries += unit.length
      units++
    }
    const since = this.waiting[0]?.[0]?.since
    if (since !== undefined) this.waited_ms = this.now() - since
    this.entries -= entries
    return this.waiting.splice(0, units)
  }

  private readonly write = Effect.fnUntraced(
    { self: this },
    function* (this: JournalWriter, batch: ReadonlyArray<Unit>, verdicts: BatchOutcome, ahead: Underway | undefined) {
      const startedAt = this.now()
      const sent = yield* this.attempt(batch)
      if (ahead !== undefined) {
        yield* Fiber.await(ahead.fiber)
        verdicts.follow(ahead.verdicts)
      }
      yield* this.settle(batch, verdicts, sent)
      const endedAt = this.now()
      this.keep(verdicts.admit(this.waiting))
      yield* this.announce(verdicts)
      if (endedAt - startedAt > slow_ms && endedAt - this.plannedAt > replanEvery_ms) {
        this.plannedAt = endedAt
        yield* Effect.ignore(this.session.replan)
      }
      if (++this.batches % pruneEvery === 0) yield* Effect.ignore(this.session.forget(endedAt - idRetention_ms))
    }
  )

  private keep(waiting: Array<Unit>): void {
    this.waiting = waiting
    this.entries = entriesIn(waiting)
  }

  private now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  /**
   * Halves a refused batch until the entry at fault is alone, or with those that are tied to it. A batch that was sent
   * before the batch ahead was settled counts if it was written. Otherwise it is sent again, without the entries that
   * became void with the batch ahead.
   */
  private settle(batch: ReadonlyArray<Unit>, verdicts: BatchOutcome, sent?: Attempt, retries = 1): Effect.Effect<void> {
    return Effect.suspend(() => {
      const open = sent?._tag === "Written" ? batch : verdicts.admit(batch)
      if (open.length === 0) return Effect.void
      const attempt = sent !== undefined && open.length === batch.length ? Effect.succeed(sent) : this.attempt(open)
      return Effect.flatMap(attempt, (result) => {
        if (result._tag === "Written") {
          this.away = false
          this.reachable = true
          verdicts.commit(open, result.reached)
          return Effect.void
        }
        const { failure } = result
        if (failure.kind === "lost") {
          const again = result._tag === "Void" && retries > 0
          if (again) return this.settle(open, verdicts, undefined, retries - 1)
          const outcome = result._tag === "Void" ? undefined : unknown(failure)
          return this.refuse(open, verdicts, failure, outcome)
        }
        if (failure.kind !== "refused" || open.length === 1) return this.refuse(open, verdicts, failure)
        const middle = open.length >> 1
        return Effect.andThen(
          this.settle(open.slice(0, middle), verdicts, undefined, retries),
          this.settle(open.slice(middle), verdicts, undefined, retries)
        )
      })
    })
  }

  /** Sends the batch once. If the connection breaks meanwhile, finds out whether the batch was written. */
  private attempt(batch: ReadonlyArray<Unit>): Effect.Effect<Attempt> {
    return Effect.suspend(() => {
      const id = randomUUID()
      return Effect.matchEffect(this.send(id, batch), {
        onSuccess: (reached): Effect.Effect<Attempt> => Effect.succeed({ _tag: "Written", reached }),
        onFailure: (failure): Effect.Effect<Attempt> =>
          failure.kind === "lost" ? this.resolve(id, batch, failure) : Effect.succeed({ _tag: "Failed", failure })
      })
    })
  }

  private send(id: string, batch: ReadonlyArray<Unit>): Effect.Effect<ReadonlyArray<SubscriptionId>, SessionFailure> {
    return Effect.try({
      try: () => toBatch(batch.flatMap((unit) => unit.map(({ entry }) => entry))),
      catch: (cause) => new SessionFailure({ kind: "refused", cause })
    }).pipe(Effect.flatMap((content) => this.session.write(id, this.now(), content)))
  }

  /** Finds out whether a batch was written. Its deliveries are started by the alarms that were written with them. */
  private resolve(id: string, batch: ReadonlyArray<Unit>, failure: SessionFailure): Effect.Effect<Attempt> {
    const outcome = Effect.suspend(() => this.session.claim(id, this.now())).pipe(
      Effect.tapError(() => this.refuseOthers(batch, failure)),
      Effect.retry(claimRetries)
    )
    return Effect.match(outcome, {
      onSuccess: (fate): Attempt => (fate === "written" ? { _tag: "Written", reached: [] } : { _tag: "Void", failure }),
      onFailure: (): Attempt => ({ _tag: "Failed", failure })
    })
  }

  /** The database cannot be reached. Refuses the waiting entries, except those that must wait for the batch. */
  private refuseOthers(batch: ReadonlyArray<Unit>, cause: SessionFailure): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.reachable = false
      const concerned = new Set(batch.flatMap((unit) => unit.map(({ entry }) => actorKey(entry))))
      const kept: Array<Unit> = []
      const verdicts = new BatchOutcome()
      for (const unit of this.waiting) {
        if (!unit.some(({ entry }) => concerned.has(actorKey(entry)))) {
          verdicts.refuse([unit], refusal("unavailable", cause))
          continue
        }
        kept.push(unit)
        // The later entries of all its actors wait too, or they would be answered before it.
        for (const { entry } of unit) concerned.add(actorKey(entry))
      }
      this.keep(kept)
      return this.announce(verdicts)
    })
  }

  private announce(verdicts: BatchOutcome): Effect.Effect<void> {
    const defects = verdicts.announce(this.listeners)
    return defects.length === 0 ? Effect.void : Effect.logError("A listener of the journal threw", ...defects)
  }

  private refuse(
    batch: ReadonlyArray<Unit>,
    verdicts: BatchOutcome,
    failure: SessionFailure,
    outcome?: Committed
  ): Effect.Effect<void> {
    const reason = reasonOf(failure)
    verdicts.refuse(batch, outcome ?? refusal(reason, failure))
    const reported = this.away
    this.away = failure.kind === "away"
    this.reachable = failure.kind === "busy" || failure.kind === "refused"
    if (reason !== "unavailable" || (this.away && reported)) return Effect.void
    return Effect.logWarning(`Writing ${entriesIn(batch)} journal entries failed`, failure.cause)
  }
}
