// What the PBX's events mean to a call. They are applied in the order of `seq`: an event that arrives early waits, and
// one that arrives twice, or after the end, changes nothing.
import { Result } from "effect"
import { PbxUnknownWorkspace } from "../../errors/PbxErrors.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { advanced } from "./AdvanceScript.ts"
import type { AnsweredCall, EndedCall, PlacedCall, RingingCall, SettlingCall } from "../state/Call.ts"
import type { CallRules } from "../state/CallCommand.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { conferenceFailed } from "./CallConferences.ts"
import { isOfRecording } from "../state/CallRecordings.ts"
import { mediaEvents, recordingEvents } from "./DecideMedia.ts"
import { ringsUntil } from "../state/Deadlines.ts"
import { abandoned, answeredLate, asDecided, completed, lost, unanswered, unreported } from "./EndCall.ts"
import { evolveAll } from "./EvolveCall.ts"
import { q850Of, type Refused, refusedBy } from "../views/HangupCauses.ts"
import { limitReached, mayHaveReachedLimit } from "../state/MaxTalkTime.ts"
import { isOfStream, streamReported } from "./CallStreams.ts"
import { actionCommandId, defaultDetection_seconds } from "../state/PbxCommands.ts"
import type { Question } from "../state/Script.ts"
import { callbackBudget_ms } from "./ScriptSteps.ts"
import { budgets } from "../../limits/Budgets.ts"
import { isTranscript, transcriptPieceOf } from "../state/Transcript.ts"

/** Early events that wait for their turn. A gateway that sends more is broken; a snapshot will close the gap. */
const maxEarlyEvents = 100

/** How long the parent call has to accept a leg that was picked up. */
const claimTimeout_ms = 10_000

type Events = ReadonlyArray<CallEvent>

/** When the event happened: not before the call, and not in the future. */
const instantOf = (event: PbxEvent, call: PlacedCall, now: number): number => {
  const at = Date.parse(event.occurred_at)
  return Math.max(call.facts.created_at, Math.min(Number.isNaN(at) ? now : at, now))
}

/**
 * The PBX has answered an inbound call on command; the script continues. An answer without a command does not count.
 */
const answeredAsTold = (call: RingingCall, at: number, now: number): Events =>
  call.reception?.step === "answering"
    ? advanced(call, [{ _tag: "Answered", at, question: null, detect_until: null }, ...answeredLate(at, now)], now)
    : []

/** A dialled leg was only picked up: it is answered once its parent call accepts it. */
const pickedUp = (call: RingingCall, at: number, now: number): Events => {
  if (call.reception !== null) return answeredAsTold(call, at, now)
  const { actions, parent_call_id, voice_callback_url: url } = call.facts
  const { machine_detection = "off", machine_detection_timeout_seconds } = call.facts
  if (parent_call_id !== null)
    return call.picked_up === null ? [{ _tag: "PickedUp", at, claim_by: now + claimTimeout_ms }] : []
  const seconds = machine_detection_timeout_seconds ?? defaultDetection_seconds
  const isScripted = url !== null || actions !== undefined
  const detect_until = machine_detection === "off" || !isScripted ? null : now + seconds * 1000
  const answer_by = detect_until === null ? now + callbackBudget_ms : null
  const question: Question | null = url === null ? null : { reason: "answered", url, result: null, answer_by }
  return advanced(call, [{ _tag: "Answered", at, question, detect_until }, ...answeredLate(at, now)], now)
}

/** A leg that was picked up but not accepted, and a caller who gives up, count as canceled and not as refused. */
const hungUpWhileRinging = (call: RingingCall, event: PbxEvent, at: number): Events => {
  const sip_code = event.data.sip_code ?? null
  const q850_cause = event.data.q850 ?? q850Of(sip_code)
  const source = event.data.source ?? (call.reception === null ? "callee" : "caller")
  const canceled = call.picked_up !== null || call.reception !== null
  const refused: Refused = canceled ? { status: "canceled", cause: "normal_clearing" } : refusedBy(sip_code)
  return [unanswered(at, { ...refused, source, sip_code, q850_cause })]
}

/** The PBX does not have the session, and owes no report of its hang-up. */
const isAbsent = ({ data, type }: PbxEvent): boolean => type === "session.snapshot" && data.state === "absent"

/**
 * Whether the PBX has begun to call somebody at `at`, when nobody was to be called any more (`not_after`). By the same
 * clock, the PBX's own, it should have refused.
 */
const isStartedLate = ({ facts, reception }: PlacedCall, { type }: PbxEvent, at: number): boolean =>
  type === "session.created" && reception === null && at >= ringsUntil(facts)

