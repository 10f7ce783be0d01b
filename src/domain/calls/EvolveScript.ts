// How each event of the script, and of the legs that it dials, changes a call. No rule is decided here.
import { type Call, currentAction, type Stopping } from "./Call.ts"
import { evolveRecordings, type RecordingEvent } from "./CallRecordings.ts"
import { consultedAbout, consultedWith } from "./CallbackLog.ts"
import { beginDial, type Dial, legEnded, legJoined, legRang, startedLegs } from "./Dial.ts"
import { answeredWith, askedNext, atNext, replacedBy, type Script } from "./Script.ts"
import type { ScriptEvent } from "./ScriptEvent.ts"
import type { VoiceAction } from "./VoiceAction.ts"

const including = (ids: ReadonlyArray<string>, id: string): ReadonlyArray<string> =>
  ids.includes(id) ? ids : [...ids, id]

const stopped = (
  stopping: ReadonlyArray<Stopping>,
  call_ids: ReadonlyArray<string>,
  cause: Stopping["cause"]
): ReadonlyArray<Stopping> => [
  ...stopping,
  ...call_ids.filter((id) => !stopping.some(({ call_id }) => call_id === id)).map((call_id) => ({ call_id, cause }))
]

/** Whatever was dialled is let go. */
export const withoutDial = (call: Call): Call => {
  const { dial } = call
  if (dial === null) return call
  return {
    ...call,
    dial: null,
    stopping: stopped(
      call.stopping,
      startedLegs(dial).map(({ call_id }) => call_id),
      "normal_clearing"
    ),
    spare_hold_ids: dial.hold_id === null ? call.spare_hold_ids : [...call.spare_hold_ids, dial.hold_id]
  }
}

/** What an action does to the party that is called. A pause and what takes no time do nothing. */
const engages = (action: VoiceAction): boolean =>
  !("hangup" in action || "reject" in action || "tag" in action || "redirect" in action || "pause" in action)

/** At an action or a question of the script, ready for the legs that it dials, if it dials. */
export const startScript = (call: Call, script: Script): Call => {
  const at = { ...withoutDial(call), script }
  const action = currentAction(at)
  const next: Call = action !== undefined && engages(action) ? { ...at, engaged: true } : at
  return action !== undefined && "dial" in action
    ? { ...next, dial: beginDial(call.id, script.step, action.dial) }
    : next
}

const inDial = (call: Call, change: (dial: Dial) => Dial): Call =>
  call.dial === null ? call : { ...call, dial: change(call.dial) }

/** Where the first answer decides, whatever else was rung must end. */
const joined = (call: Call, child_call_id: string, session_id: string): Call => {
  const dial = legJoined(call.dial!, child_call_id, session_id)
  const lost = startedLegs(call.dial!).filter(({ call_id }) =>
    dial.legs.some((leg) => leg.call_id === call_id && leg.phase === "over")
  )
  return {
    ...call,
    dial,
    stopping: stopped(
      call.stopping,
      lost.map(({ call_id }) => call_id),
      "answered_elsewhere"
    )
  }
}

export const evolveScript = (call: Call, event: ScriptEvent | RecordingEvent): Call => {
  switch (event._tag) {
    case "CallbackAnswered":
      return startScript(
        { ...call, consulted: consultedWith(call.consulted, event.actions.length, event.at) },
        answeredWith(call.script!, event.actions, event.at)
      )
    case "ActionDone":
      return startScript(call, atNext(call.script!, event.at))
    case "ActionsReplaced":
      return startScript(call, replacedBy(call.script, event.actions, event.cut_command_id, event.at))
    case "Asked":
      return startScript(
        { ...call, consulted: consultedAbout(call.consulted, event.question, event.at) },
        askedNext(call.script!, event.question, event.at)
      )
    case "Tagged":
      return { ...call, facts: { ...call.facts!, metadata: event.metadata } }
    case "DialSurveyed":
      return inDial(call, (dial) => ({
        ...dial,
        surveyed: true,
        ...(event.available_minor !== undefined && { available_minor: event.available_minor })
      }))
    case "DialRefused":
      return inDial(call, (dial) =>
        legEnded(dial, event.refusal.call_id, { outcome: "refused", sip_code: null, duration_seconds: null })
      )
    case "ChildAdded":
      return {
        ...inDial(call, (dial) => legRang(dial, event.child_call_id)),
        child_call_ids: including(call.child_call_ids, event.child_call_id)
      }
    case "ChildOrphaned":
      return {
        ...call,
        child_call_ids: including(call.child_call_ids, event.child_call_id),
        stopping: stopped(call.stopping, [event.child_call_id], "normal_clearing")
      }
    case "ChildJoined":
      return joined(call, event.child_call_id, event.session_id)
    case "ChildEnded":
      return inDial(call, (dial) => legEnded(dial, event.child_call_id, event))
    case "ChildStopped":
      return { ...call, stopping: call.stopping.filter(({ call_id }) => call_id !== event.child_call_id) }
    case "SpareHoldReleased":
      return { ...call, spare_hold_ids: call.spare_hold_ids.filter((id) => id !== event.hold_id) }
    default:
      return evolveRecordings(call, event)
  }
}
