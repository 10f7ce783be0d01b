// A whole cluster and all that surrounds it.
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { MemoryRecordings } from "../../src/layers/recordings/MemoryRecordings.ts"
import { Accidents } from "./Accidents.ts"
import { Clients } from "./Clients.ts"
import { directory, rival_id, workspace_id } from "./Customer.ts"
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
import { type Due, freeNumbers, stock } from "./Inventory.ts"

export const minute_ms = 60_000
const startUp_ms = 10_000
const topUpsPerMinute = 0.5
const claimsPerMinute = 4
const rivalFunds_minor = 100_000
const tierChangesPerMinute = 0.2
/** With less money the renewal of the storage would overdraw the wallet. */
const storage_minor = 10_000

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
  private readonly rents: Rng
  readonly due: Due

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
      rents: scenario.rents,
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
    this.rents = new Rng(seed, "rents")
    const { began_at } = kernel
    const withinRun = (): number => began_at + minute_ms + this.rents.below(scenario.minutes * minute_ms)
    const storage_at = scenario.funds_minor >= storage_minor ? withinRun() : undefined
    this.due = { began_at, number_at: withinRun(), storage_at }
    if (scenario.rents) stock(this.database.tables, this.due)
    this.engines.onCrash = (process) => this.pbx.engineDied(process)
  }

  /** The minutes in which people call and things go wrong. */
  live(): void {
    const { clients, kernel, pbx, scenario } = this
    this.engines.start()
    kernel.after(pbx.process, 2_000, () => pbx.connect())
    this.pass(startUp_ms)
    clients.credit(scenario.funds_minor)
    if (scenario.rents) {
      for (const owner of [workspace_id, rival_id]) clients.onboard(owner)
      clients.credit(rivalFunds_minor, rival_id)
    }
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
    this.kernel.set_ms = 0
    for (const { process } of this.engines.members) {
      process.drift(0)
      process.thaw()
    }
  }

  pass(time_ms: number): void {
    this.kernel.runUntil(this.kernel.now + time_ms)
  }

  /** Two workspaces want the same numbers at about the same time, and one of them larger storage. */
  private rent(): void {
    const { clients, kernel, rents } = this
    const later = (run: () => void) => void kernel.after(clients.process, rents.below(minute_ms), run)
    for (let claim = 0; claim < claimsPerMinute; claim++) {
      const id = rents.of(freeNumbers)
      const at_ms = rents.below(minute_ms)
      for (const owner of [workspace_id, rival_id])
        kernel.after(clients.process, at_ms + rents.tail(0, 5_000), () => clients.claim(owner, id))
    }
    if (this.due.storage_at !== undefined && rents.chance(tierChangesPerMinute)) later(() => clients.changeStorage())
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
    if (this.scenario.rents) this.rent()
    if (funds_minor < 10_000 && arrivals.chance(0.3))
      kernel.after(clients.process, arrivals.below(minute_ms), () => clients.credit(600))
  }
}