const whileRinging = (call: RingingCall, event: PbxEvent, at: number, now: number): Events => {
  if (isStartedLate(call, event, at))
    return [...abandoned(call, now, "no_answer", "ring_timeout", "platform"), { _tag: "StartedLate", at: now }]
  switch (event.type) {
    case "leg.ringing":
      return call.ringing_at === null ? [{ _tag: "RemoteRinging", at, step: "ringing" }] : []
    case "leg.early_media":
      return [{ _tag: "RemoteRinging", at, step: "early_media" }]
    case "leg.answered":
      return pickedUp(call, at, now)
    case "leg.hangup":
      return hungUpWhileRinging(call, event, at)
    case "session.snapshot":
      if (event.data.state === "answered") return pickedUp(call, at, now)
      if (!isAbsent(event)) return []
      return [
        unanswered(at, {
          status: "failed",
          cause: "session_lost",
          source: "carrier",
          sip_code: null,
          q850_cause: null
        })
      ]
    default:
      return []
  }
}

/** Why the PBX ended the talk by itself. It is believed to have reached the limit only if the limit is due. */
const causeOfHangup = (call: AnsweredCall | SettlingCall, { data: { reason } }: PbxEvent, at: number) => {
  if (reason === "media_timeout") return { cause: "media_timeout" as const }
  if (reason === "media_failed") return { cause: "pbx_error" as const, source: "platform" as const }
  if (reason !== "talk_limit" || !mayHaveReachedLimit(call, at)) return { cause: "normal_clearing" as const }
  return { ...limitReached(call), source: "platform" as const }
}

const hungUpInTalk = (call: AnsweredCall | SettlingCall, event: PbxEvent, at: number, now: number): CallEvent =>
  completed(call, {
    at,
    source: event.data.source ?? "callee",
    ...causeOfHangup(call, event, at),
    now,
    sip_code: event.data.sip_code ?? null,
    q850_cause: event.data.q850 ?? null,
    confirmed: true
  })

const whileAnswered = (call: AnsweredCall, event: PbxEvent, at: number, now: number): Events => {
  switch (event.type) {
    case "leg.hangup":
      return [hungUpInTalk(call, event, at, now)]
    case "leg.bridged":
      return call.dial === null ? [] : [{ _tag: "Bridged", at }]
    case "session.snapshot":
      return isAbsent(event) ? [lost(call, now)] : []
    default:
      return mediaEvents(call, event, at, now)
  }
}

/** The end of the call interrupts these, so they are not logged as late. */
const interrupted: ReadonlySet<PbxEvent["type"]> = new Set<PbxEvent["type"]>([
  "session.snapshot",
  "playback.finished",
  "gather.finished"
])

/**
 * Whether the talk was over at the PBX before the engine ended it. A hang-up that the engine asked for is not: the
 * clock of the PBX is slow.
 */
const hungUpEarlier = (call: SettlingCall, { data }: PbxEvent, at: number): boolean =>
  at < call.ended_at && (data.source !== "platform" || data.reason !== undefined)

const hangupReported = (call: SettlingCall, event: PbxEvent, at: number, now: number): CallEvent =>
  hungUpEarlier(call, event, at) ? hungUpInTalk(call, event, at, now) : asDecided(call)

/** How a call ends that waited for the report of its hang-up, which may have come before its turn. */
export const awaitedEnd = (call: SettlingCall, now: number): CallEvent => {
  const hangup = call.pbx.ahead.find(({ type }) => type === "leg.hangup")
  return hangup === undefined ? unreported(call, now) : hangupReported(call, hangup, instantOf(hangup, call, now), now)
}

/** Late events are logged. If the leg was answered all the same, it is hung up. */
const afterTheEnd = (call: SettlingCall | EndedCall, event: PbxEvent, at: number, now: number): Events => {
  const gone = event.type === "leg.hangup" || isAbsent(event)
  if (gone && call.phase === "settling" && call.hangup_awaited_until !== undefined)
    return [isAbsent(event) ? unreported(call, now) : hangupReported(call, event, at, now)]
  if (gone) return call.pbx.closed ? [] : [{ _tag: "PbxClosed" }]
  if (event.type === "leg.answered" && call.answered_at === null) return [{ _tag: "AnswerIgnored", at }]
  if (call.answered_at === null && isStartedLate(call, event, at)) return [{ _tag: "StartedLate", at: now }]
  if (interrupted.has(event.type)) return []
  return [{ _tag: "ArrivedLate", at, step: event.type }]
}

