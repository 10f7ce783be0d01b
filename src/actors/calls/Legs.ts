// Places legs, for whoever requests them: a leg is priced, its first minute is held, and it is written to disk. Nothing
// rings before.
import { Clock, Context, Effect, Layer } from "effect"
import { dailySpendLimit, type SpendCeilings } from "../../domain/calls/policy/SpendCeiling.ts"
import type { Destination } from "../../domain/calls/policy/Authorisation.ts"
import type { NumberUse } from "../../domain/calls/policy/NumberLookup.ts"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import { isPlacedLate } from "../../domain/calls/state/Deadlines.ts"
import type { CallFacts } from "../../domain/calls/state/CallFacts.ts"
import { newFacts } from "../../domain/calls/state/NewFacts.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import type { Quote } from "../../domain/calls/policy/DestinationCheck.ts"
import type { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import type { Refusal } from "../../domain/Command.ts"
import { type Held, WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { CallDestinationRefused, CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { NumberNotActive, type NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import type { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { sessionOfCall } from "../../domain/pbx/Session.ts"
import type { CallingPolicy } from "../../domain/calls/policy/CallingPolicy.ts"
import type { DialLimits } from "../../domain/wallet/DialLimiter.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { makeCountRefusals, type Refused } from "./CountRefusals.ts"
import { makeDestinations } from "./Destinations.ts"
import { type LegPrice, type LegRequest, overTrunk, type SharedHold } from "./LegRequest.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import { enforcedPolicy } from "../../domain/limits/SandboxLimits.ts"
import { SandboxCalls } from "../../domain/ports/calls/SandboxCalls.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { isShut, type PayingWorkspace } from "../../domain/workspace/Workspace.ts"
import { type GatewayCapabilities, makeGatewayCapabilities } from "../pbx/GatewayCapabilities.ts"
import { ActorSystem, type TiedReplies } from "../runtime/ActorSystem.ts"
import { type AvailableFunds, availableFunds } from "../wallet/AvailableFunds.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

const dialLimits = (
  { currency }: PayingWorkspace,
  calling_policy: CallingPolicy,
  ceilings: SpendCeilings
): DialLimits => ({
  calls_per_second: calling_policy.calls_per_second,
  max_calls_per_destination_per_hour: calling_policy.max_calls_per_destination_per_hour,
  daily_spend_limit_minor: dailySpendLimit(calling_policy, ceilings.get(currency)),
  max_calls_to_new_country: calling_policy.max_calls_to_new_country,
  max_calls_per_hour_on_first_day: calling_policy.max_calls_per_hour_on_first_day,
  max_concurrent_high_risk_calls: calling_policy.max_concurrent_high_risk_calls
})

export class LegSettings extends Context.Service<
  LegSettings,
  {
    /** Whether live workspaces, too, may call the test network. */
    readonly allow_test_numbers: boolean
    /** The highest daily spend that an operator allows, whatever the calling policy says. Absent currencies: any. */
    readonly max_daily_spend_minor: SpendCeilings
  }
>()("trunkline/actors/LegSettings") {}

/**
 * The hold was captured before: the call exists and is charged. A parent call may place its leg again after a crash.
 */
const isCharged = (error: HoldRefusal | NotCommitted | ServiceUnavailable): boolean =>
  error instanceof NotCommitted && error.reason === "captured"

/** The workspace that places a leg, and the number that it calls from. */
export interface LegCaller {
  readonly workspace: PayingWorkspace
  readonly number: OwnedNumber
  /** What the gateway of the workspace can do. */
  readonly gateway: Pick<CallFacts, "capabilities">
}

/** Facts of a leg that are made only for one that is not refused. */
export type CompletedFacts<E> = Effect.Effect<Partial<CallFacts>, E>

export type CallerRefusal = AccountSuspended | NumberNotFound | WalletNotFound
export type UseRefusal = CallInvalidDestination | WalletNotFound
export type QuoteRefusal = CallInvalidDestination | NumberNotActive | NumberNotFound | WalletNotFound
export type PriceRefusal = AccountSuspended | CallDestinationRefused | QuoteRefusal
export type HoldRefusal = Refusal<WalletCommands, "PlaceHold">
export type ShareRefusal = HoldRefusal | NotCommitted

export class Legs extends Context.Service<
  Legs,
  {
    /** Refuses a workspace that may not call at all, and a number that is not its own. Checked before all else. */
    readonly callerOf: (asked: Pick<LegRequest, "from" | "workspace_id">) => Effect.Effect<LegCaller, CallerRefusal>
    /**
     * Places the leg and returns its record. Refuses what may not be dialled. The caller of the request is looked up
     * unless it is given. `completed` runs when the leg's money is held. Nobody learns of the leg before it ends.
     */
    readonly place: <E extends Refused = never>(
      request: LegRequest,
      caller?: LegCaller,
      completed?: CompletedFacts<E>
    ) => Effect.Effect<CallRecord, PriceRefusal | ShareRefusal | E>
    /** Refuses what `place` refuses, except for lack of funds and for limits. */
    readonly price: (request: LegRequest, caller?: LegCaller) => Effect.Effect<LegPrice, PriceRefusal>
    /** Holds money that one of several legs of a call will take. */
    readonly share: (shared: SharedHold) => Effect.Effect<AvailableFunds, ShareRefusal | WalletNotFound>
    /** What the workspace may do with a number: call it, from any number of the platform, and show it. */
    readonly use: (workspace_id: WorkspaceId, number: Destination) => Effect.Effect<NumberUse, UseRefusal>
    /** What `place` would do now with a destination in any spelling. */
    readonly quote: (workspace_id: WorkspaceId, from: string, to: string) => Effect.Effect<Quote, QuoteRefusal>
  }
>()("trunkline/actors/Legs") {
  static readonly layer = Layer.effect(
    Legs,
    Effect.flatMap(LegSettings, (settings) => make(settings))
  )
}

type Destinations = Effect.Success<ReturnType<typeof makeDestinations>>

const countsRefusals = (system: ActorSystem["Service"], { workspaceOf }: Destinations, ceilings: SpendCeilings) =>
  makeCountRefusals(system, (workspace_id) =>
    Effect.map(workspaceOf(workspace_id), ({ calling_policy, currency }) =>
      dailySpendLimit(calling_policy, ceilings.get(currency))
    )
  )

const makeFacts = (
  { numberOf, routeTo, shownNumber, workspaceOf }: Destinations,
  capabilitiesOf: GatewayCapabilities
) => {
  const callerOf = Effect.fnUntraced(function* ({ from, workspace_id }: Pick<LegRequest, "from" | "workspace_id">) {
    const workspace = yield* workspaceOf(workspace_id)
    if (isShut(workspace.status)) return yield* new AccountSuspended()
    const number = yield* numberOf(workspace_id, from)
    const caller: LegCaller = { workspace, number, gateway: yield* capabilitiesOf(workspace.gateway_id) }
    return caller
  })

  const factsOf = Effect.fnUntraced(function* (request: LegRequest, caller?: LegCaller) {
    const { gateway, number, workspace } = caller ?? (yield* callerOf(request))
    const shown = yield* shownNumber(workspace, number, request)
    const created_at = yield* Clock.currentTimeMillis
    const { risk, trunk, ...route } = yield* routeTo(workspace, number, request.to, {
      at: created_at,
      sip: request.kind === "dial"
    })
    if (!isWorking(number) || !shown.working) return yield* new NumberNotActive()
    const { available_minor: _, id, idempotency: __, inbound_caller: ___, workspace_id: ____, ...requested } = request
    const origin = { session_id: sessionOfCall(id), workspace, number, created_at, ...gateway }
    const facts = newFacts(origin, {
      ...requested,
      ...route,
      ...(trunk !== undefined && { trunk_id: trunk.id }),
      ...(risk.high_risk && { high_risk: true }),
      caller_id: shown.number,
      direction: "outbound"
    })
    return { facts, risk, trunk, workspace }
  })

  return { callerOf, factsOf }
}

/** Whoever asked may ask again, with a new hold. */
const placedLate = () => Effect.fail(new NotCommitted({ reason: "unavailable" }))

/** Counts the call of a sandbox, and says what its wallet is asked. */
const makeHoldOf = (sandboxCalls: SandboxCalls["Service"], ceilings: SpendCeilings) =>
  Effect.fnUntraced(function* (workspace: PayingWorkspace, { risks, to, workspace_id, ...hold }: SharedHold) {
    const policy = enforcedPolicy(workspace)
    if (isSandbox(workspace_id)) yield* sandboxCalls.count(workspace_id)
    const payload = {
      ...hold,
      max_legs: policy.max_concurrent_calls,
      dial: {
        to,
        abroad: risks.flatMap(({ abroad }) => abroad ?? []),
        high_risk: risks.filter(({ high_risk }) => high_risk).length,
        limits: dialLimits(workspace, policy, ceilings)
      }
    }
    return { command: WalletCommands.PlaceHold, id: workspace_id, payload }
  })

/** What stores the call of a leg. */
const callOf = ({ id, idempotency }: LegRequest, facts: CallFacts, { available_minor }: AvailableFunds) => ({
  command: CallCommands.Originate,
  id,
  payload: {
    facts,
    ...(available_minor !== undefined && { available_minor }),
    ...(idempotency && { idempotency })
  }
})

/** Stores the call of a leg by itself, after its hold. */
const makeWriting = (system: ActorSystem["Service"]) => {
  const askFor = ({ command, id, payload }: Effect.Success<ReturnType<ReturnType<typeof makeHoldOf>>>) =>
    system.ask(command, id, payload)

  const write = (request: LegRequest, facts: CallFacts, money: AvailableFunds) => {
    const { command, id, payload } = callOf(request, facts, money)
    return Effect.catchTag(system.ask(command, id, payload), "service_unavailable", placedLate)
  }

  /**
   * If the call is not written, its hold is left to the audit of the wallet: an attempt before this one may have
   * written the call, which then needs the hold.
   */
  const writeHeld = (request: LegRequest, facts: CallFacts, money: AvailableFunds) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      isPlacedLate(facts, now) ? placedLate() : write(request, facts, money)
    )

  /** Completes the facts of a leg whose money is held, and releases the money if that fails. */
  const complete = <E>({ id, workspace_id }: LegRequest, completed: CompletedFacts<E>) =>
    Effect.tapError(completed, () =>
      Effect.ignore(system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id: id }))
    )

  return { askFor, complete, write, writeHeld }
}

const makePlacing = Effect.fnUntraced(function* (settings: LegSettings["Service"]) {
  const { max_daily_spend_minor } = settings
  const system = yield* ActorSystem
  const destinations = yield* makeDestinations(settings)
  const { callerOf, factsOf } = makeFacts(destinations, yield* makeGatewayCapabilities)

  const holdOf = makeHoldOf(yield* SandboxCalls, max_daily_spend_minor)

  const { askFor, complete, write, writeHeld } = makeWriting(system)

  const place = traced("Legs.place")(function* <E = never>(
    request: LegRequest,
    caller?: LegCaller,
    completed?: CompletedFacts<E>
  ) {
    const { facts, risk, trunk, workspace } = yield* factsOf(request, caller)
    const { id, workspace_id } = request
    if (facts.shared_hold_id !== undefined) return yield* write(request, facts, request)
    const money = holdOf(workspace, {
      workspace_id,
      hold_id: id,
      call_id: id,
      amount_minor: facts.rate_per_min_minor,
      to: [facts.to],
      risks: [risk],
      ...(trunk && { trunk: overTrunk(trunk, 1) })
    })
    const asked = Effect.flatMap(money, (hold) =>
      completed === undefined
        ? system.askTied(hold, (reply) => callOf(request, facts, availableFunds(reply)))
        : Effect.map(askFor(hold), (first) => ({ first }))
    )
    const more = completed === undefined ? Effect.succeed({}) : complete(request, completed)
    const placed = Effect.matchEffect(asked, {
      onSuccess: ({ first, second }: TiedReplies<Held, CallRecord>) =>
        second === undefined
          ? Effect.flatMap(more, (made) => writeHeld(request, { ...facts, ...made }, availableFunds(first)))
          : Effect.succeed(second),
      onFailure: (error) => (isCharged(error) ? write(request, facts, {}) : Effect.fail(error))
    })
    return yield* Effect.uninterruptible(Effect.catchTag(placed, "service_unavailable", placedLate))
  })

  const price = (request: LegRequest, caller?: LegCaller) =>
    Effect.map(factsOf(request, caller), ({ facts, risk, trunk }) => ({
      amount_minor: facts.rate_per_min_minor,
      risk,
      trunk
    }))
  const share = (shared: SharedHold) =>
    Effect.flatMap(destinations.workspaceOf(shared.workspace_id), (workspace) =>
      Effect.map(Effect.flatMap(holdOf(workspace, shared), askFor), availableFunds)
    )

  return {
    callerOf,
    countingRefusals: countsRefusals(system, destinations, max_daily_spend_minor),
    destinations,
    place,
    price,
    share
  }
})

const make = Effect.fnUntraced(function* (settings: LegSettings["Service"]) {
  const { callerOf, countingRefusals, destinations, place, price, share } = yield* makePlacing(settings)
  return Legs.of({
    callerOf: traced("Legs.callerOf")(callerOf),
    place: (request, caller, completed) => countingRefusals(request.workspace_id)(place(request, caller, completed)),
    price: traced("Legs.price")((request: LegRequest, caller?: LegCaller) =>
      countingRefusals(request.workspace_id)(price(request, caller))
    ),
    share: traced("Legs.share")((shared: SharedHold) => countingRefusals(shared.workspace_id)(share(shared))),
    use: traced("Legs.use")(destinations.use),
    quote: traced("Legs.quote")(destinations.quote)
  })
})
