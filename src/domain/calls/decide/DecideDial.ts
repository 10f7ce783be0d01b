// The rules of a dial, for the call that dials and for the leg that is picked up.
import { Result } from "effect"
import { advanced } from "./AdvanceScript.ts"
import { type Call, isKnown, isStopping, type PlacedCall, type RingingCall } from "../state/Call.ts"
import type { CallRules, RulesFor } from "../state/CallCommand.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import type { LegRefusal } from "../state/CallFacts.ts"
import type { CallStatus } from "../state/CallRecord.ts"
import { happened, nothing } from "../state/Decided.ts"
import { type Dial, dueLegs, mayJoin } from "../state/Dial.ts"
import { abandoned, answeredLate } from "./EndCall.ts"
import { limitTalk } from "../state/MaxTalkTime.ts"
import type { CallId } from "../../BrandedIds.ts"

type Events = ReadonlyArray<CallEvent>

const legOf = (call: Call, child_call_id: CallId) => call.dial?.legs.find(({ call_id }) => call_id === child_call_id)

/**
 * A refusal that concerns the whole dial applies to every leg that is not placed yet. Legs that are being placed may
 * exist already, and each has its own result.
 */
const refusedLegs = (dial: Dial, refusals: ReadonlyArray<LegRefusal>, now: number): Events => {
  const whole = refusals.find(({ whole }) => whole)
  const placing = dueLegs(dial)
  return dial.legs.flatMap((leg): Events => {
    const { call_id, phase, to } = leg
    const shared = whole === undefined || placing.includes(leg) ? undefined : { ...whole, call_id }
    const refusal = refusals.find((refusal) => refusal.call_id === call_id) ?? shared
    return refusal === undefined || phase !== "waiting" ? [] : [{ _tag: "DialRefused", at: now, to, refusal }]
  })
}

export const dialSurveyed: CallRules["DialSurveyed"] = (call, { available_minor, refusals, step }, now) => {
  const { dial } = call
  if (dial === null || dial.surveyed || call.script?.step !== step) return nothing
  const surveyed: CallEvent = { _tag: "DialSurveyed", ...(available_minor !== undefined && { available_minor }) }
  return happened(...advanced(call, [surveyed, ...refusedLegs(dial, refusals, now)], now))
}

export const childStarted: CallRules["ChildStarted"] = (call, { child_call_id }) => {
  const leg = legOf(call, child_call_id)
  if (leg === undefined || leg.phase === "over")
    return isKnown(call, child_call_id) ? nothing : orphaned(call, child_call_id)
  return leg.phase === "waiting" ? happened({ _tag: "ChildAdded", child_call_id }) : nothing
}

export const childRefused: CallRules["ChildRefused"] = (call, { refusal }, now) =>
  call.dial !== null && legOf(call, refusal.call_id)?.phase === "waiting"
    ? happened(...advanced(call, refusedLegs(call.dial, [refusal], now), now))
    : nothing

/** Whether the call may accept a leg: it is answered, or it is forwarded before its answer. */
const mayAccept = ({ phase, reception }: Call): boolean =>
  phase === "answered" || (phase === "ringing" && reception !== null)

/** The leg whose message comes first is accepted. A leg that asks again gets the same reply. */
export const childPickedUp: CallRules["ChildPickedUp"] = (call, { child_call_id, session_id }, now) => {
  const decided = (won: boolean, ...events: Events) => Result.succeed({ events, reply: won })
  if (!mayAccept(call) || call.dial === null || !mayJoin(call.dial, child_call_id)) return decided(false)
  if (legOf(call, child_call_id)?.phase === "joined") return decided(true)
  const answering: Events = call.reception?.step === "forwarding" ? [{ _tag: "Answering", at: now }] : []
  return decided(
    true,
    { _tag: "ChildAdded", child_call_id },
    { _tag: "ChildJoined", at: now, child_call_id, session_id },
    ...answering
  )
}

/** A leg that this call does not wait for, because it ended or went on meanwhile, must end. */
const orphaned = (call: PlacedCall, child_call_id: CallId) =>
  isStopping(call, child_call_id) && isKnown(call, child_call_id)
    ? nothing
    : happened({ _tag: "ChildOrphaned", child_call_id })

const unexpectedChild = (call: PlacedCall, child_call_id: CallId, status: CallStatus) => {
  if (status === "ringing" || status === "answered") return orphaned(call, child_call_id)
  return isKnown(call, child_call_id) ? nothing : happened({ _tag: "ChildAdded", child_call_id })
}

export const childChanged: CallRules["ChildChanged"] = (call, change, now) => {
  const { child_call_id, duration_seconds, sip_code, status } = change
  const leg = legOf(call, child_call_id)
  if (leg === undefined || leg.phase === "over") return unexpectedChild(call, child_call_id, status)
  const added: Events = isKnown(call, child_call_id) ? [] : [{ _tag: "ChildAdded", child_call_id }]
  if (status === "ringing" || status === "answered") return happened(...added)
  const ended: CallEvent = { _tag: "ChildEnded", child_call_id, outcome: status, sip_code, duration_seconds }
  return happened(...advanced(call, [...added, ended], now))
}

/** A leg that was not found but has sent a message since is stopped again. */
export const childStopped: CallRules["ChildStopped"] = (call, { child_call_id, found }) =>
  isStopping(call, child_call_id) && (found || !isKnown(call, child_call_id))
    ? happened({ _tag: "ChildStopped", child_call_id })
    : nothing

export const spareHoldReleased: CallRules["SpareHoldReleased"] = (call, { hold_id }) =>
  call.spare_hold_ids.includes(hold_id) ? happened({ _tag: "SpareHoldReleased", hold_id }) : nothing

/** A leg counts as answered, and costs, only once its parent call has accepted it. */
export const pickUpClaimed: RulesFor<RingingCall>["PickUpClaimed"] = (call, { available_minor, won }, now) => {
  const { picked_up } = call
  if (picked_up === null) return nothing
  if (!won) return happened(...abandoned(call, now, "canceled", "answered_elsewhere", "platform"))
  return happened(
    { _tag: "Answered", at: picked_up.at, question: null, detect_until: null },
    ...limitTalk(call, { at: now, available_minor }),
    ...answeredLate(picked_up.at, now),
    { _tag: "ParentNotified", status: "answered" }
  )
}
