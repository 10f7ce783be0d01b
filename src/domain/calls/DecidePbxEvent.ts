// What the PBX's events mean to a call. They are taken in the order of `seq`; what came early waits, what came twice or
// after the end changes nothing.
import { Result } from "effect"
import { PbxUnknownWorkspace } from "../errors/PbxErrors.ts"
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import { advanced } from "./AdvanceScript.ts"
import type { Call, PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import { evolveCall } from "./EvolveCall.ts"
import { isOfRecording } from "./CallRecordings.ts"
import type { CallRules } from "./CallCommand.ts"
import { mediaEvents, recordingEvents } from "./DecideMedia.ts"
import { completed, heardLate, unanswered } from "./EndCall.ts"
import { q850Of, type Refused, refusedBy } from "./HangupCauses.ts"
import { default_detection_seconds } from "./PbxCommands.ts"
import type { Question } from "./Script.ts"
import { callback_budget_ms } from "./ScriptSteps.ts"
import { limitReached, mayBeLimited } from "./MaxTalkTime.ts"
import { isTranscript, saidBy } from "./Transcript.ts"

/** Early events kept for their turn; a gateway that sends more is broken, and its snapshot closes the gap. */
const ahead_max = 100

/** The call that dialled a leg has so long to say whether it takes it. */
const claim_patience_ms = 10_000

type Events = ReadonlyArray<CallEvent>

const instant = (event: PbxEvent, call: PlacedCall, now: number): number => {
  const at = Date.parse(event.occurred_at)
  return Math.max(call.facts.created_at, Math.min(Number.isNaN(at) ? now : at, now))
}

/** The PBX has answered an inbound call as it was told; its script goes on. An answer of the PBX's own making is none. */
const answeredByUs = (call: PlacedCall, at: number, now: number): Events =>
  call.reception?.step === "answering"
    ? advanced(call, [{ _tag: "Answered", at, question: null, detect_until: null }, ...heardLate(at, now)], now)
    : []

/** A leg that was dialled has only been picked up: it is answered once the call that dialled it takes it. */
const pickedUp = (call: PlacedCall, at: number, now: number): Events => {
  if (call.reception !== null) return answeredByUs(call, at, now)
  const {
    machine_detection = "off",
    machine_detection_timeout_seconds,
    parent_call_id,
    voice_callback_url: url
  } = call.facts
  if (parent_call_id !== null)
    return call.picked_up === null ? [{ _tag: "PickedUp", at, claim_by: now + claim_patience_ms }] : []
  const seconds = machine_detection_timeout_seconds ?? default_detection_seconds
  const detect_until = machine_detection === "off" || url === null ? null : now + seconds * 1000
  const answer_by = detect_until === null ? now + callback_budget_ms : null
  const question: Question | null = url === null ? null : { reason: "answered", url, result: null, answer_by }
  return [{ _tag: "Answered", at, question, detect_until }, ...heardLate(at, now)]
}

/** What was picked up and is put down before it was taken was never answered; a caller who gives up has not been refused. */
const putDown = (call: PlacedCall, event: PbxEvent, at: number): Events => {
  const sip_code = event.data.sip_code ?? null
  const q850_cause = event.data.q850 ?? q850Of(sip_code)
  const source = event.data.source ?? (call.reception === null ? "callee" : "caller")
  const gone = call.picked_up !== null || call.reception !== null
  const refused: Refused = gone ? { status: "canceled", cause: "normal_clearing" } : refusedBy(sip_code)
  return [unanswered(at, { ...refused, source, sip_code, q850_cause }, true)]
}

const whileRinging = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  switch (event.type) {
    case "leg.ringing":
      return call.ringing_at === null ? [{ _tag: "NetworkRang", at, step: "ringing" }] : []
    case "leg.early_media":
      return [{ _tag: "NetworkRang", at, step: "early_media" }]
    case "leg.answered":
      return pickedUp(call, at, now)
    case "leg.hangup":
      return putDown(call, event, at)
    case "session.snapshot":
      if (event.data.state === "answered") return pickedUp(call, at, now)
      if (event.data.state !== "absent") return []
      return [
        unanswered(
          at,
          { status: "failed", cause: "session_lost", source: "carrier", sip_code: null, q850_cause: null },
          true
        )
      ]
    default:
      return []
  }
}

