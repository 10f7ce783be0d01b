// The gateway to an Asterisk, in the engine's process (docs/asterisk.md).
import { Effect, Fiber, Layer, Schedule, Schema, type Scope } from "effect"
import type { PbxIngest } from "../../../actors/ingest/PbxIngest.ts"
import { PlatformHosts } from "../../../actors/pbx/PlatformHosts.ts"
import { ActorSystem } from "../../../actors/runtime/ActorSystem.ts"
import type { PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import { type DownCommand, isTenantCommand, type TenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import { Directory } from "../../../domain/ports/access/Directory.ts"
import { NumberPlan } from "../../../domain/ports/numbers/NumberPlan.ts"
import type { Ids } from "../../../domain/ports/engine/Ids.ts"
import { RecordingSpool } from "../../../domain/ports/calls/RecordingSpool.ts"
import type { SoundLimits } from "../../../domain/sounds/SoundQuota.ts"
import type { TargetPolicy } from "../../../domain/targets/TargetUrl.ts"
import { makePbxSession } from "../PbxSession.ts"
import { type Ari, type AriOptions, contactsApp } from "./ari/Ari.ts"
import type { AriListenFailed } from "./ari/AriListener.ts"
import type { AriEvent } from "./ari/AriEvent.ts"
import { AsteriskPbx } from "./AsteriskPbx.ts"
import { makeLegServices } from "./calls/LegServices.ts"
import { makeCalledNumbers } from "./calls/CalledNumbers.ts"
import { guardAddresses } from "./guard/GuardAddresses.ts"
import { makeAri } from "./ari/ConnectAri.ts"
import { Legs } from "./legs/Legs.ts"
import { makeManager } from "./ari/Manager.ts"
import type { OutboundEndpoints } from "./legs/Originate.ts"
import { makeRecordingThread } from "./media/RecordingThread.ts"
import { certificateFault } from "./registry/CertificateFault.ts"
import { Registry } from "./registry/Registry.ts"
import { renewInterval } from "./legs/RingTimers.ts"
import { SessionQueues } from "./ari/SessionQueues.ts"
import type { StreamHeaders } from "../../../domain/ports/calls/StreamHeaders.ts"
import type { MediaRelay } from "../MediaRelay.ts"
import { conferenceCapabilities } from "./media/Conferences.ts"
import { capabilitiesOf, mediaUrlOf } from "./media/Streams.ts"
import { makeSpeech } from "./sounds/Speech.ts"
import { makeStartCheck, recheckInterval } from "./checks/StartCheck.ts"
import type { GatewayId } from "../../../domain/BrandedIds.ts"

export interface AsteriskOptions extends AriOptions {
  readonly gateway_id: GatewayId
  readonly endpoints: OutboundEndpoints
  /** The country (ISO 3166-1 alpha-2) of numbers that the carrier writes in national form. */
  readonly carrier_country: string | undefined
  /** The folder for speech and played files. Asterisk must be able to read it. */
  readonly sounds: string
  readonly sound_limits: SoundLimits
  readonly policy: TargetPolicy
  /** Makes the relay of media streams, which ends with the gateway. */
  readonly relay: Effect.Effect<MediaRelay, never, Scope.Scope | StreamHeaders>
  /**
   * Seconds without audio after which a call of a device or a tenant's trunk is hung up. `false`: never. The carrier's
   * endpoint is configured by the operator.
   */
  readonly media_timeout: number | false
  /** Whether an Asterisk whose configuration is unsafe is refused. Otherwise it is only reported. */
  readonly refuse_unsafe: boolean
}

type PbxSession = Effect.Success<ReturnType<typeof makePbxSession>>

const isInfo = Schema.is(Schema.Struct({ status: Schema.Struct({ startup_time: Schema.String }) }))

const heartbeatInterval = "30 seconds"
/** How many sessions, and how many tenant commands, are served at once. */
const concurrency = 64

/** Distributes the engine's commands: tenant commands to the registry, session commands to their queues. */
const takingCommands = (session: PbxSession, queues: SessionQueues, registry: Registry) => {
  /** If Asterisk is unreachable the command is not acknowledged, so the engine sends it again. */
  const carryOut = (command: TenantCommand) =>
    registry.carryOut(command).pipe(
      Effect.flatMap((fault) =>
        fault === undefined ? session.acknowledge([command.id]) : session.refuse(command.id, fault)
      ),
      Effect.catch((error) =>
        Effect.logWarning(`Asterisk is unreachable; command ${command.id} will be repeated`, error.cause)
      )
    )

  return (commands: ReadonlyArray<DownCommand>) =>
    Effect.gen(function* () {
      yield* Effect.forEach(commands.filter(isTenantCommand), carryOut, { concurrency, discard: true })
      queues.add(commands.filter((command): command is PbxCommand => !isTenantCommand(command)))
    })
}

const makePbx = Effect.fnUntraced(function* (options: AsteriskOptions, session: PbxSession, ari: Ari) {
  const { app, endpoints, media_timeout, policy, sound_limits, sounds } = options
  const { now, outbox, run, timers, uuid } = session
  const platform = yield* PlatformHosts
  const spool = yield* RecordingSpool
  const speech = yield* makeSpeech({ folder: sounds, limits: sound_limits, policy, now })
  const manager = yield* makeManager(options)
  const legs = new Legs({ now, uuid, report: (event) => outbox.add(event) })
  const keeps_events = options.listen !== undefined
  const services = makeLegServices({
    ari,
    app,
    keeps_events,
    legs,
    manager,
    now,
    run,
    timers,
    uuid,
    speech,
    spool,
    combine: (yield* makeRecordingThread).combine,
    relay: yield* options.relay,
    media_url: mediaUrlOf(options.url)
  })
  const registry = new Registry({
    ...services,
    carrier: endpoints.carrier,
    certificateFault,
    policy,
    media_timeout,
    platform: platform.all(),
    report: (...event) => legs.reportForTenant(...event)
  })
  const pbx = new AsteriskPbx({
    ...services,
    registry,
    endpoints,
    numbers: makeCalledNumbers(yield* Directory, yield* NumberPlan, options.carrier_country),
    owesEnd: (session_id) => outbox.owesEnd(session_id)
  })
  const { chat_apps, trunks, users } = registry
  run(guardAddresses({ ari, manager, carrier: endpoints.carrier, chat_apps, trunks, users, now }))
  return { legs, manager, pbx, registry, ring_timers: services.ring_timers }
})

/** Subscribes the engine to changes of contacts, by an application that receives only these and the checks' events. */
const subscribeToContacts = (ari: Ari, app: string) =>
  Effect.andThen(
    ari.request(
      "PUT",
      `/applications/${contactsApp(app)}/eventFilter`,
      {},
      { allowed: [{ type: "ContactStatusChange" }, { type: "ChannelUserevent" }] }
    ),
    ari.request("POST", `/applications/${contactsApp(app)}/subscription`, { eventSource: "endpoint:PJSIP" })
  )

const rejectInbound = (ari: Ari, event: AriEvent): Effect.Effect<void> =>
  event.type === "StasisStart" && event.args[0] === "inbound"
    ? Effect.ignore(ari.request("DELETE", `/channels/${event.channel.id}`, { reason: "congestion" }))
    : Effect.void

const make = Effect.fnUntraced(function* (options: AsteriskOptions) {
  const system = yield* ActorSystem
  const platform = yield* PlatformHosts
  const session = yield* makePbxSession(options.gateway_id)
  const { outbox, run } = session
  const ari = yield* makeAri(options)
  const { legs, manager, pbx, registry, ring_timers } = yield* makePbx(options, session, ari)
  const queues = new SessionQueues({
    carryOut: (command) => pbx.carryOut(command),
    acknowledge: (ids) => Effect.provideService(session.acknowledge(ids), ActorSystem, system),
    run,
    concurrency
  })
  const takeCommands = takingCommands(session, queues, registry)

  const capabilities = Effect.zipWith(capabilitiesOf(ari), conferenceCapabilities(ari), (streams, conferences) => [
    ...streams,
    ...conferences,
    "chatapp.v1" as const
  ])

  /**
   * An Asterisk that was restarted has lost its users and trunks. For the engine it counts as a new connection, which
   * makes the tenants send them again.
   */
  let link: { readonly startup_time: string | undefined; readonly fiber: Fiber.Fiber<void> } | undefined
  const connect = Effect.gen(function* () {
    const { body } = yield* ari.request("GET", "/asterisk/info", { only: "status" })
    const startup_time = isInfo(body) ? body.status.startup_time : undefined
    if (link !== undefined && link.startup_time === startup_time) return
    if (link !== undefined) yield* Fiber.interrupt(link.fiber)
    link = { startup_time, fiber: session.connect(takeCommands, yield* capabilities) }
  })

  const check = makeStartCheck(options, { ari, manager, platform })

  const resume = (eventsHandled: Effect.Effect<void>) =>
    Effect.gen(function* () {
      yield* Effect.repeat(check.run, { while: (unsafe) => unsafe, schedule: Schedule.spaced(recheckInterval) })
      // A device that registers once the gateway serves proves its address by such an event, once.
      yield* Effect.ignore(manager.beginEvents)
      yield* subscribeToContacts(ari, options.app)
      yield* pbx.reconcile(eventsHandled)
      outbox.release()
      yield* session.reconcile([...legs.live.keys()])
      yield* connect
      run(Effect.all([registry.users.refreshAll, check.warnUnguarded], { concurrency: 2, discard: true }))
    })

  /** Heartbeats stop without a connection: then it is unknown which sessions are alive. */
  let connected = false
  const staying = Effect.ensuring(
    Effect.andThen(
      Effect.sync(() => (connected = true)),
      Effect.never
    ),
    Effect.sync(() => {
      connected = false
      pbx.disconnected()
    })
  )
  run(
    ari.follow(
      (eventsHandled) => Effect.andThen(resume(eventsHandled), staying),
      (event) => (check.refuses() ? rejectInbound(ari, event) : pbx.handle(event))
    )
  )
  run(
    Effect.suspend(() => (connected ? ring_timers.renew : Effect.void)).pipe(
      Effect.delay(renewInterval),
      Effect.forever
    )
  )
  run(Effect.sync(() => connected && legs.reportHeartbeat()).pipe(Effect.delay(heartbeatInterval), Effect.forever))
})

/** Connects to the Asterisk, waits for it if it is down, and reconnects after each of its restarts. */
export const layer = (
  options: AsteriskOptions
): Layer.Layer<
  never,
  AriListenFailed,
  ActorSystem | Directory | Ids | NumberPlan | PbxIngest | PlatformHosts | RecordingSpool | StreamHeaders
> => Layer.effectDiscard(make(options))
