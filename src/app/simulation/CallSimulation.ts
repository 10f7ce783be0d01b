// Tries a call: an engine in memory on a clock of its own, with the workspace's numbers, prices and policy. Every rule
// is that of a real call, because the actors are the same.
import { Clock, Effect, Layer, Option, type Scope, Semaphore } from "effect"
import { LegSettings } from "../../actors/calls/Legs.ts"
import { CallSettings } from "../../actors/calls/PerformCall.ts"
import { SipHosts } from "../../actors/calls/SipHosts.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import {
  type SimulatedCall,
  simulatedCallee,
  simulatedCaller,
  type SimulationRefusal,
  type SimulationRequest
} from "../../domain/calls/views/Simulation.ts"
import { callbacksOf, isOnConfiguredServer, unconfigured } from "../../domain/calls/views/SimulationTargets.ts"
import { CallInvalidCallbackUrl } from "../../domain/errors/CallErrors.ts"
import { BadRequest, RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { CallSimulator } from "../../domain/ports/calls/CallSimulator.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { accountOf, isSandbox } from "../../domain/kit/Sandbox.ts"
import { isPaying, type PayingWorkspace } from "../../domain/workspace/Workspace.ts"
import type { MemoryJournal } from "../../layers/journal/MemoryJournal.ts"
import type { Phone } from "../../layers/pbx/simulator/Phones.ts"
import { usualLimits } from "../../layers/memory/MemorySettings.ts"
import { callEngine } from "./CallEngine.ts"
import { Outside } from "./Outside.ts"
import { SimulatedEngine } from "./SimulatedEngine.ts"
import { answersOf, simulatedPhone } from "./SimulatedPhones.ts"
import { UnheardRecordings } from "./UnheardRecordings.ts"
import { VirtualClock } from "../../layers/clock/VirtualClock.ts"

/** Simulations that run at the same time: in this process, and of one workspace and its sandbox together. */
const maxRunning = 4
const maxRunningOfAccount = 2

/** Real time for a whole simulation, less than what a request may take. */
const patience_ms = 12_000

const missing = (field: string, message: string) => new BadRequest({ details: [{ field, code: "missing", message }] })

const notConfigured = {
  reason: "not_configured",
  message: "A simulation of a live workspace asks only the voice_url and the voice_fallback_url of its number.",
  resolution: "Set the URL in the routing of the number, or try the call in test mode."
}

/** The number that is called or that calls, which must be the workspace's own. */
const ownNumber = ({ direction = "outbound", from, to }: SimulationRequest): string =>
  (direction === "outbound" ? from : to) ?? ""

/** The simulation's callback takes the place of that of the called number. */
const routed = (directory: Directory["Service"], request: SimulationRequest): Directory["Service"] => {
  const { direction = "outbound", voice_callback_url: voice_url, voice_fallback_url = null } = request
  if (direction === "outbound" || voice_url === undefined) return directory
  return {
    ...directory,
    number: (workspace_id, e164) =>
      Effect.map(directory.number(workspace_id, e164), (number) =>
        number === undefined || e164 !== request.to
          ? number
          : { ...number, routing: { ...number.routing, voice_url, voice_fallback_url } }
      )
  }
}

/** The phone that is called, and those that the call dials, which may have the same number. */
const phonesOf =
  ({ dialled, phone, to }: SimulationRequest) =>
  (number: string, isDialled: boolean): Phone => {
    if (isDialled) return simulatedPhone(number, dialled)
    return simulatedPhone(number, to === undefined ? { answers: "person", ...phone } : phone)
  }

/** The operator's ceilings and limits do not apply to what is only tried. */
const makeSettings = Effect.gen(function* () {
  const targets = yield* AllowedTargets
  const { allow_test_numbers } = yield* LegSettings
  const { waived_calls_per_day } = yield* CallSettings
  return Layer.mergeAll(
    Layer.succeed(AllowedTargets)(targets),
    Layer.succeed(LegSettings)({ allow_test_numbers, max_daily_spend_minor: new Map() }),
    Layer.succeed(CallSettings)({ ...usualLimits, waived_calls_per_day })
  )
})

const make = Effect.gen(function* () {
  const { allow_test_numbers } = yield* LegSettings
  const settings = yield* makeSettings
  const directory = yield* Directory
  const hosts = yield* SipHosts
  const callback = yield* VoiceCallback
  const real = yield* Clock.Clock

  const engineFor = Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    request: SimulationRequest,
    mayAsk: (url: string) => boolean
  ) {
    const clock = new VirtualClock(real.currentTimeMillisUnsafe())
    const outside = new Outside(real, clock)
    const recordings = new UnheardRecordings()
    const layer = (journal: MemoryJournal) =>
      callEngine({
        journal,
        settings,
        outside: Layer.mergeAll(
          Layer.succeed(Directory)(routed(outside.reads(directory), request)),
          Layer.succeed(SipHosts)(outside.reads(hosts)),
          Layer.succeed(VoiceCallback)({ ask: outside.asks(callback, mayAsk) })
        ),
        recordings: recordings.layer,
        storage_prices: {},
        pbx: { gateway_id: workspace.gateway_id, phones: phonesOf(request), leave: recordings.leave }
      })
    return yield* SimulatedEngine.start({ clock, outside, layer })
  })

  const simulate = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    request: SimulationRequest
  ): Effect.fn.Return<SimulatedCall, SimulationRefusal, Scope.Scope> {
    const workspace = yield* directory.workspace(workspace_id)
    if (workspace === undefined || !isPaying(workspace)) return yield* new WalletNotFound()
    const { attestation, direction = "outbound", from = simulatedCaller, to } = request
    const number = yield* directory.number(workspace_id, ownNumber(request))
    if (number === undefined) return yield* new NumberNotFound()
    const mayBeTest = allow_test_numbers || isSandbox(workspace_id)
    const configured = callbacksOf(number.routing)
    // The sandbox has a voice secret of its own, which no receiver of real calls accepts.
    if (!mayBeTest && unconfigured(configured, request) !== undefined)
      return yield* new CallInvalidCallbackUrl(notConfigured)
    if (to === undefined && !mayBeTest) return yield* missing("/to", "Missing key: the price depends on it.")
    const engine = yield* engineFor(workspace, request, (url) => mayBeTest || isOnConfiguredServer(configured, url))
    yield* engine.open(workspace, request.balance_minor)
    const ref =
      direction === "outbound"
        ? yield* engine.originate(workspace_id, { ...request, from, to: to ?? simulatedCallee })
        : yield* engine.dialIn({
            tenant_pbx_id: workspace.tenant_pbx_id,
            from,
            to: to ?? "",
            ...(attestation !== undefined && { attestation }),
            ...answersOf(request.phone),
            ...(request.phone?.talks_seconds !== undefined && { talks_ms: request.phone.talks_seconds * 1_000 })
          })
    const stopped = yield* Effect.timeoutOption(engine.play(workspace_id, ref, request), patience_ms)
    return yield* engine.report(
      workspace,
      ref,
      Option.getOrElse(stopped, () => "too_slow" as const)
    )
  })

  return (workspace_id: WorkspaceId, request: SimulationRequest) => Effect.scoped(simulate(workspace_id, request))
})

