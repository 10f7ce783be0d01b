// A whole cluster and all that surrounds it.
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { MemoryRecordings } from "../../src/layers/recordings/MemoryRecordings.ts"
import { Accidents } from "./Accidents.ts"
import { Clients } from "./Clients.ts"
import { directory } from "./Customer.ts"
import { Database } from "./Database.ts"
import { Engines, type MakeSystem } from "./Engines.ts"
import { Kernel } from "./Kernel.ts"
import { LeaseTable } from "./LeaseTable.ts"
import { Net } from "./Net.ts"
import { Pbx } from "./Pbx.ts"
import { Provider } from "./Provider.ts"
import { Receivers } from "./Receivers.ts"
import { Rng } from "./Rng.ts"
import { calm, type Scenario } from "./Scenario.ts"

export const minute_ms = 60_000
const startUp_ms = 10_000
const topUpsPerMinute = 0.5

export class World {
  readonly scenario: Scenario
  readonly kernel: Kernel
  readonly net: Net
  readonly database: Database
  readonly engines: Engines
  readonly pbx: Pbx
  readonly receivers: Receivers
  readonly provider: Provider
  readonly clients: Clients
  private readonly accidents: Accidents
  private readonly arrivals: Rng
  private readonly topUps: Rng

  constructor(scenario: Scenario, makeSystem?: MakeSystem) {
    const { faults, seed } = scenario
    this.scenario = scenario
    const kernel = new Kernel(scenario)
    this.kernel = kernel
    this.net = new Net(kernel, faults.net_ms, faults.net_broken)
    this.database = new Database(kernel, faults.database)
    this.receivers = new Receivers(kernel, faults)
    this.provider = new Provider(kernel, this.net, faults)
    const place = { database: this.database, leases: new LeaseTable(), net: this.net, nodes: new Map() }
    const outside = {
      database: this.database,
      memory: { tables: this.database.tables } as unknown as MemoryJournal,
      directory,
      recordings: new MemoryRecordings(),
      mobileMoney: this.provider.service,
      callback: this.receivers,
      webhooks: this.receivers
    }
    this.engines = new Engines(kernel, scenario, place, outside, makeSystem)
    this.provider.engines = this.engines
    this.pbx = new Pbx(kernel, this.net, this.engines, faults)
    this.clients = new Clients(kernel, this.net, this.engines, this.database, faults)
    this.accidents = new Accidents(this)
    this.arrivals = new Rng(seed, "arrivals")
    this.topUps = new Rng(seed, "topups")
    this.engines.onCrash = (process) => this.pbx.engineDied(process)
  }

  /** The minutes in which people call and things go wrong. */
  live(): void {
    const { clients, kernel, pbx, scenario } = this
    this.engines.start()
    kernel.after(pbx.process, 2_000, () => pbx.connect())
    this.pass(startUp_ms)
    clients.credit(scenario.funds_minor)
    clients.subscribe()
    this.pass(startUp_ms)
    for (let minute = 0; minute < scenario.minutes; minute++) {
      this.arrive()
      this.accidents.plan(scenario.faults, minute_ms)
      this.pass(minute_ms)
    }
  }

  /** From now on nothing goes wrong. What is broken is mended. */
  mend(): void {
    const faults = { ...calm, net_ms: this.scenario.faults.net_ms }
    Object.assign(this.pbx, { faults })
    Object.assign(this.receivers, { faults })
    Object.assign(this.provider, { faults })
    Object.assign(this.clients, { faults })
    this.database.faults = { ...calm.database, latency_ms: this.database.faults.latency_ms }
    this.database.down = false
    this.database.cut.clear()
    this.net.heal()
    this.net.broken = 0
    for (const { process } of this.engines.members) {
      process.skew_ms = 0
      process.thaw()
    }
  }

  pass(time_ms: number): void {
    this.kernel.runUntil(this.kernel.now + time_ms)
  }

  private arrive(): void {
    const { arrivals, clients, kernel, pbx, topUps } = this
    const { calls_per_minute, funds_minor } = this.scenario
    const calls = Math.floor(calls_per_minute) + (arrivals.chance(calls_per_minute % 1) ? 1 : 0)
    for (let call = 0; call < calls; call++) {
      const isInbound = arrivals.chance(0.25)
      kernel.after(clients.process, arrivals.below(minute_ms), () => (isInbound ? pbx.dialIn() : clients.originate()))
    }
    if (topUps.chance(topUpsPerMinute)) kernel.after(clients.process, topUps.below(minute_ms), () => clients.topUp())
    if (funds_minor < 10_000 && arrivals.chance(0.3))
      kernel.after(clients.process, arrivals.below(minute_ms), () => clients.credit(600))
  }
}
