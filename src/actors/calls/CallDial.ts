// The legs that a call dials, from both ends: the call that dials them, and the leg that tells how it fares.
import { Effect } from "effect"
import { type Call, currentAction, type PlacedCall } from "../../domain/calls/Call.ts"
import type { LegRefusal } from "../../domain/calls/CallFacts.ts"
import { callRecord } from "../../domain/calls/CallView.ts"
import type { HangupCause } from "../../domain/calls/CallRecord.ts"
import type { Dial, DialLeg } from "../../domain/calls/Dial.ts"
import type { CallWork } from "../../domain/calls/PlanCall.ts"
import type { DialAction } from "../../domain/calls/VoiceAction.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import { isOfTrunk } from "../../domain/trunks/TrunkCapacity.ts"
import { CallActor } from "./CallActor.ts"
import type { CallSelf, Done, WorkOf } from "./CallWork.ts"
import { type AvailableFunds, availableFunds } from "../wallet/AvailableFunds.ts"
import { type LegPrice, type LegRequest, type Legs, overTrunk, type SharedHold } from "./Legs.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { WalletActor } from "../wallet/WalletActor.ts"

/** A leg that is dialled may talk as long as any call; the call that dialled it ends it when it ends itself. */
const child_duration_seconds = 14_400
const ring_seconds = 30

/** A trunk without room is as one that says so itself. */
const causeOf = (failure: Failure): HangupCause => {
  if (isOfTrunk(failure)) return "service_unavailable"
  return failure._tag === "wallet.insufficient_funds" ? "insufficient_funds" : "destination_refused"
}

/** What is wrong with one destination says nothing of the next, and not all go over the same trunk. */
const ofDestination: ReadonlySet<string> = new Set(["calls.destination_refused", "calls.invalid_destination"])

const refusalOf = (call_id: string, failure: Failure): LegRefusal => ({
  call_id,
  cause: causeOf(failure),
  detail: failure._tag,
  reason: failure.reason ?? null,
  whole: !ofDestination.has(failure._tag) && !isOfTrunk(failure)
})

type Dialling = Extract<
  CallWork,
  {
    readonly _tag: "SurveyDial" | "StartChild" | "StopChild" | "ReleaseSpareHold" | "ClaimPickUp" | "NotifyParent"
  }
>

interface Dialled {
  readonly action: DialAction
  readonly dial: Dial
}

/** The dial that the work is about, if the call is still at it. */
const dialOf = (call: Call, step: number): Dialled | undefined => {
  const action = currentAction(call)
  return call.dial === null || call.script?.step !== step || action === undefined || !("dial" in action)
    ? undefined
    : { action: action.dial, dial: call.dial }
}

/** A caller who withholds the number has none to show. */
const isNumber = (caller: string): boolean => /^\+[1-9]\d{6,14}$/.test(caller)

const legRequest = ({ facts, id }: PlacedCall, { action, dial }: Dialled, leg: DialLeg): LegRequest => {
  const { callerId, first_answer_wins, record, ringback_url, sequential, sip_headers } = action
  const inbound = facts.direction === "inbound"
  return {
    id: leg.call_id,
    kind: "dial",
    workspace_id: facts.workspace_id,
    from: inbound ? facts.to : facts.from,
    to: leg.to,
    caller_id: callerId ?? (inbound && isNumber(facts.from) ? facts.from : null),
    ...(inbound && { inbound_caller: facts.from }),
    timeout_seconds: action.timeout ?? ring_seconds,
    max_duration_seconds: action.time_limit ?? child_duration_seconds,
    voice_callback_url: null,
    voice_fallback_url: null,
    metadata: action.metadata ?? facts.metadata,
    client_reference: null,
    parent_call_id: id,
    parent_session_id: facts.session_id,
    ...(dial.hold_id !== null && { shared_hold_id: dial.hold_id }),
    ...(dial.available_minor !== undefined && { available_minor: dial.available_minor }),
    ...(sequential !== undefined && { sequential }),
    ...(first_answer_wins !== undefined && { first_answer_wins }),
    ...(record !== undefined && { record }),
    ...(ringback_url !== undefined && { ringback_url }),
    ...(sip_headers !== undefined && { sip_headers })
  }
}

