// How each event of the script, and of the legs that it dials, changes a call. No rule is decided here.
import { currentAction, type PlacedCall, type Stopping } from "../state/Call.ts"
import { withCallbackAnswer, withQuestion } from "../state/CallbackLog.ts"
import { beginDial, type Dial, legEnded, legJoined, legRang, legRefused, startedLegs } from "../state/Dial.ts"
import { askNext, type Script, withAnswer, withNextAction, withReplacedActions } from "../state/Script.ts"
import type { ScriptEvent } from "../state/ScriptEvent.ts"
import { beginConference, leaveConferences } from "../../conferences/ConferencePart.ts"
import { beginStream } from "../../streams/CallStream.ts"
import { payloadOf, verbOf } from "../verbs/VoiceAction.ts"
import type { CallId, SessionId } from "../../BrandedIds.ts"

const including = (ids: ReadonlyArray<CallId>, id: CallId): ReadonlyArray<CallId> =>
  ids.includes(id) ? ids : [...ids, id]

const withStopping = (
  stopping: ReadonlyArray<Stopping>,
  call_ids: ReadonlyArray<CallId>,
  cause: Stopping["cause"]
): ReadonlyArray<Stopping> => [
  ...stopping,
  ...call_ids.filter((id) => !stopping.some(({ call_id }) => call_id === id)).map((call_id) => ({ call_id, cause }))
]

/** Ends the dial: its legs must stop, and its hold is spare. */
export const withoutDial = <C extends PlacedCall>(call: C): C => {
  const { dial } = call
  if (dial === null) return call
  return {
    ...call,
    dial: null,
    stopping: withStopping(
      call.stopping,
      startedLegs(dial).map(({ call_id }) => call_id),
      "normal_clearing"
    ),
    spare_hold_ids: dial.hold_id === null ? call.spare_hold_ids : [...call.spare_hold_ids, dial.hold_id]
  }
}

/** Moves the call to an action or question of the script. Prepares the legs if the action dials. */
export const startScript = <C extends PlacedCall>(call: C, script: Script): C => {
  const { since: at, step } = script
  const conferences = call.conferences && leaveConferences(call.conferences, at)
  const moved: C = { ...withoutDial(call), script, ...(conferences && { conferences }) }
  const action = currentAction(moved)
  if (action === undefined) return moved
  const engaged: C = verbOf(action).verb.engages ? { ...moved, engaged: true } : moved
  const dial = payloadOf(action, "dial")
  if (dial !== undefined) return { ...engaged, dial: beginDial(call.id, script.step, dial) }
  const stream = payloadOf(action, "stream")
  const conference = payloadOf(action, "conference")
  if (conference !== undefined)
    return { ...engaged, conferences: beginConference(call.conferences ?? [], conference, { at, step }) }
  if (stream === undefined) return engaged
  return { ...engaged, streams: beginStream(call.id, call.streams ?? [], stream, { at, step }) }
}

const inScript = (call: PlacedCall, change: (script: Script) => PlacedCall): PlacedCall =>
  call.script === null ? call : change(call.script)

const inDial = (call: PlacedCall, change: (dial: Dial) => Dial): PlacedCall =>
  call.dial === null ? call : { ...call, dial: change(call.dial) }

/** Where the first answer decides, all other legs must end. */
const joined = (call: PlacedCall, child_call_id: CallId, session_id: SessionId): PlacedCall => {
  if (call.dial === null) return call
  const dial = legJoined(call.dial, child_call_id, session_id)
  const lost = startedLegs(call.dial).filter(({ call_id }) =>
    dial.legs.some((leg) => leg.call_id === call_id && leg.phase === "over")
  )
  return {
    ...call,
    dial,
    stopping: withStopping(
      call.stopping,
      lost.map(({ call_id }) => call_id),
      "answered_elsewhere"
    )
  }
}

export const evolveScript = (call: PlacedCall, event: ScriptEvent): PlacedCall => {
  switch (event._tag) {
    case "CallbackAnswered": {
      const consulted = withCallbackAnswer(call.consulted, event.actions.length, event.at)
      return inScript(call, (script) =>
        startScript({ ...call, consulted }, withAnswer(script, event.actions, event.at))
      )
    }
    case "ActionDone":
      return inScript(call, (script) => startScript(call, withNextAction(script, event.at)))
    case "ActionsReplaced":
      return startScript(call, withReplacedActions(call.script, event.actions, event.cut_command_id, event.at))
    case "CallbackAsked": {
      const consulted = withQuestion(call.consulted, event.question, event.at)
      return inScript(call, (script) => startScript({ ...call, consulted }, askNext(script, event.question, event.at)))
    }
    case "Tagged":
      return { ...call, facts: { ...call.facts, metadata: event.metadata } }
    case "DialSurveyed":
      return inDial(call, (dial) => ({
        ...dial,
        surveyed: true,
        ...(event.available_minor !== undefined && { available_minor: event.available_minor })
      }))
    case "DialRefused":
      return inDial(call, (dial) => legRefused(dial, event.refusal.call_id, event.refusal))
    case "RefusalSpoken":
      return inDial(call, (dial) => ({ ...dial, announced: true }))
    case "ChildAdded":
      return {
        ...inDial(call, (dial) => legRang(dial, event.child_call_id)),
        child_call_ids: including(call.child_call_ids, event.child_call_id)
      }
    case "ChildOrphaned":
      return {
        ...call,
        child_call_ids: including(call.child_call_ids, event.child_call_id),
        stopping: withStopping(call.stopping, [event.child_call_id], "normal_clearing")
      }
    case "ChildJoined":
      return joined(call, event.child_call_id, event.session_id)
    case "ChildEnded":
      return inDial(call, (dial) => legEnded(dial, event.child_call_id, event))
    case "ChildStopped":
      return { ...call, stopping: call.stopping.filter(({ call_id }) => call_id !== event.child_call_id) }
    case "SpareHoldReleased":
      return { ...call, spare_hold_ids: call.spare_hold_ids.filter((id) => id !== event.hold_id) }
  }
}
