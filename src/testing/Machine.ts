// The engine under test with its PBX, its database and the application, on one clock.
import { Effect } from "effect"
import { ActorSystem } from "../actors/runtime/ActorSystem.ts"
import { RecordingSpool } from "../domain/ports/calls/RecordingSpool.ts"
import type { MemoryJournal } from "../layers/journal/MemoryJournal.ts"
import { makeVault } from "../layers/keyring/AesVault.ts"
import { makeLeaveTone } from "../layers/pbx/simulator/Tones.ts"
import { isHeld, storedNumbers } from "../layers/memory/MemoryNumberReads.ts"
import { MemoryRecordings } from "../layers/recordings/MemoryRecordings.ts"
import { Application } from "./Application.ts"
import { type EngineServices, newSigningKey, type Surroundings } from "./EngineLayers.ts"
import { contextOn, EngineProcess } from "./EngineProcess.ts"
import type { TestEngineOptions, TestMail } from "./EngineUnderTest.ts"
import { TestPbx } from "./TestPbx.ts"
import { TestPhones } from "./TestPhones.ts"
import { TestStreams } from "./TestStreams.ts"
import { ratesOf, stock, type Tenant, tenantOf } from "./TestWorkspaces.ts"
import type { VirtualClock } from "../layers/clock/VirtualClock.ts"

const origin = "http://engine.test"
/** Turns of the event loop without any work, after which nothing more happens by itself. */
const quietTurns = 6
/** Real time that an application may take to answer. */
const answerWithin_ms = 10_000

/** Numbers that can be claimed. */
const defaultInventory = ["+254709000001", "+254709000002", "+254709000003", "+254709000004", "+254709000005"]

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export class Machine {
  readonly clock: VirtualClock
  readonly phones = new TestPhones()
  readonly streams = new TestStreams()
  readonly pbx: TestPbx
  readonly application: Application
  readonly journal: MemoryJournal
  readonly tenants: ReadonlyArray<Tenant>
  readonly mails: Array<TestMail> = []
  readonly signing = { count: 0 }
  isDatabaseUp = true
  process: EngineProcess | undefined
  private births = 0
  private requests = 0
  private readonly seed: number
  private readonly surroundings: Surroundings

  constructor(options: TestEngineOptions, clock: VirtualClock, journal: MemoryJournal) {
    const { app, code_calls_from, inventory = defaultInventory, rates = [], seed = 1, workspaces = [{}] } = options
    this.clock = clock
    this.journal = journal
    this.seed = seed
    this.application = new Application(app, () => clock.now)
    this.tenants = workspaces.map(tenantOf)
    const recordings = new MemoryRecordings()
    const master_key = new Uint8Array(32).fill(9)
    stock({ journal, vault: makeVault([master_key]), at: clock.now }, this.tenants, inventory)
    this.surroundings = {
      journal,
      recordings,
      application: this.application,
      mails: this.mails,
      rates: ratesOf(this.tenants, rates),
      signing: this.signing,
      signing_key: newSigningKey(),
      master_key,
      code_calls_from,
      isDatabaseUp: () => this.isDatabaseUp
    }
    const base = contextOn(clock)
    const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runForkWith(base)(effect)
    const leave = Effect.runSync(
      Effect.provide(
        Effect.flatMap(RecordingSpool, () => makeLeaveTone(run)),
        recordings.layer
      )
    )
    this.pbx = new TestPbx(clock, { phones: this.phones, streams: this.streams, run, leave })
  }

  async start(): Promise<void> {
    const process = await EngineProcess.start(this.surroundings, this.clock, this.seed * 1_009 + ++this.births)
    this.process = process
    this.pbx.attach(process)
    await this.settle()
  }

  async kill(): Promise<void> {
    const { process } = this
    this.process = undefined
    this.pbx.detach()
    this.journal.crash()
    await process?.end()
  }

  get alive(): EngineProcess {
    if (this.process === undefined) throw new Error("The engine is not running. Call engine.faults.process.restart().")
    return this.process
  }

  /** The tenant of the PBX that has the number now. */
  tenantOf(number: string): string | undefined {
    const held = storedNumbers(this.journal).find((stored) => stored.data.number === number && isHeld(stored))
    const owner = held?.data.workspace_id ?? undefined
    const column = owner && this.journal.tables.snapshot("Workspace", owner)?.columns["tenant_pbx_id"]
    return typeof column === "string" ? column : undefined
  }

  run<A, E>(effect: Effect.Effect<A, E, EngineServices>): Promise<A> {
    return this.alive.runPromise(effect)
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(new URL(input, origin), { ...init })
    this.requests++
    return this.process === undefined ? EngineProcess.refuse() : this.process.serve(request)
  }

  /** Waits until nothing more happens without time passing. Throws what the application threw meanwhile. */
  async settle(): Promise<void> {
    await this.untilQuiet()
    const { failure } = this.application
    if (failure === undefined) return
    this.application.failure = undefined
    throw new Error(`Your application threw an error when the engine asked ${failure.url}: ${String(failure.error)}`, {
      cause: failure.error
    })
  }

  private async untilQuiet(): Promise<void> {
    const until = performance.now() + answerWithin_ms
    for (let quiet = 0; quiet < quietTurns;) {
      const before = this.work
      if (this.process !== undefined) await this.drain(this.process)
      await turn()
      const isQuiet = this.work === before && this.application.working === 0 && this.signing.count === 0
      quiet = isQuiet ? quiet + 1 : 0
      if (performance.now() > until)
        throw new Error(
          `Your application has not answered for ${answerWithin_ms / 1_000} s, while the engine's time stands still. If it is to hang, call engine.faults.app.hangs().`
        )
    }
  }

  /** A killed process drains never. */
  private drain(process: EngineProcess): Promise<unknown> {
    return Promise.race([process.runPromise(Effect.flatMap(ActorSystem, ({ drain }) => drain)), turn().then(turn)])
  }

  private get work(): number {
    return this.clock.timersSet + this.journal.commits + this.application.attempts.length + this.requests
  }

  async advanceTo(at: number): Promise<void> {
    await this.settle()
    while (true) {
      const next = this.clock.nextAt
      if (next === undefined || next > at) break
      this.clock.moveToNext()
      await this.settle()
    }
    this.clock.now = Math.max(this.clock.now, at)
  }
}
