// The simulated PBX as a gateway in process: the embedded default, and what tests call on.
import { Clock, Context, Effect, Fiber, FiberSet, Layer } from "effect"
import { acknowledge, connectGateway, refuse } from "../../../actors/pbx/GatewayLink.ts"
import { PbxIngest } from "../../../actors/ingest/PbxIngest.ts"
import type { ActorSystem } from "../../../actors/runtime/ActorSystem.ts"
import { Timers } from "../../../actors/runtime/Timers.ts"
import type { PbxEvent } from "../../../domain/pbx/PbxEvent.ts"
import { type DownCommand, isTenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import { Ids } from "../../../domain/ports/Ids.ts"
import { EventOutbox } from "../EventOutbox.ts"
import { type Caller, type Phone, phoneOf } from "./Phones.ts"
import { Registry } from "./Registry.ts"
import { SimulatedPbx } from "./SimulatedPbx.ts"
import { tonesIn } from "./Tones.ts"

export interface SimulatorOptions {
  readonly gateway_id: string
  /** Which phone answers to a number; the scripted test phones when absent. */
  readonly phones?: (to: string) => Phone
  /** Whether a talk without a sound from the phone is ended. Default: no. */
  readonly media_timeout?: boolean
}

export class PbxSimulator extends Context.Service<
  PbxSimulator,
  {
    /** Sessions that the PBX has now. */
    readonly live_sessions: Effect.Effect<ReadonlyArray<string>>
    /** Events that the engine has not acknowledged. */
    readonly unacknowledged: Effect.Effect<number>
    /** Cuts the line to the engine. Calls go on; what they report is told after `connect`. */
    readonly disconnect: Effect.Effect<void>
    readonly connect: Effect.Effect<void>
    /** Keeps events back while commands still come, until `release`. */
    readonly hold: Effect.Effect<void>
    readonly release: Effect.Effect<void>
    /** Tells events as they are: twice, out of order, of sessions that do not exist. */
    readonly report: (events: ReadonlyArray<PbxEvent>) => Effect.Effect<void>
    /** Whom a session is connected with, whether it is muted or on hold, and how long it may talk. Undefined where there is no such session. */
    readonly look: (session_id: string) => Effect.Effect<ReturnType<SimulatedPbx["look"]>>
    /** Somebody calls a number from outside. Returns the session, which the engine has not named. */
    readonly dialIn: (caller: Caller) => Effect.Effect<string>
    /** The remote party hangs up. False where there is no such session. */
    readonly remoteHangup: (session_id: string) => Effect.Effect<boolean>
    /** Who may register and which trunks there are, as the engine has told it. */
    readonly registry: Registry
    /** The PBX loses the session without a word. */
    readonly lose: (session_id: string) => Effect.Effect<boolean>
  }
>()("trunkline/layers/pbx/PbxSimulator") {
  static readonly layer = (
    options: SimulatorOptions
  ): Layer.Layer<PbxSimulator, never, ActorSystem | Ids | PbxIngest> => Layer.effect(PbxSimulator, make(options))
}

/** The line to the engine, which can be cut. */
const makeLine = (outbox: EventOutbox, open: () => Fiber.Fiber<void>) => {
  let line: Fiber.Fiber<void> | undefined
  const connect = Effect.sync(() => {
    line ??= open()
    outbox.release()
  })
  const disconnect = Effect.suspend(() => {
    const cut = line
    line = undefined
    outbox.hold()
    return cut === undefined ? Effect.void : Fiber.interrupt(cut)
  })
  return { connect, disconnect }
}

const make = Effect.fnUntraced(function* ({ gateway_id, media_timeout = false, phones = phoneOf }: SimulatorOptions) {
  const clock = yield* Clock.Clock
  const ingest = yield* PbxIngest
  const { uuid } = yield* Ids
  const run = yield* FiberSet.makeRuntime<ActorSystem | Ids>()
  const timers = new Timers(clock, run)
  const now = () => clock.currentTimeMillisUnsafe()

  const tell = (events: ReadonlyArray<PbxEvent>) =>
    Effect.map(ingest.ingest(gateway_id, events), ({ refused, taken }) =>
      outbox.settle([...taken, ...refused.map(({ event_id }) => event_id)])
    )
  const outbox: EventOutbox = new EventOutbox({ timers, now, send: (events) => run(tell(events)) })
  const pbx = new SimulatedPbx({
    phones,
    media_timeout,
    timers,
    now,
    uuid,
    report: (event) => outbox.add(event),
    ...(yield* tonesIn(run)),
    owesEnd: (session_id) => outbox.owesEnd(session_id)
  })

  let told = 0
  const registry = new Registry({
    report: (tenant_pbx_id, type, data) =>
      outbox.add({
        event_id: uuid(),
        tenant_pbx_id,
        type,
        seq: ++told,
        occurred_at: new Date(now()).toISOString(),
        data
      })
  })

  /** What was refused, and why. */
  const carryOut = (command: DownCommand): string | undefined => {
    if (isTenantCommand(command)) return registry.carryOut(command)
    pbx.carryOut(command)
    return undefined
  }
  const takeOn = (commands: ReadonlyArray<DownCommand>) =>
    Effect.gen(function* () {
      const taken: Array<string> = []
      for (const command of commands) {
        const reason = carryOut(command)
        if (reason === undefined) taken.push(command.id)
        else yield* refuse(gateway_id, command.id, reason)
      }
      yield* acknowledge(gateway_id, taken)
    })
  const { connect, disconnect } = makeLine(outbox, () => {
    run(ingest.reconcile(gateway_id, pbx.live))
    return run(connectGateway(gateway_id, takeOn))
  })
  yield* connect

  return PbxSimulator.of({
    live_sessions: Effect.sync(() => pbx.live),
    unacknowledged: Effect.sync(() => outbox.size),
    disconnect,
    connect,
    hold: Effect.sync(() => outbox.hold()),
    release: Effect.sync(() => outbox.release()),
    report: (events) => Effect.sync(() => events.forEach((event) => outbox.add(event))),
    look: (session_id) => Effect.sync(() => pbx.look(session_id)),
    dialIn: (caller) => Effect.sync(() => pbx.dialIn(caller)),
    remoteHangup: (session_id) => Effect.sync(() => pbx.remoteHangup(session_id)),
    registry,
    lose: (session_id) => Effect.sync(() => pbx.lose(session_id))
  })
})
