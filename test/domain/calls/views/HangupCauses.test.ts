import { describe, expect, it } from "@effect/vitest"
import { q850Of, refusedBy } from "../../../../src/domain/calls/views/HangupCauses.ts"

/** SIP response, status, cause, Q.850 cause. */
const rows = [
  [401, "failed", "call_rejected", 21],
  [403, "failed", "call_rejected", 21],
  [404, "failed", "unallocated_number", 1],
  [407, "failed", "call_rejected", 21],
  [408, "no_answer", "no_user_response", 18],
  [410, "failed", "unallocated_number", 22],
  [480, "no_answer", "no_answer", 19],
  [484, "failed", "invalid_number_format", null],
  [485, "failed", "unallocated_number", 1],
  [486, "busy", "user_busy", 17],
  [487, "canceled", "normal_clearing", null],
  [488, "failed", "call_rejected", null],
  [500, "failed", "network_congestion", null],
  [503, "failed", "service_unavailable", null],
  [504, "failed", "network_congestion", null],
  [600, "busy", "user_busy", 17],
  [603, "busy", "call_rejected", 21],
  [604, "failed", "unallocated_number", 1],
  [607, "failed", "call_rejected", null],
  [200, "failed", "pbx_error", null],
  [302, "failed", "call_rejected", null],
  [null, "failed", "pbx_error", null]
] as const

describe("A leg that was not answered", () => {
  it.each(rows)("and ended with SIP %s is %s, %s", (sip_code, status, cause, q850) => {
    expect(refusedBy(sip_code)).toEqual({ status, cause })
    expect(q850Of(sip_code)).toBe(q850)
  })
})