interface Shared {
  readonly refusals: ReadonlyArray<LegRefusal>
  readonly money: AvailableFunds
}

const unshared = (refusals: ReadonlyArray<LegRefusal>): Shared => ({ refusals, money: {} })

interface Priced extends LegPrice {
  readonly leg: DialLeg
}

const makeCaller = (system: ActorSystem["Service"], legs: Legs["Service"]) => {
  /** Sets the money aside. Where their trunk has no room for all, the last are left out, one by one: why, of each; and what is left. */
  const shareAmong = (
    dial: Pick<SharedHold, "workspace_id" | "hold_id" | "call_id">,
    priced: ReadonlyArray<Priced>
  ): Effect.Effect<Shared, Effect.Error<Done>> => {
    const dearest_minor = Math.max(...priced.map(({ amount_minor }) => amount_minor))
    const carried = priced.flatMap(({ trunk }) => trunk ?? [])
    const trunk = carried[0] && overTrunk(carried[0], carried.length)
    const held = legs.share({
      ...dial,
      amount_minor: dearest_minor,
      to: priced.map(({ leg }) => leg.to),
      ...(trunk && { trunk })
    })
    return Effect.matchEffect(held, {
      onSuccess: (money) => Effect.succeed({ refusals: [], money }),
      onFailure: (error) => {
        if (!(error instanceof Failure)) return Effect.fail(error)
        const last = priced.findLast(({ trunk }) => trunk !== undefined)
        if (!isOfTrunk(error) || last === undefined) return Effect.succeed(unshared([refusalOf(dial.hold_id, error)]))
        const others = priced.filter((each) => each !== last)
        const refusal = refusalOf(last.leg.call_id, error)
        if (others.length === 0) return Effect.succeed(unshared([refusal]))
        return Effect.map(shareAmong(dial, others), ({ money, refusals }) => ({
          refusals: [refusal, ...refusals],
          money
        }))
      }
    })
  }

  /** Every destination is judged before anything rings; then the dearest that is left is paid for, where one hold is for all. */
  const surveyDial = ({ step }: WorkOf<"SurveyDial">, self: CallSelf): Done =>
    Effect.gen(function* () {
      const call = self.state() as PlacedCall
      const dialled = dialOf(call, step)
      if (dialled === undefined) return
      const { hold_id, legs: all } = dialled.dial
      const tell = (refusals: ReadonlyArray<LegRefusal>, money: AvailableFunds = {}) =>
        self.tell({ _tag: "DialSurveyed", step, refusals, ...money })
      const prices = yield* Effect.forEach(all, (leg) => Effect.result(legs.price(legRequest(call, dialled, leg))))
      const refusals = prices.flatMap((price, index) =>
        price._tag === "Failure" ? [refusalOf(all[index]!.call_id, price.failure)] : []
      )
      if (hold_id === null || refusals.length === all.length) return yield* tell(refusals)
      const priced = all.flatMap((leg, index): ReadonlyArray<Priced> => {
        const price = prices[index]!
        return price._tag === "Success" ? [{ leg, ...price.success }] : []
      })
      const {
        facts: { workspace_id },
        id: call_id
      } = call
      yield* Effect.uninterruptible(
        Effect.flatMap(shareAmong({ workspace_id, hold_id, call_id }, priced), ({ money, refusals: more }) =>
          tell([...refusals, ...more], money)
        )
      )
    })

  const startChild = ({ leg, step }: WorkOf<"StartChild">, self: CallSelf): Done => {
    const call = self.state() as PlacedCall
    const dialled = dialOf(call, step)
    if (dialled === undefined) return Effect.void
    return Effect.matchEffect(legs.place(legRequest(call, dialled, leg)), {
      onSuccess: (): Done => self.tell({ _tag: "ChildStarted", child_call_id: leg.call_id }),
      onFailure: (error): Done =>
        error instanceof Failure
          ? self.tell({ _tag: "ChildRefused", refusal: refusalOf(leg.call_id, error) })
          : Effect.fail(error)
    })
  }

  const stopChild = ({ cause, child_call_id }: WorkOf<"StopChild">, self: CallSelf): Done => {
    const source = cause === "answered_elsewhere" ? "platform" : "caller"
    return system.ask(CallActor, child_call_id, { _tag: "Terminate", source, cause }).pipe(
      Effect.as(true),
      Effect.catchTag("calls.not_found", () => Effect.succeed(false)),
      Effect.flatMap((found) => self.tell({ _tag: "ChildStopped", child_call_id, found }))
    )
  }

  const releaseSpareHold = ({ hold_id, workspace_id }: WorkOf<"ReleaseSpareHold">, self: CallSelf): Done =>
    Effect.andThen(
      system.ask(WalletActor, workspace_id, { _tag: "ReleaseHold", hold_id }),
      self.tell({ _tag: "SpareHoldReleased", hold_id })
    )

  return { surveyDial, startChild, stopChild, releaseSpareHold }
}

