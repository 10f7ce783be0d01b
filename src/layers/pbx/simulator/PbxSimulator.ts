// The simulated PBX as a gateway in the engine's process: the default in development, and the PBX of tests.
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import type { PbxIngest } from "../../../actors/ingest/PbxIngest.ts"
import { ActorSystem } from "../../../actors/runtime/ActorSystem.ts"
import { GatewayCommands } from "../../../domain/pbx/GatewayCommand.ts"
import type { PbxEvent, PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import { type DownCommand, isTenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import type { Ids } from "../../../domain/ports/engine/Ids.ts"
import type { RecordingSpool } from "../../../domain/ports/calls/RecordingSpool.ts"
import type { EventOutbox } from "../EventOutbox.ts"
import type { MediaRelay } from "../MediaRelay.ts"
import { makePbxSession } from "../PbxSession.ts"
import type { SessionView } from "./Sessions.ts"
import { type Caller, type Phone, phoneOf } from "./Phones.ts"
import type { LeaveAudio } from "./Recorders.ts"
import { Registry } from "./Registry.ts"
import { SimulatedPbx } from "./SimulatedPbx.ts"
import { makeLeaveTone } from "./Tones.ts"
import type { BrowserLines } from "./browsers/BrowserLines.ts"
import { makeBrowserLegs } from "./browsers/MakeBrowserLegs.ts"
import type { GatewayId, SessionId } from "../../../domain/BrandedIds.ts"
import { sandboxGatewayId } from "../../../domain/kit/Sandbox.ts"

export interface SimulatorOptions {
  readonly gateway_id: GatewayId
  /** The phone behind a number. `dialled`: a call in progress dials it. Default: the scripted test phones. */
  readonly phones?: (to: string, dialled: boolean) => Phone
  /** Hang up when no audio comes from the phone. Default: no. */
  readonly media_timeout?: boolean
  /** Relays the audio of media streams. Default: the gateway has none. */
  readonly relay?: MediaRelay
  /** By which browsers reach it. Default: it takes none. */
  readonly browsers?: BrowserLines["Service"]
  /** Takes the recordings. Default: they are tones, and go into the engine's spool. */
  readonly leave?: LeaveAudio
}

export class PbxSimulator extends Context.Service<
  PbxSimulator,
  {
    /** The live sessions on the PBX. */
    readonly live_sessions: Effect.Effect<ReadonlyArray<SessionId>>
    /** Events that the engine has not acknowledged. */
    readonly unacknowledged: Effect.Effect<number>
    /** Disconnects from the engine. Calls continue; their events are sent after `connect`. */
    readonly disconnect: Effect.Effect<void>
    readonly connect: Effect.Effect<void>
    /** Withholds events until `release`. Commands still arrive. */
    readonly hold: Effect.Effect<void>
    readonly release: Effect.Effect<void>
    /** Sends events as given: duplicates, out of order, of unknown sessions. */
    readonly report: (events: ReadonlyArray<PbxEvent>) => Effect.Effect<void>
    /**
     * The peers of a session, whether it is muted or on hold, its talk limit, and what was said to it last. Undefined
     * if there is no such session.
     */
    readonly look: (session_id: SessionId) => Effect.Effect<SessionView | undefined>
    /** A caller from outside dials a number. Returns the session id, which the PBX chooses. */
    readonly dialIn: (caller: Caller) => Effect.Effect<string>
    /** The remote party hangs up. False if there is no such session. */
    readonly remoteHangup: (session_id: SessionId) => Effect.Effect<boolean>
    /** The users and trunks that the engine has provisioned. */
    readonly registry: Registry
    /** The PBX loses the session without reporting it. False if there is no such session. */
    readonly lose: (session_id: SessionId) => Effect.Effect<boolean>
  }
>()("trunkline/layers/pbx/PbxSimulator") {
  static readonly layer = (
    options: SimulatorOptions
  ): Layer.Layer<PbxSimulator, never, ActorSystem | Ids | PbxIngest | RecordingSpool> =>
    Layer.effect(
      PbxSimulator,
      Effect.tap(make(options), ({ connect }) => connect)
    )

  /**
   * The network of all sandboxes, next to the gateway of the live workspaces. In a cluster one process has
   * it, and another takes it over when that one is gone.
   */
  static readonly sandbox = <R>(makeRelay: Effect.Effect<MediaRelay, never, Scope.Scope | R>) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const system = yield* ActorSystem
        const pbx = yield* make({ gateway_id: sandboxGatewayId, media_timeout: true, relay: yield* makeRelay })
        const isFree = Effect.map(
          system.ask(GatewayCommands.GetPresence, sandboxGatewayId, {}),
          ({ connected }) => !connected
        )
        const takeOver = Effect.andThen(pbx.connect, pbx.untilReplaced)
        yield* Effect.forkScoped(
          Effect.forever(
            Effect.andThen(
              Effect.flatMap(
                Effect.orElseSucceed(isFree, () => false),
                (free) => (free ? takeOver : Effect.void)
              ),
              Effect.sleep(takeOverInterval)
            )
          )
        )
      })
    )
}

