// Turns logged events of a call into notices of its live stream, for a client that joins late.
import type { CallEventRecord } from "./CallEventRecord.ts"
import type { CallNotice, StreamNotice } from "./CallNotice.ts"
import { CallRecord, type CallStatus } from "../state/CallRecord.ts"
import type { TranscriptTurn } from "../state/Transcript.ts"

const terminal: ReadonlySet<CallStatus> = new Set<CallStatus>(["completed", "no_answer", "busy", "failed", "canceled"])

export const isTerminal = (status: CallStatus): boolean => terminal.has(status)

/** Whether only late events can follow. */
export const isLast = ({ kind, status }: CallNotice): boolean => isTerminal(status) && kind === `call.${status}`

const noticeOfEvent = ({ kind, late, occurred_at, payload, sequence }: CallEventRecord): CallNotice => {
  const { id, status } = payload as CallRecord
  return { kind, call_id: id, sequence, status, occurred_at, late, payload: payload as CallNotice["payload"] }
}

const isTurnRecord = ({ kind }: CallEventRecord): boolean => kind === "transcript.turn"

/** The notice of any log entry. The log does not have the `order` of a turn. */
export const streamNoticeOf = (event: CallEventRecord): StreamNotice =>
  isTurnRecord(event)
    ? { said: event.payload as TranscriptTurn, order: 0, sequence: event.sequence }
    : noticeOfEvent(event)

const recordMembers = new Set([...Object.keys(CallRecord.fields), "call_kind"])

/** The present state of a call: its newest log entry as an event `call.<status>`, which adds no members. */
export const currentNotice = (newest: CallEventRecord): CallNotice => {
  const notice = noticeOfEvent(newest)
  const kind = `call.${notice.status}`
  const record = Object.entries(notice.payload).filter(([name]) => recordMembers.has(name))
  return { ...notice, kind, late: false, payload: { ...Object.fromEntries(record), kind } }
}
