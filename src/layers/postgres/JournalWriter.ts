// The one writer of a process: what waits when a transaction returns goes into the next one.
import { type Clock, Effect, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import type { Committed, Entry, NotCommitted } from "../../domain/ports/Journal.ts"
import { actorKey, toBatch } from "./JournalBatch.ts"
import { type JournalSession, SessionFailure } from "./JournalSession.ts"
import { batchParameters, writeBatch } from "./JournalStatement.ts"
import { type FanOutListener, JournalVerdicts, refusal, type Waiting } from "./JournalVerdicts.ts"

/** Beyond these a batch gains no speed and only keeps its first entry waiting. */
const entriesMax = 1024
const charactersMax = 4 * 1024 * 1024

const charactersOf = ({ events, idempotency, snapshot }: Entry): number => {
  let characters = (snapshot?.state.length ?? 0) + (idempotency?.body.length ?? 0)
  if (events !== undefined) for (const event of events) characters += event.payload.length
  return characters
}

/** Which wall an entry that stands alone has run into. */
const reasonOf = ({ constraint, kind }: SessionFailure): NotCommitted["reason"] =>
  kind !== "refused" || constraint === undefined ? "unavailable"
    : constraint === "idempotency_keys_pkey" ? "duplicate"
    : /(_pkey|_fence|_call_charge|_by_session)$/.test(constraint) ? "stale"
    : "unavailable"

/**
 * Takes the id of a batch whose fate is unknown. A transaction that is still under way is waited for, and one that
 * arrives later finds its id taken: so the answer stands for ever. Asking twice does no harm.
 */
const takeId = `INSERT INTO journal_batches (id, status, written_at) VALUES ($1::uuid, 'void', $2::timestamptz)
  ON CONFLICT (id) DO NOTHING`
const readFate = "SELECT status FROM journal_batches WHERE id = $1::uuid"

/** How long the fate of a batch is asked for before its entries are given up as unavailable. */
const patience = Schedule.exponential("50 millis").pipe(Schedule.upTo({ duration: "5 seconds" }))

/** Ids of batches are kept longer than anybody asks for them. */
const pruneEvery = 1_000
const keptFor_ms = 10 * 60_000
const prune = "DELETE FROM journal_batches WHERE written_at < $1::timestamptz"

/**
 * A plan that was made while a table was all but empty may read it as a whole, and goes on doing so when it has grown,
 * until the server looks at its statistics again a minute later. A slow batch has the next one planned anew.
 */
const slow_ms = 100
const replanEvery_ms = 10_000
const replan = "DISCARD PLANS"

export class JournalWriter {
  private readonly session: JournalSession
  private readonly clock: Clock.Clock
  private readonly listeners = new Set<FanOutListener>()
  private waiting: Array<Waiting> = []
  private wake: (() => void) | undefined
  private closing = false
  private batches = 0
  private plannedAt = 0
  /** An outage is reported once. */
  private away = false

  constructor(session: JournalSession, clock: Clock.Clock) {
    this.session = session
    this.clock = clock
  }

  readonly append = (entry: Entry, done: (outcome: Committed) => void): void => {
    if (this.closing) return done(refusal("unavailable"))
    this.waiting.push({ entry, done })
    this.rouse()
  }

  readonly onFanOut = (listener: FanOutListener) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Writes until `close`, and then what still waits. */
  readonly run: Effect.Effect<void> = Effect.gen({ self: this }, function*() {
    while (true) {
      if (this.waiting.length === 0) {
        if (this.closing) return
        yield* this.asleep
      }
      // Whoever was answered by the last commit may have more to write.
      yield* Effect.yieldNow
      yield* this.write(this.take())
    }
  })

  close(): void {
    this.closing = true
    this.rouse()
  }

  private readonly asleep = Effect.callback<void>((resume) => {
    this.wake = () => resume(Effect.void)
  })

  private rouse(): void {
    const wake = this.wake
    this.wake = undefined
    wake?.()
  }

  private take(): Array<Waiting> {
    let entries = 0
    let characters = 0
    while (entries < this.waiting.length && entries < entriesMax && characters < charactersMax) {
      characters += charactersOf(this.waiting[entries++]!.entry)
    }
    return this.waiting.splice(0, entries)
  }

  private readonly write = Effect.fnUntraced({ self: this }, function*(this: JournalWriter, batch: Array<Waiting>) {
    const verdicts = new JournalVerdicts()
    const startedAt = this.now()
    yield* this.settle(batch, verdicts)
    const endedAt = this.now()
    this.waiting = verdicts.admit(this.waiting)
    yield* this.announce(verdicts)
    if (endedAt - startedAt > slow_ms && endedAt - this.plannedAt > replanEvery_ms) {
      this.plannedAt = endedAt
      yield* Effect.ignore(this.session.query(replan, []))
    }
    if (++this.batches % pruneEvery === 0) {
      yield* Effect.ignore(this.session.query(prune, [new Date(endedAt - keptFor_ms)]))
    }
  })

  private now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  /** Halves a batch that is refused until the entry at fault stands alone. `retries`: after a lost connection. */
  private settle(batch: Array<Waiting>, verdicts: JournalVerdicts, retries = 1): Effect.Effect<void> {
    return Effect.suspend(() => {
      const open = verdicts.admit(batch)
      if (open.length === 0) return Effect.void
      const id = randomUUID()
      return Effect.matchEffect(this.send(id, open), {
        onSuccess: (reached) => {
          this.away = false
          verdicts.commit(open, reached)
          return Effect.void
        },
        onFailure: (failure) => {
          if (failure.kind === "lost") return this.resolve(id, open, verdicts, retries, failure)
          if (failure.kind !== "refused" || open.length === 1) return this.refuse(open, verdicts, failure)
          const middle = open.length >> 1
          return Effect.andThen(
            this.settle(open.slice(0, middle), verdicts, retries),
            this.settle(open.slice(middle), verdicts, retries)
          )
        }
      })
    })
  }

  private send(id: string, batch: ReadonlyArray<Waiting>): Effect.Effect<ReadonlyArray<string>, SessionFailure> {
    return Effect.try({
      try: () => batchParameters(id, this.now(), toBatch(batch.map(({ entry }) => entry))),
      catch: (cause) => new SessionFailure({ kind: "refused", cause })
    }).pipe(
      Effect.flatMap((params) => this.session.query(writeBatch, params)),
      Effect.map((rows) => rows.map((row) => String(row["subscription_id"])))
    )
  }

  /** Its deliveries, if there are any, are left to the alarms that were written with them. */
  private resolve(
    id: string,
    batch: Array<Waiting>,
    verdicts: JournalVerdicts,
    retries: number,
    failure: SessionFailure
  ): Effect.Effect<void> {
    const fate = Effect.andThen(
      this.session.query(takeId, [id, new Date(this.now())]),
      this.session.query(readFate, [id])
    ).pipe(
      Effect.tapError(() => this.turnAway(batch, failure)),
      Effect.retry(patience)
    )
    return Effect.matchEffect(fate, {
      onSuccess: ([row]) => {
        if (row?.["status"] === "written") return Effect.sync(() => verdicts.commit(batch, []))
        return retries > 0 ? this.settle(batch, verdicts, retries - 1) : this.refuse(batch, verdicts, failure)
      },
      onFailure: () => this.refuse(batch, verdicts, failure)
    })
  }

  /** The database is away: only those wait for its return whose actors have an entry in the batch. */
  private turnAway(batch: ReadonlyArray<Waiting>, cause: SessionFailure): Effect.Effect<void> {
    return Effect.suspend(() => {
      const concerned = new Set(batch.map(({ entry }) => actorKey(entry)))
      const verdicts = new JournalVerdicts()
      verdicts.refuse(this.waiting.filter(({ entry }) => !concerned.has(actorKey(entry))), refusal("unavailable", cause))
      this.waiting = this.waiting.filter(({ entry }) => concerned.has(actorKey(entry)))
      return this.announce(verdicts)
    })
  }

  private announce(verdicts: JournalVerdicts): Effect.Effect<void> {
    const defects = verdicts.announce(this.listeners)
    return defects.length === 0 ? Effect.void : Effect.logError("A listener of the journal threw", ...defects)
  }

  private refuse(batch: Array<Waiting>, verdicts: JournalVerdicts, failure: SessionFailure): Effect.Effect<void> {
    const reason = reasonOf(failure)
    verdicts.refuse(batch, refusal(reason, failure))
    const reported = this.away
    this.away = failure.kind === "away"
    if (reason !== "unavailable" || (this.away && reported)) return Effect.void
    return Effect.logWarning(`${batch.length} journal entries were not written`, failure.cause)
  }
}