/** Why the PBX ended it by itself, where it did: of its limit it is taken at its word only where that is reached. */
const talkEnded = (call: PlacedCall, { data: { reason } }: PbxEvent, at: number) => {
  if (reason === "media_timeout") return { cause: "media_timeout" as const }
  if (reason !== "talk_limit" || !mayBeLimited(call, at)) return { cause: "normal_clearing" as const }
  return { ...limitReached(call), source: "platform" as const }
}

const whileAnswered = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  switch (event.type) {
    case "leg.hangup":
      return [
        completed(call, {
          at,
          source: event.data.source ?? "callee",
          ...talkEnded(call, event, at),
          now,
          sip_code: event.data.sip_code ?? null,
          q850_cause: event.data.q850 ?? null,
          confirmed: true
        })
      ]
    case "leg.bridged":
      return call.dial === null ? [] : [{ _tag: "Bridged", at }]
    case "session.snapshot":
      if (event.data.state !== "absent") return []
      return [
        completed(call, { at: call.pbx.proof_at, now, cause: "session_lost", source: "carrier", confirmed: true })
      ]
    default:
      return mediaEvents(call, event, at, now)
  }
}

/** What an end cuts short is not worth a word. */
const silent: ReadonlySet<PbxEvent["type"]> = new Set<PbxEvent["type"]>([
  "session.snapshot",
  "playback.finished",
  "gather.finished"
])

/** After the end the event is kept in the log, and a leg that came up all the same is taken down. */
const afterTheEnd = (call: PlacedCall, event: PbxEvent, at: number): Events => {
  const gone = event.type === "leg.hangup" || (event.type === "session.snapshot" && event.data.state === "absent")
  if (gone) return call.pbx.closed ? [] : [{ _tag: "PbxClosed" }]
  if (event.type === "leg.answered" && call.answered_at === null) return [{ _tag: "AnswerIgnored", at }]
  if (silent.has(event.type)) return []
  return [{ _tag: "CameLate", at, step: event.type }]
}

/** A turn is kept whenever it comes; its pieces are worth something while it is being said. */
const transcriptEvents = (call: PlacedCall, event: PbxEvent, at: number): Events => {
  const said = saidBy(call.id, event, at)
  if (said === undefined || call.answered_at === null) return []
  if (said.kind === "transcript.delta") {
    return call.phase === "answered"
      ? [{ _tag: "DeltaSaid", at, notice: { said, order: event.seq, sequence: null } }]
      : []
  }
  const late: Events = call.phase === "ended" && call.turns === undefined ? [{ _tag: "Transcribed", at }] : []
  return [{ _tag: "TurnSaid", at, said, order: event.seq }, ...late]
}

const meaningOf = (call: PlacedCall, event: PbxEvent, now: number): Events => {
  const at = instant(event, call, now)
  if (isTranscript(event)) return transcriptEvents(call, event, at)
  if (isOfRecording(event)) return recordingEvents(call, event, at, now)
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

/** Pieces of a turn are told on and forgotten: nothing is written for them. */
const isPassing = (events: Events): boolean =>
  events.some(({ _tag }) => _tag === "DeltaSaid") &&
  events.every(({ _tag }) => _tag === "DeltaSaid" || _tag === "PbxApplied")

export const decidePbxEvent = (
  call: PlacedCall,
  event: PbxEvent,
  now: number
): ReturnType<CallRules["PbxReported"]> => {
  // A gateway may speak for the tenant that it names, and not for the sessions of others.
  if (event.tenant_pbx_id !== call.facts.tenant_pbx_id) return Result.fail(new PbxUnknownWorkspace())
  const outcome = call.phase === "settling" || call.phase === "ended" ? "ignored_late" : "accepted"
  const reported = (events: Events): ReturnType<CallRules["PbxReported"]> =>
    Result.succeed({ events, reply: outcome, ...(isPassing(events) && { volatile: true }) })
  const known = event.seq <= call.pbx.seq || call.pbx.ahead.some(({ seq }) => seq === event.seq)
  if (known) return Result.succeed({ events: [], reply: "duplicate" })
  if (event.seq === call.pbx.seq + 1 || event.type === "session.snapshot") return reported(applied(call, event, now))
  if (call.pbx.ahead.length >= ahead_max) return reported([])
  return reported([{ _tag: "PbxBuffered", event, at: now }])
}
