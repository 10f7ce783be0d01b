// The three processes of the cluster. One that dies is replaced after a while.
import type { Context } from "effect"
import { boot, type EngineServices, type Outside, type System } from "./Engine.ts"
import type { Kernel } from "./Kernel.ts"
import { layer as leaseSystem, type Node, type Place } from "./LeaseSystem.ts"
import { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"
import type { Scenario } from "./Scenario.ts"

export interface Member extends Node {
  /** Undefined until it has started. */
  context: Context.Context<EngineServices> | undefined
}

export interface LiveMember extends Member {
  context: Context.Context<EngineServices>
}

/** Makes the actor system of a process. */
export type MakeSystem = (place: Place, node: Node) => System

const size = 3

/** Longer than the wallet's audit waits for the call of a hold. */
const stall_ms = [50_000, 120_000] as const

export class Engines {
  readonly members: Array<Member> = []
  crashes = 0
  onCrash: (process: Process) => void = () => {}
  /** Who was asked for a call last. It has the money held, often by another process, and then places the call. */
  placing: Process | undefined
  private readonly kernel: Kernel
  private readonly scenario: Scenario
  private readonly place: Place
  private readonly outside: Outside
  private readonly makeSystem: MakeSystem
  private readonly restarts: Rng
  private readonly choices: Rng
  private readonly stalled: Rng
  private births = 0

  constructor(
    kernel: Kernel,
    scenario: Scenario,
    place: Place,
    outside: Outside,
    makeSystem: MakeSystem = leaseSystem
  ) {
    this.kernel = kernel
    this.scenario = scenario
    this.place = place
    this.outside = outside
    this.makeSystem = makeSystem
    this.restarts = new Rng(kernel.seed, "restarts")
    this.choices = new Rng(kernel.seed, "engines")
    this.stalled = new Rng(kernel.seed, "stalled")
    place.database.onDeath = (process) => {
      const member = this.members.find((each) => each.process === process)
      if (member !== undefined) this.crash(member)
    }
    place.database.onStall = () => {
      const { process } = this.stalled.of(this.members)
      const stalled = this.placing?.alive && this.stalled.chance(0.8) ? this.placing : process
      stalled.freeze(this.stalled.between(...stall_ms))
    }
  }

  start(): void {
    for (let place = 0; place < size; place++) this.replace(place)
  }

  /** A process that takes requests, at random. */
  get live(): LiveMember | undefined {
    const live = this.members.filter(
      (member): member is LiveMember => member.process.alive && member.context !== undefined
    )
    return live.length === 0 ? undefined : this.choices.of(live)
  }

  crash(member: Member): void {
    const { process } = member
    if (!process.alive) return
    this.crashes++
    this.kernel.note(`${process.name} dies`)
    process.kill()
    this.place.net.died(process)
    const place = this.members.indexOf(member)
    this.kernel.after(this.kernel.outside, this.restarts.tail(500, 60_000), () => this.replace(place))
    this.onCrash(process)
  }

  private replace(place: number): void {
    const name = `engine${place}.${++this.births}`
    const process = new Process(this.kernel, name, this.scenario.preempt)
    const member: Member = { process, context: undefined }
    this.members[place] = member
    this.place.nodes.set(name, member)
    const seed = this.scenario.seed * 1009 + this.births
    const system = this.makeSystem(this.place, member)
    boot({ process, seed, system, outside: this.outside }, (context) => {
      member.context = context
      this.kernel.note(`${name} is up`)
    })
  }
}
