// The PBX of a test. It is a machine of its own: it goes on while the engine is dead, and tells it what happened.
import { type Context, Effect, type Fiber } from "effect"
import { PbxIngest } from "../actors/ingest/PbxIngest.ts"
import { acknowledge, connectGateway, refuse } from "../actors/pbx/GatewayLink.ts"
import type { ActorSystem } from "../actors/runtime/ActorSystem.ts"
import { Timers } from "../actors/runtime/Timers.ts"
import { toGatewayId } from "../domain/BrandedIds.ts"
import type { PbxEvent } from "../domain/pbx/PbxEvent.ts"
import { type DownCommand, isTenantCommand } from "../domain/pbx/TenantCommand.ts"
import type { Ids } from "../domain/ports/engine/Ids.ts"
import { EventOutbox } from "../layers/pbx/EventOutbox.ts"
import type { LeaveAudio } from "../layers/pbx/simulator/Recorders.ts"
import { Registry } from "../layers/pbx/simulator/Registry.ts"
import { SimulatedPbx } from "../layers/pbx/simulator/SimulatedPbx.ts"
import type { TestPhones } from "./TestPhones.ts"
import type { TestStreams } from "./TestStreams.ts"
import type { VirtualClock } from "../layers/clock/VirtualClock.ts"
import { type Span, spanMs } from "./Span.ts"

export type PbxNeeds = ActorSystem | Ids | PbxIngest

export interface PbxEngine {
  readonly context: Context.Context<PbxNeeds>
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
}

const gateway_id = toGatewayId("default")
/** Events that happen within this time are told in the wrong order. */
const disorder_ms = 1_500

export interface PbxParts {
  readonly phones: TestPhones
  readonly streams: TestStreams
  readonly run: PbxEngine["run"]
  readonly leave: LeaveAudio
}

export interface PbxFaults {
  /** The next call that is answered is lost by the PBX, which says nothing about it. */
  readonly losesNextCall: () => void
  /** From now on everything is reported twice. */
  readonly reportsTwice: () => void
  /** From now on events that come close together are reported in reverse order. */
  readonly reportsOutOfOrder: () => void
  /** From now on everything is reported this much later. */
  readonly reportsLate: (by: Span) => void
  /** The connection to the engine breaks. Calls go on. */
  readonly disconnects: () => void
  readonly connects: () => void
  /** From now on everything is reported once, in order and at once. The connection is made again. */
  readonly recovers: () => void
}

export class TestPbx {
  readonly switchboard: SimulatedPbx
  private readonly registry: Registry
  private readonly clock: VirtualClock
  private readonly outbox: EventOutbox
  private engine: PbxEngine | undefined
  private link: Fiber.Fiber<void> | undefined
  private isConnected = true
  private losesNext = false
  private twice = false
  private reverses = false
  private late_ms = 0
  private disordered: Array<PbxEvent> = []

  constructor(clock: VirtualClock, { leave, phones, run, streams }: PbxParts) {
    this.clock = clock
    const timers = new Timers(clock.service, run)
    const now = () => clock.now
    let ids = 0
    const uuid = () => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, "0")}`
    this.outbox = new EventOutbox({ timers, now, send: (events) => this.send(events) })
    this.switchboard = new SimulatedPbx({
      phones: (to) => phones.of(to),
      timers,
      now,
      leave,
      uuid,
      relay: streams.relay,
      report: (event) => this.report(event),
      owesEnd: (session_id) => this.outbox.owesEnd(session_id)
    })
    let tenantEvents = 0
    this.registry = new Registry({
      now,
      report: (tenant_pbx_id, type, data) => {
        const occurred_at = new Date(now()).toISOString()
        this.outbox.add({ event_id: uuid(), tenant_pbx_id, type, seq: ++tenantEvents, occurred_at, data })
      }
    })
  }

  readonly faults: PbxFaults = {
    losesNextCall: () => void (this.losesNext = true),
    reportsTwice: () => void (this.twice = true),
    reportsOutOfOrder: () => void (this.reverses = true),
    reportsLate: (by) => void (this.late_ms = spanMs(by)),
    disconnects: () => this.disconnect(),
    connects: () => this.reconnect(),
    recovers: () => {
      Object.assign(this, { losesNext: false, twice: false, reverses: false, late_ms: 0 })
      this.reconnect()
    }
  }

  /** An engine has started. */
  attach(engine: PbxEngine): void {
    this.engine = engine
    if (this.isConnected) this.open(engine)
  }

  /** The engine is gone. */
  detach(): void {
    this.engine = undefined
    this.link = undefined
    this.outbox.hold()
  }

  private disconnect(): void {
    this.isConnected = false
    this.outbox.hold()
    this.link?.interruptUnsafe()
    this.link = undefined
  }

  private reconnect(): void {
    if (this.isConnected) return
    this.isConnected = true
    if (this.engine !== undefined) this.open(this.engine)
  }

  private open({ context, run }: PbxEngine): void {
    const { live } = this.switchboard
    const connection = Effect.gen({ self: this }, function* () {
      const ingest = yield* PbxIngest
      yield* Effect.forkChild(ingest.reconcile(gateway_id, live))
      yield* connectGateway(gateway_id, (commands) => this.take(commands), ["stream.v1", "conference.v1", "chatapp.v1"])
    })
    this.link = run(Effect.provideContext(connection, context))
    this.outbox.release()
  }

  private take(commands: ReadonlyArray<DownCommand>) {
    return Effect.forEach(
      commands,
      (command) => {
        const reason = this.carryOut(command)
        return reason === undefined ? acknowledge(gateway_id, [command.id]) : refuse(gateway_id, command.id, reason)
      },
      { discard: true }
    )
  }

  /** Returns the reason if the command is refused. */
  private carryOut(command: DownCommand): string | undefined {
    if (isTenantCommand(command)) return this.registry.carryOut(command)
    this.switchboard.carryOut(command)
    return undefined
  }

  private report(event: PbxEvent): void {
    this.outbox.add(event)
    const { session_id, type } = event
    if (!this.losesNext || type !== "leg.answered" || session_id === undefined) return
    this.losesNext = false
    this.clock.after(1, () => void this.switchboard.lose(session_id))
  }

  private send(events: ReadonlyArray<PbxEvent>): void {
    if (this.reverses) {
      if (this.disordered.length === 0)
        this.clock.after(disorder_ms, () => this.post(this.disordered.splice(0).reverse()))
      this.disordered.push(...events)
      return
    }
    if (this.late_ms > 0) return void this.clock.after(this.late_ms, () => this.post(events))
    this.post(events)
  }

  private post(events: ReadonlyArray<PbxEvent>): void {
    const { engine } = this
    if (engine === undefined || !this.isConnected) return
    const told = Effect.flatMap(PbxIngest, ({ ingest }) => ingest(gateway_id, events))
    const settled = Effect.map(told, ({ refused, taken }) =>
      this.outbox.settle([...taken, ...refused.map(({ event_id }) => event_id)])
    )
    for (let times = this.twice ? 2 : 1; times > 0; times--) engine.run(Effect.provideContext(settled, engine.context))
  }
}
