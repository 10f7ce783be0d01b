// What the PBX's events mean to a call. They are taken in the order of `seq`; what came early waits, what came twice or
// after the end changes nothing.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import { PbxUnknownWorkspace } from "../errors/PbxErrors.ts"
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import { commandIdOf } from "./PbxCommands.ts"
import type { Call, PlacedCall } from "./Call.ts"
import { type CallEvent, evolveCall } from "./CallEvent.ts"
import { isOfRecording, recordingReported } from "./CallRecordings.ts"
import type { CallReply } from "./CallReply.ts"
import { advanced, completed, unanswered } from "./EndCall.ts"
import { q850Of, refusedBy } from "./HangupCauses.ts"

/** Early events kept for their turn; a gateway that sends more is broken, and its snapshot closes the gap. */
const ahead_max = 100

/** An answered call asks its callback within so long, all tries and redirects included. */
export const callback_budget_ms = 10_000

type Events = ReadonlyArray<CallEvent>

const instant = (event: PbxEvent, call: PlacedCall, now: number): number => {
  const at = Date.parse(event.occurred_at)
  return Math.max(call.facts.created_at, Math.min(Number.isNaN(at) ? now : at, now))
}

/** Told when the first minute is over, the call is not cut off before the next one was asked for. */
const answered = (call: PlacedCall, at: number, now: number): Events => [
  { _tag: "Answered", at, answer_by: call.facts.voice_callback_url === null ? null : now + callback_budget_ms },
  ...(now - at >= 60_000 ? [{ _tag: "Resumed", at: now } as const] : [])
]

const whileRinging = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  switch (event.type) {
    case "leg.ringing":
      return call.ringing_at === null ? [{ _tag: "NetworkRang", at, step: "ringing" }] : []
    case "leg.early_media":
      return [{ _tag: "NetworkRang", at, step: "early_media" }]
    case "leg.answered":
      return answered(call, at, now)
    case "leg.hangup": {
      const sip_code = event.data.sip_code ?? null
      const q850_cause = event.data.q850 ?? q850Of(sip_code)
      return [unanswered(at, { ...refusedBy(sip_code), source: event.data.source ?? "callee", sip_code, q850_cause }, true)]
    }
    case "session.snapshot":
      if (event.data.state === "answered") return answered(call, at, now)
      if (event.data.state !== "absent") return []
      return [unanswered(at, { status: "failed", cause: "session_lost", source: "carrier", sip_code: null, q850_cause: null }, true)]
    default:
      return []
  }
}

const whileAnswered = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  switch (event.type) {
    case "leg.hangup": {
      const sip_code = event.data.sip_code ?? null
      return [completed(call, {
        at,
        now,
        cause: "normal_clearing",
        source: event.data.source ?? "callee",
        sip_code,
        q850_cause: event.data.q850 ?? null,
        confirmed: true
      })]
    }
    case "playback.finished":
      return event.data.command_id === commandIdOf(call, "say") ? advanced(call, [{ _tag: "ActionDone", at: now }], now) : []
    case "leg.bridged":
      return call.dial === null ? [] : [{ _tag: "Bridged", at }]
    case "session.snapshot":
      if (event.data.state !== "absent") return []
      return [completed(call, { at: call.pbx.proof_at, now, cause: "session_lost", source: "carrier", confirmed: true })]
    default:
      return []
  }
}

/** After the end the event is kept in the log, and a leg that came up all the same is taken down. */
const afterTheEnd = (call: PlacedCall, event: PbxEvent, at: number): Events => {
  const gone = event.type === "leg.hangup" || (event.type === "session.snapshot" && event.data.state === "absent")
  if (gone) return call.pbx.closed ? [] : [{ _tag: "PbxClosed" }]
  if (event.type === "leg.answered" && call.answered_at === null) return [{ _tag: "AnswerIgnored", at }]
  if (event.type === "session.snapshot" || event.type === "playback.finished") return []
  return [{ _tag: "CameLate", at, step: event.type }]
}

const meaningOf = (call: PlacedCall, event: PbxEvent, now: number): Events => {
  const at = instant(event, call, now)
  if (isOfRecording(event)) return recordingReported(call, event, at)
  if (call.phase === "ringing") return whileRinging(call, event, at, now)
  return call.phase === "answered" ? whileAnswered(call, event, at, now) : afterTheEnd(call, event, at)
}

/** The event, which a snapshot is in turn by itself, between those that wait before it and right behind it. */
const inTurn = (ahead: ReadonlyArray<PbxEvent>, event: PbxEvent): ReadonlyArray<PbxEvent> => {
  const turn = [...ahead.filter(({ seq }) => seq < event.seq), event]
  for (const waiting of ahead) if (waiting.seq === turn.at(-1)!.seq + 1) turn.push(waiting)
  return turn
}

const applied = (call: PlacedCall, event: PbxEvent, now: number): Events => {
  const events: Array<CallEvent> = []
  let state: Call = call
  for (const next of inTurn(call.pbx.ahead, event)) {
    const at = instant(next, call, now)
    const step: Events = [...meaningOf(state as PlacedCall, next, now), { _tag: "PbxApplied", seq: next.seq, at }]
    events.push(...step)
    state = step.reduce(evolveCall, state)
  }
  return events
}

export const decidePbxEvent = (call: PlacedCall, event: PbxEvent, now: number): Decided<CallEvent, CallReply> => {
  // A gateway may speak for the tenant that it names, and not for the sessions of others.
  if (event.tenant_pbx_id !== call.facts.tenant_pbx_id) return Result.fail(new PbxUnknownWorkspace())
  const outcome = call.phase === "settling" || call.phase === "ended" ? "ignored_late" : "accepted"
  const reported = (events: Events): Decided<CallEvent, CallReply> =>
    Result.succeed({ events, reply: { _tag: "Reported", outcome } })
  const known = event.seq <= call.pbx.seq || call.pbx.ahead.some(({ seq }) => seq === event.seq)
  if (known) return Result.succeed({ events: [], reply: { _tag: "Reported", outcome: "duplicate" } })
  if (event.seq === call.pbx.seq + 1 || event.type === "session.snapshot") return reported(applied(call, event, now))
  if (call.pbx.ahead.length >= ahead_max) return reported([])
  return reported([{ _tag: "PbxBuffered", event, at: now }])
}
