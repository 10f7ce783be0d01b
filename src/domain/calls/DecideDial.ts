// The rules of a dial, from both ends: the call that dials, and the leg that is picked up.
import { Result } from "effect"
import { advanced } from "./AdvanceScript.ts"
import { type Call, isKnown, isStopping, type PlacedCall } from "./Call.ts"
import type { CallRules } from "./CallCommand.ts"
import type { LegRefusal } from "./CallFacts.ts"
import type { CallEvent } from "./CallEvent.ts"
import type { CallStatus } from "./CallRecord.ts"
import { mayJoin } from "./Dial.ts"
import { abandoned, heardLate } from "./EndCall.ts"
import { limited } from "./MaxTalkTime.ts"

type Events = ReadonlyArray<CallEvent>

const happened = (...events: Events) => Result.succeed({ events, reply: undefined })
const nothing = happened()

const legOf = (call: Call, child_call_id: string) => call.dial?.legs.find(({ call_id }) => call_id === child_call_id)

/** One refusal that is of the whole dial keeps every leg from being placed that was not. */
const refused = (call: Call, refusals: ReadonlyArray<LegRefusal>, now: number): Events => {
  const whole = refusals.find(({ whole }) => whole)
  return call.dial!.legs.flatMap(({ call_id, phase, to }): Events => {
    const refusal = refusals.find((refusal) => refusal.call_id === call_id) ?? (whole && { ...whole, call_id })
    return refusal === undefined || phase !== "waiting" ? [] : [{ _tag: "DialRefused", at: now, to, refusal }]
  })
}

export const dialSurveyed: CallRules["DialSurveyed"] = (call, { available_minor, refusals, step }, now) =>
  call.dial === null || call.dial.surveyed || call.script?.step !== step
    ? nothing
    : happened(
        ...advanced(
          call,
          [
            { _tag: "DialSurveyed", ...(available_minor !== undefined && { available_minor }) },
            ...refused(call, refusals, now)
          ],
          now
        )
      )

export const childStarted: CallRules["ChildStarted"] = (call, { child_call_id }) => {
  const leg = legOf(call, child_call_id)
  if (leg === undefined || leg.phase === "over")
    return isKnown(call, child_call_id) ? nothing : orphaned(call, child_call_id)
  return leg.phase === "waiting" ? happened({ _tag: "ChildAdded", child_call_id }) : nothing
}

export const childRefused: CallRules["ChildRefused"] = (call, { refusal }, now) =>
  legOf(call, refusal.call_id)?.phase === "waiting"
    ? happened(...advanced(call, refused(call, [refusal], now), now))
    : nothing

/** Who dials: an answered call, or one that is forwarded before it is answered. */
const mayTake = ({ phase, reception }: Call): boolean =>
  phase === "answered" || (phase === "ringing" && reception !== null)

/** The first message that comes takes the place; who asks again gets the same answer. */
export const childPickedUp: CallRules["ChildPickedUp"] = (call, { child_call_id, session_id }, now) => {
  const claimed = (won: boolean, ...events: Events) => Result.succeed({ events, reply: won })
  if (!mayTake(call) || call.dial === null || !mayJoin(call.dial, child_call_id)) return claimed(false)
  if (legOf(call, child_call_id)!.phase === "joined") return claimed(true)
  const answering: Events = call.reception?.step === "forwarding" ? [{ _tag: "Answering", at: now }] : []
  return claimed(
    true,
    { _tag: "ChildAdded", child_call_id },
    { _tag: "ChildJoined", at: now, child_call_id, session_id },
    ...answering
  )
}

/** A leg that this call does not wait for, because it ended or went on meanwhile, is taken down. */
export const orphaned = (call: PlacedCall, child_call_id: string) =>
  isStopping(call, child_call_id) && isKnown(call, child_call_id)
    ? nothing
    : happened({ _tag: "ChildOrphaned", child_call_id })

const stray = (call: PlacedCall, child_call_id: string, status: CallStatus) => {
  if (status === "ringing" || status === "answered") return orphaned(call, child_call_id)
  return isKnown(call, child_call_id) ? nothing : happened({ _tag: "ChildAdded", child_call_id })
}

export const childChanged: CallRules["ChildChanged"] = (
  call,
  { child_call_id, duration_seconds, sip_code, status },
  now
) => {
  const leg = legOf(call, child_call_id)
  if (leg === undefined || leg.phase === "over") return stray(call, child_call_id, status)
  const added: Events = isKnown(call, child_call_id) ? [] : [{ _tag: "ChildAdded", child_call_id }]
  if (status === "ringing" || status === "answered") return happened(...added)
  const ended: CallEvent = { _tag: "ChildEnded", child_call_id, outcome: status, sip_code, duration_seconds }
  return happened(...advanced(call, [...added, ended], now))
}

/** A leg that was not found and has been heard of since is looked for again. */
export const childStopped: CallRules["ChildStopped"] = (call, { child_call_id, found }) =>
  isStopping(call, child_call_id) && (found || !isKnown(call, child_call_id))
    ? happened({ _tag: "ChildStopped", child_call_id })
    : nothing

export const spareHoldReleased: CallRules["SpareHoldReleased"] = (call, { hold_id }) =>
  call.spare_hold_ids.includes(hold_id) ? happened({ _tag: "SpareHoldReleased", hold_id }) : nothing

/** Only what is taken has been answered, and costs something. */
export const pickUpClaimed: CallRules["PickUpClaimed"] = (call, { available_minor, won }, now) => {
  const { picked_up } = call
  if (picked_up === null) return nothing
  if (!won) return happened(...abandoned(call, now, "canceled", "answered_elsewhere", "platform"))
  return happened(
    { _tag: "Answered", at: picked_up.at, question: null, detect_until: null },
    ...limited(call, { at: now, available_minor }),
    ...heardLate(picked_up.at, now),
    { _tag: "ParentTold", status: "answered" }
  )
}
