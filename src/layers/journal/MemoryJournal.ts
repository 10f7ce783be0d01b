// The journal in memory, for tests. It has the same contract as the one on PostgreSQL, and can be made to fail, wait
// and crash.
import { type Clock, Effect, Layer } from "effect"
import { type Append, Journal } from "../../domain/ports/engine/Journal.ts"
import type { Committed } from "../../domain/journal/Rows.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { MemoryTables } from "./MemoryTables.ts"
import type { SubscriptionId } from "../../domain/BrandedIds.ts"

type JournalService = (typeof Journal)["Service"]

/** One entry, or several that are tied. */
type Unit = ReadonlyArray<Append>

const refused = (reason: NotCommitted["reason"]): Committed => ({ ok: false, error: new NotCommitted({ reason }) })

export class MemoryJournal {
  static readonly make: Effect.Effect<MemoryJournal> = Effect.clockWith((clock) =>
    Effect.succeed(new MemoryJournal(clock))
  )

  /** A journal of its own, for tests that need no hooks. */
  static readonly layer: Layer.Layer<Journal> = Layer.effect(
    Journal,
    Effect.map(MemoryJournal.make, (memory) => memory.open())
  )

  readonly tables = new MemoryTables()
  /** Transactions made so far, the failed ones too. */
  commits = 0
  private readonly clock: Clock.Clock
  private waiting: Array<Unit> = []
  private scheduled = false
  private held = false
  private down = false
  private readonly failures: Array<NotCommitted["reason"]> = []
  private listeners = new Set<(subscription_ids: ReadonlyArray<SubscriptionId>) => void>()
  /** Handles of earlier epochs belong to processes that have crashed. */
  private epoch = 0

  private constructor(clock: Clock.Clock) {
    this.clock = clock
  }

  /** The journal for one engine. After a crash, open another for the engine that starts again from what is stored. */
  open(): JournalService {
    const epoch = this.epoch
    const read = <A>(f: () => A): Effect.Effect<A, NotCommitted> =>
      Effect.suspend(() => {
        if (epoch !== this.epoch) return Effect.never
        return this.down ? Effect.fail(new NotCommitted({ reason: "unavailable" })) : Effect.sync(f)
      })
    return {
      append: (entry, done) => {
        if (epoch !== this.epoch) return
        this.waiting.push([{ entry, done }])
        this.schedule()
      },
      appendTied: (unit) => {
        if (epoch !== this.epoch) return
        this.waiting.push(unit)
        this.schedule()
      },
      load: (actor_type, actor_id) => read(() => this.tables.load(actor_type, actor_id)),
      alarms: ({ after, before, limit }) => read(() => this.tables.due(before, after, limit)),
      postpone: (alarms, until) => read(() => this.tables.postpone(alarms, until)),
      onFanOut: (listener) => {
        if (epoch === this.epoch) this.listeners.add(listener)
        return () => this.listeners.delete(listener)
      }
    }
  }

  /** The journal as a layer: of the engine that runs now, or of the next one after a crash. */
  get layer(): Layer.Layer<Journal> {
    return Layer.sync(Journal, () => this.open())
  }

  /** Entries that wait for their commit. */
  get pending(): number {
    return this.waiting.flat().length
  }

  /** The next transaction fails as a whole. Called twice, so do the next two. */
  failNext(reason: NotCommitted["reason"] = "unavailable"): void {
    this.failures.push(reason)
  }

  /** From now on commits wait, as they do on a slow disk, until `release`. */
  hold(): void {
    this.held = true
  }

  release(): void {
    this.held = false
    this.schedule()
  }

  /** The database is unreachable: every write and every read fails until `comeUp`. */
  goDown(): void {
    this.down = true
    this.schedule()
  }

  comeUp(): void {
    this.down = false
  }

  /** Simulates the death of the process: waiting entries are never answered, and later ones are dropped. */
  crash(): void {
    this.epoch++
    this.waiting = []
    this.listeners = new Set()
    this.held = false
  }

  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    queueMicrotask(() => {
      this.scheduled = false
      if ((!this.held || this.down) && this.waiting.length > 0) this.commit()
    })
  }

  private commit(): void {
    const batch = this.waiting
    this.waiting = []
    this.commits++
    const failure = this.down ? "unavailable" : this.failures.shift()
    if (failure !== undefined) {
      const outcome = refused(failure)
      for (const { done } of batch.flat()) done(outcome)
      return
    }
    const now = this.clock.currentTimeMillisUnsafe()
    const failed = new Set<string>()
    const reached = new Set<SubscriptionId>()
    const actorOf = ({ entry }: Append) => `${entry.actor_type}/${entry.actor_id}`
    const outcomeOf = (unit: Unit): Committed => {
      const isVoid = unit.some((waiting) => failed.has(actorOf(waiting)))
      const reason = isVoid ? "stale" : this.tables.refusal(unit.map(({ entry }) => entry))
      if (reason !== undefined) {
        for (const waiting of unit) failed.add(actorOf(waiting))
        return refused(reason)
      }
      for (const { entry } of unit) this.tables.write(entry, now)
      return { ok: true }
    }
    const written = batch.flatMap((unit) => {
      const outcome = outcomeOf(unit)
      return unit.map((waiting) => ({ ...waiting, outcome }))
    })
    for (const { entry, outcome } of written)
      for (const event of outcome.ok ? (entry.events ?? []) : [])
        if (event.fan_out) for (const id of this.tables.fanOut(event, now)) reached.add(id)
    for (const { done, outcome } of written) done(outcome)
    if (reached.size > 0) for (const listener of this.listeners) listener([...reached])
  }
}
