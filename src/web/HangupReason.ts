// Why a call ended, in the engine's words (docs/calls.md), as far as a browser can tell.

/** `local`: this client, `remote`: the other side or the engine, `system`: neither, for example a lost connection. */
export type HangupBy = "local" | "remote" | "system"

export type HangupReason =
  | "normal_clearing"
  | "user_busy"
  | "call_rejected"
  | "no_answer"
  | "no_user_response"
  | "unallocated_number"
  | "invalid_number_format"
  | "network_congestion"
  | "service_unavailable"
  | "canceled_by_workspace"
  | "answered_elsewhere"
  | "media_timeout"
  | "session_lost"
  | "pbx_error"

/** What is known of an end. */
export interface CallEnd {
  /** Whether the call was answered, by either side. */
  readonly answered: boolean
  readonly by: HangupBy
  /** The final SIP status of a call that was not answered. */
  readonly code?: number
  /** The `Reason` header of the message that ended the call (RFC 3326). */
  readonly header?: string
}

/** As in the engine (RFC 3261, section 21). */
const byStatus: Readonly<Record<number, HangupReason>> = {
  401: "call_rejected",
  403: "call_rejected",
  404: "unallocated_number",
  407: "call_rejected",
  408: "no_user_response",
  410: "unallocated_number",
  480: "no_answer",
  484: "invalid_number_format",
  485: "unallocated_number",
  486: "user_busy",
  503: "service_unavailable",
  600: "user_busy",
  603: "call_rejected",
  604: "unallocated_number"
}

const byClass = (code: number): HangupReason => {
  if (code < 300) return "pbx_error"
  return code >= 500 && code < 600 ? "network_congestion" : "call_rejected"
}

const isElsewhere = (header: string | undefined): boolean =>
  header !== undefined && /cause\s*=\s*"?26\b|completed elsewhere/i.test(header)

export const hangupReason = ({ answered, by, code, header }: CallEnd): HangupReason => {
  if (isElsewhere(header)) return "answered_elsewhere"
  if (answered) return by === "system" ? "session_lost" : "normal_clearing"
  // A CANCEL has no status: whoever called gave up. This client's own INVITE is then answered with 487.
  if (by === "local")
    return code === undefined || code === 487 ? "canceled_by_workspace" : (byStatus[code] ?? byClass(code))
  if (code === undefined) return by === "remote" ? "no_answer" : "session_lost"
  return code === 487 ? "normal_clearing" : (byStatus[code] ?? byClass(code))
}