/** A turn is logged whenever it arrives, up to a number. Its pieces matter only while it is being spoken. */
const transcriptEvents = (call: PlacedCall, event: PbxEvent, at: number): Events => {
  const said = transcriptPieceOf(call.id, event, at)
  if (said === undefined || call.answered_at === null) return []
  if (said.kind === "transcript.delta") {
    return call.phase === "answered"
      ? [{ _tag: "TranscriptDeltaAdded", at, notice: { said, order: event.seq, sequence: null } }]
      : []
  }
  if ((call.turns ?? 0) >= budgets.call_turns.limit) return []
  const late: Events = call.phase === "ended" && call.turns === undefined ? [{ _tag: "Transcribed", at }] : []
  return [{ _tag: "TranscriptTurnAdded", at, said, order: event.seq }, ...late]
}

/** The script may have waited for the end of the stream, or an application sends new actions. */
const streamEvents = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  const cut_command_id = actionCommandId(call) ?? null
  const events = streamReported(call, event, { at, cut_command_id, now })
  return events.length === 0 ? events : advanced(call, events, now)
}

const eventsOf = (call: PlacedCall, event: PbxEvent, now: number): Events => {
  const at = instantOf(event, call, now)
  if (isTranscript(event)) return transcriptEvents(call, event, at)
  if (isOfStream(event)) return streamEvents(call, event, at, now)
  if (event.type === "conference.failed") return conferenceFailed(call, event, now)
  if (isOfRecording(event)) return recordingEvents(call, event, at, now)
  if (call.phase === "ringing") return whileRinging(call, event, at, now)
  return call.phase === "answered" ? whileAnswered(call, event, at, now) : afterTheEnd(call, event, at, now)
}

/** The event, with the waiting events that come before it and directly after it. A snapshot needs no gapless order. */
const inOrder = (ahead: ReadonlyArray<PbxEvent>, event: PbxEvent): ReadonlyArray<PbxEvent> => {
  const ordered = [...ahead.filter(({ seq }) => seq < event.seq), event]
  let { seq } = event
  for (const waiting of ahead) {
    if (waiting.seq !== seq + 1) continue
    ordered.push(waiting)
    seq = waiting.seq
  }
  return ordered
}

/**
 * Whether the event shows that the session was there. The result of a recording may come after the hang-up: it shows so
 * only if no event before it is missing.
 */
const provesTalk = ({ pbx }: PlacedCall, event: PbxEvent): boolean =>
  !isAbsent(event) && (!isOfRecording(event) || event.seq === pbx.seq + 1)

const applied = (call: PlacedCall, event: PbxEvent, now: number): Events => {
  const events: Array<CallEvent> = []
  let state = call
  for (const next of inOrder(call.pbx.ahead, event)) {
    const at = instantOf(next, call, now)
    const taken: CallEvent = {
      _tag: "PbxApplied",
      seq: next.seq,
      at,
      ...(!provesTalk(state, next) && { proof: false })
    }
    const step: Events = [...eventsOf(state, next, now), taken]
    events.push(...step)
    state = evolveAll(state, step)
  }
  return events
}

/** Pieces of a turn are streamed and forgotten: nothing is written for them. */
const isVolatile = (events: Events): boolean =>
  events.some(({ _tag }) => _tag === "TranscriptDeltaAdded") &&
  events.every(({ _tag }) => _tag === "TranscriptDeltaAdded" || _tag === "PbxApplied")

type Decision = ReturnType<CallRules["PbxReported"]>

/**
 * Fails with PbxUnknownWorkspace if the event's tenant is not the call's: a gateway may only report for that tenant.
 */
export const decidePbxEvent = (call: PlacedCall, event: PbxEvent, now: number): Decision => {
  if (event.tenant_pbx_id !== call.facts.tenant_pbx_id) return Result.fail(new PbxUnknownWorkspace())
  const reply = call.phase === "settling" || call.phase === "ended" ? "ignored_late" : "accepted"
  const reported = (events: Events): Decision =>
    Result.succeed({ events, reply, ...(isVolatile(events) && { volatile: true }) })
  const known = event.seq <= call.pbx.seq || call.pbx.ahead.some(({ seq }) => seq === event.seq)
  if (known) return Result.succeed({ events: [], reply: "duplicate" })
  if (event.seq === call.pbx.seq + 1 || event.type === "session.snapshot") return reported(applied(call, event, now))
  if (call.pbx.ahead.length >= maxEarlyEvents) return reported([])
  return reported([{ _tag: "PbxBuffered", event, at: now }])
}
