// A gateway in process to an Asterisk (docs/asterisk.md).
import { Clock, Effect, Fiber, FiberSet, Layer, Schema } from "effect"
import { acknowledge, connectGateway, refuse } from "../../../actors/pbx/GatewayLink.ts"
import { PbxIngest } from "../../../actors/ingest/PbxIngest.ts"
import { ActorSystem } from "../../../actors/runtime/ActorSystem.ts"
import { Timers } from "../../../actors/runtime/Timers.ts"
import type { PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../../domain/pbx/PbxEvent.ts"
import { type DownCommand, isTenantCommand, type TenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import { Ids } from "../../../domain/ports/Ids.ts"
import { RecordingSpool } from "../../../domain/ports/RecordingSpool.ts"
import type { TargetPolicy } from "../../../domain/targets/TargetUrl.ts"
import { EventOutbox } from "../EventOutbox.ts"
import { type AriOptions, contactsApp } from "./Ari.ts"
import type { AriListenFailed } from "./AriListener.ts"
import { makeAri } from "./ConnectAri.ts"
import { Directory } from "../../../domain/ports/Directory.ts"
import { ServiceUnavailable } from "../../../domain/errors/GeneralErrors.ts"
import { AsteriskPbx } from "./AsteriskPbx.ts"
import { SessionQueues } from "./SessionQueues.ts"
import { Legs } from "./Legs.ts"
import { AnsweringMachineDetection } from "./AnsweringMachineDetection.ts"
import { makeManager } from "./Manager.ts"
import { Media } from "./Media.ts"
import { Recorders } from "./Recorders.ts"
import { Registry } from "./Registry.ts"
import { Ringback } from "./Ringback.ts"
import { makeSpeech } from "./Speech.ts"
import { MaxTalkTimes } from "./MaxTalkTimes.ts"

export interface AsteriskOptions extends AriOptions {
  readonly gateway_id: string
  /** The endpoint of pjsip.conf that carries calls to numbers. */
  readonly carrier: string
  /** Where speech and files that are played are kept. Asterisk must be able to read it. */
  readonly sounds: string
  readonly policy: TargetPolicy
  /** Of devices and of tenants' trunks; the carrier's endpoint is the operator's to configure. */
  readonly media_timeout: boolean
}

const isInfo = Schema.is(Schema.Struct({ status: Schema.Struct({ startup_time: Schema.String }) }))

const heartbeat = "30 seconds"
/** Commands of different sessions that are under way at once. */
const at_once = 64

/** Networks write numbers with and without the plus. */
const tenantOf = (directory: Directory["Service"]) => (number: string) =>
  Effect.gen(function* () {
    const owned = yield* directory.numberOf(number.startsWith("+") ? number : `+${number}`)
    return owned && (yield* directory.workspace(owned.workspace_id))?.tenant_pbx_id
  }).pipe(
    Effect.catchDefect((defect) => (defect instanceof ServiceUnavailable ? Effect.fail(defect) : Effect.die(defect)))
  )

/** What becomes of the commands that come down. */
const takingOn = (gateway_id: string, lanes: SessionQueues, registry: Registry) => {
  /** Acknowledged or refused when it is carried out; else it comes again. */
  const ofTenant = (command: TenantCommand) =>
    registry.carryOut(command).pipe(
      Effect.flatMap((fault) =>
        fault === undefined ? acknowledge(gateway_id, [command.id]) : refuse(gateway_id, command.id, fault)
      ),
      Effect.catch((error) => Effect.logWarning("Asterisk cannot be asked", error.cause))
    )

  return (commands: ReadonlyArray<DownCommand>) =>
    Effect.gen(function* () {
      yield* Effect.forEach(commands.filter(isTenantCommand), ofTenant, { concurrency: at_once, discard: true })
      lanes.add(commands.filter((command): command is PbxCommand => !isTenantCommand(command)))
    })
}

const make = Effect.fnUntraced(function* (options: AsteriskOptions) {
  const { app, carrier, gateway_id, media_timeout, policy, sounds } = options
  const clock = yield* Clock.Clock
  const ingest = yield* PbxIngest
  const system = yield* ActorSystem
  const spool = yield* RecordingSpool
  const { uuid } = yield* Ids
  const run = yield* FiberSet.makeRuntime<ActorSystem | Ids>()
  const timers = new Timers(clock, run)
  const now = () => clock.currentTimeMillisUnsafe()

  const tell = (events: ReadonlyArray<PbxEvent>) =>
    Effect.map(ingest.ingest(gateway_id, events), ({ refused, taken }) =>
      outbox.settle([...taken, ...refused.map(({ event_id }) => event_id)])
    )
  const outbox: EventOutbox = new EventOutbox({ timers, now, send: (events) => run(tell(events)) })
  const legs = new Legs({ now, uuid, report: (event) => outbox.add(event) })
  const ari = yield* makeAri(options)
  const speech = yield* makeSpeech({ folder: sounds, policy })
  const media = new Media({ ari, legs, speech, timers, now, run })
  const recorders = new Recorders({ ari, app, legs, now, run, spool })
  const manager = yield* makeManager(options)
  const registry = new Registry({
    ari,
    app,
    manager,
    now,
    run,
    timers,
    uuid,
    media_timeout,
    report: (...about) => legs.reportForTenant(...about)
  })
  const machines = new AnsweringMachineDetection({ ari, legs, timers, now, run })
  const ringback = new Ringback({ legs, media })
  const limits = new MaxTalkTimes({ ari, legs, manager, now, run })
  const pbx = new AsteriskPbx({
    ari,
    app,
    legs,
    limits,
    machines,
    media,
    recorders,
    registry,
    ringback,
    now,
    run,
    carrier,
    tenantOf: tenantOf(yield* Directory),
    owesEnd: (session_id) => outbox.owesEnd(session_id)
  })
  const lanes = new SessionQueues({
    carryOut: (command) => pbx.carryOut(command),
    acknowledge: (ids) => Effect.provideService(acknowledge(gateway_id, ids), ActorSystem, system),
    run,
    at_once
  })
  const takeOn = takingOn(gateway_id, lanes, registry)

  /** An Asterisk that was started anew has forgotten what it was told of tenants: to the engine it is another connection. */
  let line: { readonly started: string | undefined; readonly fiber: Fiber.Fiber<void> } | undefined
  const reconnect = Effect.gen(function* () {
    const { body } = yield* ari.request("GET", "/asterisk/info", { only: "status" })
    const started = isInfo(body) ? body.status.startup_time : undefined
    if (line !== undefined && line.started === started) return
    if (line !== undefined) yield* Fiber.interrupt(line.fiber)
    line = { started, fiber: run(connectGateway(gateway_id, takeOn)) }
  })

  const resume = (takenIn: Effect.Effect<void>) =>
    Effect.gen(function* () {
      yield* ari.request(
        "PUT",
        `/applications/${contactsApp(app)}/eventFilter`,
        {},
        { allowed: [{ type: "ContactStatusChange" }] }
      )
      yield* ari.request("POST", `/applications/${contactsApp(app)}/subscription`, { eventSource: "endpoint:PJSIP" })
      yield* pbx.reconcile(takenIn)
      outbox.release()
      yield* ingest.reconcile(gateway_id, [...legs.live.keys()])
      yield* reconnect
      run(registry.users.seeAll)
    })

  /** Of an Asterisk that is not heard nobody can say what is alive there. */
  let heard = false
  const hearing = Effect.ensuring(
    Effect.andThen(
      Effect.sync(() => (heard = true)),
      Effect.never
    ),
    Effect.sync(() => {
      heard = false
      pbx.disconnected()
    })
  )
  run(
    ari.follow(
      (takenIn) => Effect.andThen(resume(takenIn), hearing),
      (event) => pbx.handle(event)
    )
  )
  run(Effect.sync(() => heard && legs.beat()).pipe(Effect.delay(heartbeat), Effect.forever))
})

/** What carries calls from then on is the Asterisk. It is waited for, and comes back by itself after each of its restarts. */
export const layer = (
  options: AsteriskOptions
): Layer.Layer<never, AriListenFailed, ActorSystem | Directory | Ids | PbxIngest | RecordingSpool> =>
  Layer.effectDiscard(make(options))