const capabilities = ["conference.v1", "chatapp.v1"] as const

/** How often a process looks whether the network of the sandboxes needs one. */
const takeOverInterval = "2 seconds"

/** The link to the engine, which tests can cut. */
const makeLink = (outbox: EventOutbox, open: () => Fiber.Fiber<void>) => {
  let link: Fiber.Fiber<void> | undefined
  const connect = Effect.sync(() => {
    link ??= open()
    outbox.release()
  })
  const disconnect = Effect.suspend(() => {
    const cut = link
    link = undefined
    outbox.hold()
    return cut === undefined ? Effect.void : Fiber.interrupt(cut)
  })
  /** Returns once another connection has taken this one's place. */
  const untilReplaced = Effect.suspend(() =>
    link === undefined ? Effect.void : Effect.asVoid(Fiber.await(link))
  ).pipe(Effect.tap(Effect.sync(() => void (link = undefined))))
  return { connect, disconnect, untilReplaced }
}

const make = Effect.fnUntraced(function* (options: SimulatorOptions) {
  const { browsers: lines, gateway_id, media_timeout = false, phones = phoneOf, relay } = options
  const session = yield* makePbxSession(gateway_id)
  const { now, outbox, run, timers, uuid } = session
  let tenantEvents = 0
  const reportTenant = (tenant_pbx_id: string, type: PbxEventType, data: PbxEventData) =>
    outbox.add({
      event_id: uuid(),
      tenant_pbx_id,
      type,
      seq: ++tenantEvents,
      occurred_at: new Date(now()).toISOString(),
      data
    })
  const registry = new Registry({ now, report: reportTenant })
  const browsers = lines && (yield* makeBrowserLegs({ lines, registry, timers, now, uuid, run, reportTenant }))
  const pbx = new SimulatedPbx({
    phones,
    media_timeout,
    timers,
    now,
    uuid,
    report: (event) => outbox.add(event),
    leave: options.leave ?? (yield* makeLeaveTone(run)),
    owesEnd: (session_id) => outbox.owesEnd(session_id),
    ...(relay && { relay }),
    ...(browsers && { browsers })
  })

  /** Returns the reason if the command is refused. */
  const carryOut = (command: DownCommand): string | undefined => {
    if (isTenantCommand(command)) return registry.carryOut(command)
    pbx.carryOut(command)
    return undefined
  }
  const takeCommands = (commands: ReadonlyArray<DownCommand>) =>
    Effect.gen(function* () {
      const carried_out: Array<string> = []
      for (const command of commands) {
        const reason = carryOut(command)
        if (reason === undefined) carried_out.push(command.id)
        else yield* session.refuse(command.id, reason)
      }
      yield* session.acknowledge(carried_out)
    })

  const { connect, disconnect, untilReplaced } = makeLink(outbox, () => {
    run(session.reconcile(pbx.live))
    return session.connect(takeCommands, relay === undefined ? capabilities : ["stream.v1", ...capabilities])
  })

  return {
    untilReplaced,
    live_sessions: Effect.sync(() => pbx.live),
    unacknowledged: Effect.sync(() => outbox.size),
    disconnect,
    connect,
    hold: Effect.sync(() => outbox.hold()),
    release: Effect.sync(() => outbox.release()),
    report: (events: ReadonlyArray<PbxEvent>) => Effect.sync(() => events.forEach((event) => outbox.add(event))),
    look: (session_id: SessionId) => Effect.sync(() => pbx.look(session_id)),
    dialIn: (caller: Caller) => Effect.sync(() => pbx.dialIn(caller)),
    remoteHangup: (session_id: SessionId) => Effect.sync(() => pbx.remoteHangup(session_id)),
    registry,
    lose: (session_id: SessionId) => Effect.sync(() => pbx.lose(session_id))
  }
})
