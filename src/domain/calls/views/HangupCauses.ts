// Why a leg that was not answered ended, read from its final SIP response (RFC 3261, section 21).
import type { CallStatus, HangupCause } from "../state/CallRecord.ts"

export interface Refused {
  readonly status: Exclude<CallStatus, "ringing" | "answered" | "completed">
  readonly cause: HangupCause
}

const refusals: Readonly<Record<number, Refused>> = {
  401: { status: "failed", cause: "call_rejected" },
  403: { status: "failed", cause: "call_rejected" },
  404: { status: "failed", cause: "unallocated_number" },
  407: { status: "failed", cause: "call_rejected" },
  408: { status: "no_answer", cause: "no_user_response" },
  410: { status: "failed", cause: "unallocated_number" },
  480: { status: "no_answer", cause: "no_answer" },
  484: { status: "failed", cause: "invalid_number_format" },
  485: { status: "failed", cause: "unallocated_number" },
  486: { status: "busy", cause: "user_busy" },
  487: { status: "canceled", cause: "normal_clearing" },
  503: { status: "failed", cause: "service_unavailable" },
  600: { status: "busy", cause: "user_busy" },
  603: { status: "busy", cause: "call_rejected" },
  604: { status: "failed", cause: "unallocated_number" }
}

export const refusedBy = (sip_code: number | null): Refused => {
  if (sip_code === null || sip_code < 300) return { status: "failed", cause: "pbx_error" }
  return (
    refusals[sip_code] ?? {
      status: "failed",
      cause: sip_code >= 500 && sip_code < 600 ? "network_congestion" : "call_rejected"
    }
  )
}

/** The Q.850 cause that goes with a SIP response, as Asterisk maps them. */
const q850: Readonly<Record<number, number>> = {
  401: 21,
  403: 21,
  404: 1,
  407: 21,
  408: 18,
  410: 22,
  480: 19,
  483: 19,
  485: 1,
  486: 17,
  600: 17,
  603: 21,
  604: 1
}

export const q850Of = (sip_code: number | null): number | null => (sip_code === null ? null : (q850[sip_code] ?? null))