/** Refuses more at once than the limits allow, instead of letting them wait. */
const makeLimit = Effect.gen(function* () {
  const all = yield* Semaphore.make(maxRunning)
  const { named } = yield* Ids
  const running = new Map<WorkspaceId, number>()
  return <A, E>(workspace_id: WorkspaceId, effect: Effect.Effect<A, E>): Effect.Effect<A, E | RateLimited> => {
    const account = accountOf(named, workspace_id)
    const refused = Effect.fail(
      new RateLimited({ message: `At most ${maxRunningOfAccount} simulations of a workspace run at the same time.` })
    )
    const counted = Effect.acquireUseRelease(
      Effect.sync(() => void running.set(account, (running.get(account) ?? 0) + 1)),
      () => effect,
      () =>
        Effect.sync(() => {
          const left = (running.get(account) ?? 1) - 1
          if (left === 0) running.delete(account)
          else running.set(account, left)
        })
    )
    return Effect.suspend(() =>
      (running.get(account) ?? 0) >= maxRunningOfAccount
        ? refused
        : Effect.flatMap(
            all.withPermitsIfAvailable(1)(counted),
            Option.match({ onNone: () => refused, onSome: Effect.succeed })
          )
    )
  }
})

export const layer = Layer.effect(
  CallSimulator,
  Effect.gen(function* () {
    const simulate = yield* make
    const limited = yield* makeLimit
    return CallSimulator.of({
      run: (workspace_id, request) => limited(workspace_id, simulate(workspace_id, request))
    })
  })
)
