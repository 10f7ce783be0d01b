// The tasks of a call that dials: it checks destinations, starts and stops legs, and releases their holds.
import { Effect, Result, Struct } from "effect"
import { type Call, currentAction, type PlacedCall } from "../../domain/calls/state/Call.ts"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import type { LegRefusal } from "../../domain/calls/state/CallFacts.ts"
import { defaultRing_seconds } from "../../domain/calls/state/NewFacts.ts"
import type { Dial, DialLeg } from "../../domain/calls/state/Dial.ts"
import { type DialAction, payloadOf } from "../../domain/calls/verbs/VoiceAction.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { e164 } from "../../domain/numbers/E164.ts"
import { isOfTrunk } from "../../domain/trunks/TrunkCapacity.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import type { AvailableFunds } from "../wallet/AvailableFunds.ts"
import { type CallSelf, placedCall, type WorkOf } from "./CallWork.ts"
import { legRefusal } from "./LegRefusal.ts"
import { type LegPrice, type LegRequest, overTrunk, type SharedHold } from "./LegRequest.ts"
import type { Legs } from "./Legs.ts"
import { traced } from "../../domain/Traced.ts"

interface CurrentDial {
  readonly action: DialAction
  readonly dial: Dial
}

/** The dial of the step; undefined if the call has gone on. */
const dialOf = (call: Call, step: number): CurrentDial | undefined => {
  const action = payloadOf(currentAction(call), "dial")
  return call.dial === null || call.script?.step !== step || action === undefined
    ? undefined
    : { action, dial: call.dial }
}

const legRequest = ({ facts, id }: PlacedCall, { action, dial }: CurrentDial, leg: DialLeg): LegRequest => {
  const { callerId, metadata, time_limit, timeout } = action
  const inbound = facts.direction === "inbound"
  return {
    id: leg.call_id,
    kind: "dial",
    workspace_id: facts.workspace_id,
    from: inbound ? facts.to : facts.from,
    to: leg.to,
    // Callers who withhold their number have none to show.
    caller_id: callerId ?? (inbound && e164.test(facts.from) ? facts.from : null),
    ...(inbound && { inbound_caller: facts.from }),
    timeout_seconds: timeout ?? defaultRing_seconds,
    // A leg ends with the call that dialled it, so without a limit it may last as long as any call.
    ...(time_limit !== undefined && { max_duration_seconds: time_limit }),
    metadata: metadata ?? facts.metadata,
    parent_call_id: id,
    parent_session_id: facts.session_id,
    ...(dial.hold_id !== null && { shared_hold_id: dial.hold_id }),
    ...(dial.available_minor !== undefined && { available_minor: dial.available_minor }),
    ...Struct.pick(action, ["sequential", "first_answer_wins", "record", "ringback_url", "sip_headers"])
  }
}

interface PricedLeg extends LegPrice {
  readonly leg: DialLeg
}

/**
 * Holds the first minute of the most expensive leg, for whichever is answered first. If the trunk has no room for all
 * legs that go over it, they are refused one by one, from the last, until it has.
 */
const makeShareHold = (legs: Legs["Service"]) =>
  Effect.fnUntraced(function* (
    hold: Pick<SharedHold, "workspace_id" | "hold_id" | "call_id">,
    all: ReadonlyArray<PricedLeg>
  ) {
    const refusals: Array<LegRefusal> = []
    let priced = all
    while (priced.length > 0) {
      const trunks = priced.flatMap(({ trunk }) => trunk ?? [])
      const held = yield* Effect.result(
        legs.share({
          ...hold,
          amount_minor: Math.max(...priced.map(({ amount_minor }) => amount_minor)),
          to: priced.map(({ leg }) => leg.to),
          risks: priced.map(({ risk }) => risk),
          ...(trunks[0] && { trunk: overTrunk(trunks[0], trunks.length) })
        })
      )
      if (Result.isSuccess(held)) return { refusals, funds: held.success }
      const error = held.failure
      if (error instanceof NotCommitted) return yield* Effect.fail(error)
      const last = priced.findLast(({ trunk }) => trunk !== undefined)
      if (!isOfTrunk(error) || last === undefined)
        return { refusals: [...refusals, ...priced.map(({ leg }) => legRefusal(leg.call_id, error))], funds: {} }
      refusals.push(legRefusal(last.leg.call_id, error))
      priced = priced.filter((each) => each !== last)
    }
    return { refusals, funds: {} }
  })

const makeSurveyDial = (legs: Legs["Service"]) => {
  const shareHold = makeShareHold(legs)

  /** Checks every destination before anything rings, and holds money for the legs that share a hold. */
  return traced("PerformCall.surveyDial")(function* ({ step }: WorkOf<"SurveyDial">, self: CallSelf) {
    const call = placedCall(self)
    const current = dialOf(call, step)
    if (current === undefined) return
    const { hold_id, legs: all } = current.dial
    const report = (refusals: ReadonlyArray<LegRefusal>, funds: AvailableFunds = {}) =>
      self.tell({ _tag: "DialSurveyed", step, refusals, ...funds })
    const refusals: Array<LegRefusal> = []
    const priced: Array<PricedLeg> = []
    for (const leg of all) {
      const price = yield* Effect.result(legs.price(legRequest(call, current, leg)))
      if (Result.isFailure(price)) refusals.push(legRefusal(leg.call_id, price.failure))
      else priced.push({ leg, ...price.success })
    }
    if (hold_id === null || priced.length === 0) return yield* report(refusals)
    const { workspace_id } = call.facts
    yield* Effect.uninterruptible(
      Effect.flatMap(shareHold({ workspace_id, hold_id, call_id: call.id }, priced), (shared) =>
        report([...refusals, ...shared.refusals], shared.funds)
      )
    )
  })
}

export const makeCallDial = (system: ActorSystem["Service"], legs: Legs["Service"]) => ({
  surveyDial: makeSurveyDial(legs),

  startChild: traced("PerformCall.startChild")(function* ({ leg, step }: WorkOf<"StartChild">, self: CallSelf) {
    const call = placedCall(self)
    const current = dialOf(call, step)
    if (current === undefined) return
    const placed = yield* Effect.result(legs.place(legRequest(call, current, leg)))
    if (Result.isSuccess(placed)) return yield* self.tell({ _tag: "ChildStarted", child_call_id: leg.call_id })
    const error = placed.failure
    if (error instanceof NotCommitted) return yield* Effect.fail(error)
    yield* self.tell({ _tag: "ChildRefused", refusal: legRefusal(leg.call_id, error) })
  }),

  stopChild: traced("PerformCall.stopChild")(function* ({ cause, child_call_id }: WorkOf<"StopChild">, self: CallSelf) {
    const source = cause === "answered_elsewhere" ? "platform" : "caller"
    const found = yield* system.ask(CallCommands.Terminate, child_call_id, { source, cause }).pipe(
      Effect.as(true),
      Effect.catchTag("calls.not_found", () => Effect.succeed(false))
    )
    yield* self.tell({ _tag: "ChildStopped", child_call_id, found })
  }),

  releaseSpareHold: traced("PerformCall.releaseSpareHold")(function* (
    { hold_id, workspace_id }: WorkOf<"ReleaseSpareHold">,
    self: CallSelf
  ) {
    yield* system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id })
    yield* self.tell({ _tag: "SpareHoldReleased", hold_id })
  })
})
