// The journal of one process over its connection to the simulated database: one batch at a time, as JournalWriter
// writes them, with every fate that a batch can have.
import type { Context } from "effect"
import type { SubscriptionId } from "../../src/domain/BrandedIds.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import type { Committed, Entry } from "../../src/domain/journal/Rows.ts"
import type { Journal } from "../../src/domain/ports/Journal.ts"
import { actorOf, type Database, refused } from "./Database.ts"
import type { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"

/** PostgreSQL gives a longer statement up (`statement_timeout`). */
const statementMax_ms = 4_900
/** How long JournalWriter asks for the fate of a batch. */
const patience_ms = 5_000

interface Waiting {
  readonly entry: Entry
  readonly done: (outcome: Committed) => void
}

type Fate = "written" | "lost" | "unknown" | "found"

export class SimulatedJournal {
  private readonly database: Database
  private readonly process: Process
  private readonly fates: Rng
  private readonly deaths: Rng
  private readonly freezes: Rng
  private readonly stalls: Rng
  private readonly listeners = new Set<(ids: ReadonlyArray<SubscriptionId>) => void>()
  private waiting: Array<Waiting> = []
  private busy = false

  constructor(database: Database, process: Process) {
    this.database = database
    this.process = process
    const { seed } = database.kernel
    this.fates = new Rng(seed, `fates:${process.name}`)
    this.deaths = new Rng(seed, `deaths:${process.name}`)
    this.freezes = new Rng(seed, `freezes:${process.name}`)
    this.stalls = new Rng(seed, `stalls:${process.name}`)
  }

  get service(): Context.Service.Shape<typeof Journal> {
    const { database, process } = this
    const unavailable = new NotCommitted({ reason: "unavailable" })
    return {
      append: (entry, done) => {
        if (!process.alive) return
        this.waiting.push({ entry, done })
        if (!this.busy && this.waiting.length === 1) database.kernel.soon(process, () => this.start())
      },
      load: (type, id) => database.query(process, () => database.tables.load(type, id), unavailable),
      alarms: ({ after, before, limit }) =>
        database.query(process, () => database.tables.due(before, after, limit), unavailable),
      postpone: (alarms, until) => database.query(process, () => database.tables.postpone(alarms, until), unavailable),
      onFanOut: (listener) => {
        this.listeners.add(listener)
        return () => this.listeners.delete(listener)
      }
    }
  }

  /** The process may die or stand still at each step of a commit. */
  private mishap(): void {
    const { database, process } = this
    if (this.deaths.chance(database.faults.dies)) database.onDeath(process)
    else if (this.freezes.chance(database.faults.freezes)) process.freeze(this.freezes.between(5_000, 60_000))
  }

  private fate(): Fate {
    const { found, lost, unknown } = this.database.faults
    const drawn = this.fates.next()
    if (drawn < lost) return "lost"
    if (drawn < lost + unknown) return "unknown"
    return drawn < lost + unknown + found ? "found" : "written"
  }

  private start(): void {
    if (this.busy || this.waiting.length === 0) return
    this.busy = true
    const batch = this.waiting
    this.waiting = []
    const { database, fates, process } = this
    const { kernel } = database
    const unavailable = () =>
      this.announce(
        batch,
        batch.map(() => refused("unavailable")),
        []
      )
    if (database.isAway(process)) return void kernel.after(process, fates.tail(1, patience_ms), unavailable)
    const fate = this.fate()
    const slow_ms = fates.chance(database.faults.slow) ? fates.tail(100, statementMax_ms) : 0
    const there_ms = database.latency() + slow_ms
    if (fate === "lost") return void kernel.after(process, there_ms + fates.tail(50, patience_ms), unavailable)
    kernel.after(database.server, there_ms, () => {
      const { outcomes, reached } = database.commit(
        batch.map(({ entry }) => entry),
        process
      )
      this.mishap()
      const placesHold = batch.some(({ entry: { holds = [] } }) => holds.some(({ status }) => status === "open"))
      if (placesHold && this.stalls.chance(database.faults.stalls)) process.freeze(this.stalls.between(20_000, 120_000))
      if (fate === "unknown") return void kernel.after(process, patience_ms, unavailable)
      if (fate === "found")
        return void kernel.after(process, fates.tail(50, patience_ms), () => this.announce(batch, outcomes, []))
      kernel.after(process, database.latency(), () => this.announce(batch, outcomes, reached))
    })
    this.mishap()
  }

  private announce(
    batch: ReadonlyArray<Waiting>,
    outcomes: ReadonlyArray<Committed>,
    reached: ReadonlyArray<SubscriptionId>
  ): void {
    const failed = new Set(batch.flatMap(({ entry }, index) => (outcomes[index]!.ok ? [] : [actorOf(entry)])))
    const fallen = this.waiting.filter(({ entry }) => failed.has(actorOf(entry)))
    this.waiting = this.waiting.filter(({ entry }) => !failed.has(actorOf(entry)))
    this.busy = false
    batch.forEach(({ done }, index) => done(outcomes[index]!))
    for (const { done } of fallen) done(refused("stale"))
    if (reached.length > 0) for (const listener of this.listeners) listener(reached)
    this.mishap()
    this.database.kernel.soon(this.process, () => this.start())
  }
}
