// Turns logged events of a call into notices of its live stream, for a client that joins late.
import type { CallEventRecord } from "./CallEventRecord.ts"
import type { CallNotice, StreamNotice } from "./CallNotice.ts"
import type { CallRecord, CallStatus } from "./CallRecord.ts"
import type { TranscriptTurn } from "./Transcript.ts"

const terminal: ReadonlySet<CallStatus> = new Set<CallStatus>(["completed", "no_answer", "busy", "failed", "canceled"])

export const isTerminal = (status: CallStatus): boolean => terminal.has(status)

/** Whether only late events can follow. */
export const isLast = ({ kind, status }: CallNotice): boolean => isTerminal(status) && kind === `call.${status}`

export const noticeOfEvent = ({ kind, sequence, occurred_at, payload }: CallEventRecord): CallNotice => {
  const { id, session_id, status, direction, from, to, parent_call_id, ...record } = payload as CallRecord
  return {
    kind,
    call_id: id,
    session_id,
    sequence,
    status,
    occurred_at,
    direction,
    from,
    to,
    parent_call_id,
    ...(record.hangup_cause !== null && { hangup_cause: record.hangup_cause }),
    ...(record.duration_seconds !== undefined && { duration_seconds: record.duration_seconds }),
    ...(record.cost_minor !== undefined && { cost_minor: record.cost_minor })
  }
}

const isTurnRecord = ({ kind }: CallEventRecord): boolean => kind === "transcript.turn"

/** The notice of any log entry. The log does not have the `order` of a turn. */
export const streamNoticeOf = (event: CallEventRecord): StreamNotice =>
  isTurnRecord(event)
    ? { said: event.payload as TranscriptTurn, order: 0, sequence: event.sequence }
    : noticeOfEvent(event)

/** The present status of a call: its newest log entry, with the kind `call.<status>`. */
export const currentNotice = (log: ReadonlyArray<CallEventRecord>): CallNotice | undefined => {
  const newest = log.findLast((event) => !isTurnRecord(event))
  if (newest === undefined) return undefined
  const notice = noticeOfEvent(newest)
  return { ...notice, kind: `call.${notice.status}` }
}
