// The connection of a process's journal writer to the simulated database. Statements are executed in the order in which
// they were sent. A connection breaks on the way there, or on the way back, and what was sent may still be executed.
import { Effect } from "effect"
import { type JournalSession, SessionFailure } from "../../src/layers/postgres/journal/JournalSession.ts"
import type { Database } from "./Database.ts"
import type { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"

/** PostgreSQL gives a longer statement up (`statement_timeout`). */
const statementMax_ms = 5_000
/** The longest time until a broken connection is noticed. */
const noticedWithin_ms = 8_000
const connectWithin_ms = 2_000
/** Longer than many calls last, and long enough to lose every actor. */
const frozen_ms = [5_000, 180_000] as const
/** How long the writer asks for the fate of a batch. */
const claimedFor_ms = 5_000

type Fate = "written" | "lost" | "unknown" | "found"

class Connection {
  isOpen = true
  /** Whether statements that were under way when it broke still arrive. */
  delivers = true
  sent_until = 0
  free_at = 0
  readonly breaking = new Set<() => void>()
}

interface Statement<A> {
  /** It is executed at one instant. */
  readonly execute: () => A | SessionFailure
  readonly fate?: Fate
  readonly slow_ms?: number
}

const failure = (kind: SessionFailure["kind"]) => new SessionFailure({ kind, cause: "simulated" })

export class SimulatedSession implements JournalSession {
  private readonly database: Database
  private readonly process: Process
  private readonly fates: Rng
  private readonly breaks: Rng
  private readonly deaths: Rng
  private readonly freezes: Rng
  private readonly stalls: Rng
  private connection: Connection | undefined

  constructor(database: Database, process: Process) {
    this.database = database
    this.process = process
    const stream = (name: string) => new Rng(database.kernel.seed, `${name}:${process.name}`)
    this.fates = stream("fates")
    this.breaks = stream("breaks")
    this.deaths = stream("deaths")
    this.freezes = stream("freezes")
    this.stalls = stream("stalls")
  }

  readonly write: JournalSession["write"] = (id, written_at, batch) =>
    Effect.suspend(() => {
      const { database, fates } = this
      const slow_ms = fates.chance(database.faults.slow) ? fates.tail(100, 2 * statementMax_ms) : 0
      const execute = () => {
        const written = database.write({ id, written_at, batch }, this.process)
        this.mishap()
        const holds = batch.holds.some(({ status }) => status === "open")
        if (holds && this.stalls.chance(database.faults.stalls)) database.onStall()
        return written
      }
      return this.query({ execute, fate: this.fate(), slow_ms })
    })

  readonly claim: JournalSession["claim"] = (id, at) => this.query({ execute: () => this.database.rows.claim(id, at) })

  readonly forget: JournalSession["forget"] = (before) =>
    this.query({ execute: () => this.database.rows.forget(before) })

  readonly replan: JournalSession["replan"] = this.query({ execute: () => {} })

  /** The process may die or stand still at each step of a commit. */
  private mishap(): void {
    const { database, process } = this
    if (this.deaths.chance(database.faults.dies)) database.onDeath(process)
    else if (this.freezes.chance(database.faults.freezes)) process.freeze(this.freezes.between(...frozen_ms))
  }

  private fate(): Fate {
    const { found, lost, unknown } = this.database.faults
    const drawn = this.fates.next()
    if (drawn < lost) return "lost"
    if (drawn < lost + unknown) return "unknown"
    return drawn < lost + unknown + found ? "found" : "written"
  }

  private query<A>(statement: Statement<A>): Effect.Effect<A, SessionFailure> {
    return Effect.callback<A, SessionFailure>((resume) => {
      const { database, process } = this
      if (!process.alive) return
      if (this.connection === undefined && database.isAway(process)) {
        const refused = () => resume(Effect.fail(failure("away")))
        return void database.kernel.after(process, this.breaks.tail(1, connectWithin_ms), refused)
      }
      this.connection ??= new Connection()
      this.send(this.connection, statement, (answer) => {
        resume(answer instanceof SessionFailure ? Effect.fail(answer) : Effect.succeed(answer))
        if (statement.fate !== undefined) this.mishap()
      })
      if (statement.fate !== undefined) this.mishap()
    })
  }

  private send<A>(
    connection: Connection,
    { execute, fate = "written", slow_ms = 0 }: Statement<A>,
    done: (answer: A | SessionFailure) => void
  ): void {
    const { breaks, database, process } = this
    const { kernel, server } = database
    const broken = () => done(failure("lost"))
    connection.breaking.add(broken)
    const breakLater = () => void kernel.after(process, breaks.tail(50, noticedWithin_ms), () => this.break(connection))
    const answer = (value: A | SessionFailure) =>
      void kernel.after(process, database.latency(), () => {
        if (!connection.breaking.delete(broken)) return
        done(value)
      })
    const executed = (isInTime: boolean) => {
      const value = isInTime ? execute() : failure("busy")
      if (fate === "unknown") database.cutOff(process, noticedWithin_ms + claimedFor_ms)
      if (fate === "written" && !database.isAway(process)) answer(value)
      else breakLater()
    }
    const arrived = () => {
      if (!connection.isOpen && !connection.delivers) return
      if (fate === "lost" || database.isAway(process)) {
        connection.delivers = false
        return breakLater()
      }
      const isInTime = slow_ms <= statementMax_ms
      const ends_at = Math.max(kernel.now, connection.free_at) + Math.min(slow_ms, statementMax_ms)
      connection.free_at = ends_at
      kernel.after(server, ends_at - kernel.now, () => executed(isInTime))
    }
    const arrives_at = Math.max(connection.sent_until, kernel.now + database.latency())
    connection.sent_until = arrives_at
    kernel.after(server, arrives_at - kernel.now, arrived)
  }

  /** The process notices that its connection is broken. What the server has not received yet may be lost. */
  private break(connection: Connection): void {
    if (!connection.isOpen) return
    connection.isOpen = false
    connection.delivers &&= this.breaks.chance(0.5)
    if (this.connection === connection) this.connection = undefined
    const { breaking } = connection
    const told = [...breaking]
    breaking.clear()
    for (const tell of told) tell()
  }
}