interface Claimed extends AvailableFunds {
  readonly won: boolean
}

const makeLeg = (system: ActorSystem["Service"]) => {
  /** The leg that is taken gets the money that was set aside for all. */
  const takeHold = ({ facts, id }: PlacedCall): Effect.Effect<Claimed, Effect.Error<Done>> =>
    facts.shared_hold_id === undefined
      ? Effect.succeed({ won: true })
      : system
          .ask(WalletActor, facts.workspace_id, {
            _tag: "HandOverHold",
            from_hold_id: facts.shared_hold_id,
            hold_id: id,
            call_id: id,
            amount_minor: facts.rate_per_min_minor,
            ...(facts.trunk_id !== undefined && { over_trunk: true })
          })
          .pipe(
            Effect.map((held) => (held === null ? { won: false } : { won: true, ...availableFunds(held) })),
            Effect.catch((error) => (error instanceof Failure ? Effect.succeed({ won: false }) : Effect.fail(error)))
          )

  const claimPickUp = ({ parent_call_id }: WorkOf<"ClaimPickUp">, self: CallSelf): Done => {
    const call = self.state() as PlacedCall
    const claim = { _tag: "ChildPickedUp", child_call_id: self.id, session_id: call.facts.session_id } as const
    return system.ask(CallActor, parent_call_id, claim).pipe(
      Effect.catchTag("calls.not_found", () => Effect.succeed(false)),
      Effect.flatMap((won) => (won ? takeHold(call) : Effect.succeed<Claimed>({ won: false }))),
      Effect.flatMap((claimed) => self.tell({ _tag: "PickUpClaimed", ...claimed }))
    )
  }

  const tellParent = ({ parent_call_id, status }: WorkOf<"NotifyParent">, self: CallSelf): Done => {
    const { duration_seconds = null, sip_code } = callRecord(self.state() as PlacedCall)
    const change = { _tag: "ChildChanged", child_call_id: self.id, status, sip_code, duration_seconds } as const
    return system.ask(CallActor, parent_call_id, change).pipe(
      Effect.catchTag("calls.not_found", () => Effect.void),
      Effect.andThen(self.tell({ _tag: "ParentNotified", status }))
    )
  }

  return { claimPickUp, tellParent }
}

export const makeCallDial = (
  system: ActorSystem["Service"],
  legs: Legs["Service"]
): ((work: Dialling, self: CallSelf) => Done) => {
  const caller = makeCaller(system, legs)
  const leg = makeLeg(system)
  return (work, self) => {
    switch (work._tag) {
      case "SurveyDial":
        return caller.surveyDial(work, self)
      case "StartChild":
        return caller.startChild(work, self)
      case "StopChild":
        return caller.stopChild(work, self)
      case "ReleaseSpareHold":
        return caller.releaseSpareHold(work, self)
      case "ClaimPickUp":
        return leg.claimPickUp(work, self)
      case "NotifyParent":
        return leg.tellParent(work, self)
    }
  }
}
