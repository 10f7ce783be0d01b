// The PBX with its phones, and its connection to the cluster, which loses, doubles and delays what it carries.
import { Clock, Context, Effect, type Fiber } from "effect"
import { PbxIngest, type Ingested } from "../../src/actors/ingest/PbxIngest.ts"
import { acknowledge, connectGateway } from "../../src/actors/pbx/GatewayLink.ts"
import { Timers } from "../../src/actors/runtime/Timers.ts"
import type { SessionId } from "../../src/domain/BrandedIds.ts"
import { isoInstant } from "../../src/domain/kit/Instants.ts"
import type { PbxCommand } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { type DownCommand, isTenantCommand } from "../../src/domain/pbx/TenantCommand.ts"
import { EventOutbox } from "../../src/layers/pbx/EventOutbox.ts"
import type { Phone, Step } from "../../src/layers/pbx/simulator/Phones.ts"
import { SimulatedPbx } from "../../src/layers/pbx/simulator/SimulatedPbx.ts"
import { gateway_id, own_number, tenant_pbx_id } from "./Customer.ts"
import type { Engines, LiveMember } from "./Engines.ts"
import type { Kernel } from "./Kernel.ts"
import type { Net } from "./Net.ts"
import { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"
import type { Faults } from "./Scenario.ts"

interface Line {
  readonly process: Process
  fiber: Fiber.Fiber<void> | undefined
  isOpen: boolean
}

const phoneBy = (rng: Rng): Phone => {
  const rings: Step = { kind: "rings", after_ms: 100 }
  const answers: Step = { kind: "answers", after_ms: rng.tail(500, 25_000) }
  const vanishes: Step = { kind: "vanishes", after_ms: rng.below(90_000) }
  const hangsUp: Step = { kind: "hangs_up", after_ms: rng.tail(100, 200_000) }
  switch (rng.below(12)) {
    case 0:
      return { steps: [{ kind: "refuses", after_ms: 500, sip_code: 486, q850: 17, source: "callee" }] }
    case 1:
      return { steps: [rings] }
    case 2:
      return { steps: [rings], answers_cancel: true }
    case 3:
      return { steps: [rings, answers, vanishes] }
    case 4:
      return { steps: [{ kind: "refuses", after_ms: 200, sip_code: 503, q850: 38, source: "carrier" }] }
    case 5:
      return { steps: [rings, answers, hangsUp], presses: "1234", erratic: true }
    default:
      return { steps: [rings, answers, hangsUp], presses: "1234" }
  }
}

export class Pbx {
  readonly process: Process
  readonly switchboard: SimulatedPbx
  readonly outbox: EventOutbox
  /** How long ended and lost sessions talked, from the answer to the end. */
  readonly talks_ms = new Map<string, number>()
  private readonly answered_at = new Map<string, number>()
  faults: Faults
  /** When the PBX begins a lost session again, it knows only the talk time of the second one. */
  private readonly created = new Set<string>()
  private readonly createdAgain = new Set<string>()
  private readonly kernel: Kernel
  private readonly net: Net
  private readonly engines: Engines
  private readonly callers: Rng
  private readonly lines: Rng
  private readonly lost: Rng
  private readonly late: Rng
  private readonly twice: Rng
  private readonly acks: Rng
  private line: Line | undefined

  constructor(kernel: Kernel, net: Net, engines: Engines, faults: Faults) {
    this.kernel = kernel
    this.net = net
    this.engines = engines
    this.faults = faults
    this.process = new Process(kernel, "pbx", 2048)
    const stream = (name: string) => new Rng(kernel.seed, name)
    this.callers = stream("callers")
    this.lines = stream("lines")
    this.lost = stream("event_lost")
    this.late = stream("event_late")
    this.twice = stream("event_twice")
    this.acks = stream("ack_lost")
    const clock = Context.get(this.process.context as Context.Context<Clock.Clock>, Clock.Clock)
    const timers = new Timers(clock, (effect) => this.process.fork(effect))
    const now = () => kernel.now
    const phones = stream("phones")
    let ids = 0
    this.outbox = new EventOutbox({ timers, now, send: (events) => this.send(events) })
    this.switchboard = new SimulatedPbx({
      phones: () => phoneBy(phones),
      timers,
      now,
      uuid: () => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, "0")}`,
      report: (event) => this.report(event),
      owesEnd: (session_id) => this.outbox.owesEnd(session_id)
    })
    const lose = this.switchboard.lose.bind(this.switchboard)
    this.switchboard.lose = (session_id) => {
      const isLost = lose(session_id)
      if (isLost) this.ended(session_id, kernel.now - (this.answered_at.get(session_id) ?? kernel.now))
      return isLost
    }
  }

  /** Somebody calls the customer's number. */
  dialIn(): void {
    const { callers } = this
    const talks_ms = callers.chance(0.5) ? callers.tail(500, 200_000) : undefined
    const caller = {
      tenant_pbx_id,
      from: "+254722000001",
      to: own_number,
      gives_up_after_ms: callers.tail(1_000, 60_000),
      ...(talks_ms !== undefined && { talks_ms })
    }
    this.kernel.after(this.process, 0, () => void this.switchboard.dialIn(caller))
  }

  connect(): void {
    const member = this.engines.live
    if (member === undefined) return void this.kernel.after(this.process, 1_000, () => this.connect())
    const { process } = member
    const line: Line = { process, fiber: undefined, isOpen: true }
    this.line = line
    const { live } = this.switchboard
    const connection = Effect.gen({ self: this }, function* () {
      const ingest = yield* PbxIngest
      yield* Effect.forkChild(ingest.reconcile(gateway_id, live))
      yield* connectGateway(gateway_id, (commands) =>
        Effect.sync(() => this.net.send(process, this.process, () => this.take(commands, line, member)))
      )
    })
    this.net.send(this.process, process, () => {
      line.fiber = process.fork(Effect.provideContext(connection, member.context))
      if (!line.isOpen) line.fiber.interruptUnsafe()
    })
    this.outbox.release()
  }

  /** The connection breaks. The engine notices it sooner or later, and the PBX connects again. */
  cutLine(): void {
    const { line, lines } = this
    if (line === undefined || !line.isOpen) return
    this.kernel.note("the line of the PBX breaks")
    line.isOpen = false
    this.outbox.hold()
    this.kernel.after(line.process, lines.tail(1, 30_000), () => line.fiber?.interruptUnsafe())
    const away_ms = lines.chance(0.5) ? lines.tail(50, 60_000) : lines.between(5_000, 60_000)
    this.kernel.after(this.process, away_ms, () => this.connect())
  }

  engineDied(process: Process): void {
    if (this.line?.process === process)
      this.kernel.after(this.process, this.lines.tail(50, 20_000), () => this.connect())
  }

  /** The PBX loses a session without a word. */
  loseSession(): void {
    const { live } = this.switchboard
    if (live.length > 0) this.switchboard.lose(this.lines.of(live))
  }

  private take(commands: ReadonlyArray<DownCommand>, line: Line, { context, process }: LiveMember): void {
    if (!line.isOpen) return
    for (const command of commands) {
      if (isTenantCommand(command)) continue
      this.kernel.note(`pbx ${command.session_id} ${command.action.kind}`)
      this.switchboard.carryOut(this.received(command))
    }
    if (this.acks.chance(this.faults.ack_lost)) return
    const acknowledged = acknowledge(
      gateway_id,
      commands.map(({ id }) => id)
    )
    this.net.send(this.process, process, () => void process.fork(Effect.provideContext(acknowledged, context)))
  }

  /** The switchboard's own time is never set: instants are converted from the wall clock, and to it. */
  private received(command: PbxCommand): PbxCommand {
    const { action } = command
    if (!("not_after" in action) || action.not_after === undefined) return command
    return {
      ...command,
      action: { ...action, not_after: isoInstant(Date.parse(action.not_after) - this.kernel.set_ms) }
    }
  }

  private report(told: PbxEvent): void {
    const event = { ...told, occurred_at: isoInstant(Date.parse(told.occurred_at) + this.kernel.set_ms) }
    this.kernel.note(`pbx reports ${event.type} ${event.seq} of ${event.session_id ?? event.tenant_pbx_id}`)
    if (event.session_id !== undefined) this.follow(event.session_id, event)
    this.outbox.add(event)
  }

  private follow(session_id: SessionId, { data, type }: PbxEvent): void {
    if (type === "session.created" && this.created.has(session_id)) {
      this.createdAgain.add(session_id)
      this.talks_ms.delete(session_id)
    }
    if (type === "session.created") this.created.add(session_id)
    if (type === "leg.answered") this.answered_at.set(session_id, this.kernel.now)
    if (type === "leg.hangup") this.ended(session_id, data.duration_ms ?? 0)
  }

  private ended(session_id: SessionId, talk_ms: number): void {
    if (!this.createdAgain.has(session_id)) this.talks_ms.set(session_id, talk_ms)
  }

  private send(events: ReadonlyArray<PbxEvent>): void {
    const { faults } = this
    const sent = events.filter(() => !this.lost.chance(faults.event_lost))
    const late = sent.filter(() => this.late.chance(faults.event_late))
    this.post(sent.filter((event) => !late.includes(event)))
    for (const event of late) this.kernel.after(this.process, this.late.tail(10, 10_000), () => this.post([event]))
    if (this.twice.chance(faults.event_twice)) this.post(sent)
  }

  private post(events: ReadonlyArray<PbxEvent>): void {
    const member = this.engines.live
    if (member === undefined || events.length === 0) return
    const { context, process } = member
    const ask = (reply: (ingested: Ingested) => void) => {
      const told = Effect.map(
        Effect.flatMap(PbxIngest, ({ ingest }) => ingest(gateway_id, events)),
        reply
      )
      process.fork(Effect.provideContext(told, context))
    }
    this.net.call<Ingested>(this.process, process, ask, (ingested) => {
      if (ingested === undefined || this.acks.chance(this.faults.ack_lost)) return
      this.outbox.settle([...ingested.taken, ...ingested.refused.map(({ event_id }) => event_id)])
    })
  }
}
