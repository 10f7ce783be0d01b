import { assert, it } from "@effect/vitest"
import { failureCodeOf } from "../../../../src/layers/mobilemoney/daraja/ResultCodes.ts"

const codes: ReadonlyArray<readonly [string, string]> = [
  ["1", "payer_insufficient_funds"],
  ["2", "provider_limit"],
  ["3", "provider_limit"],
  ["4", "provider_limit"],
  ["8", "provider_limit"],
  ["17", "duplicate_request"],
  ["1001", "payer_busy"],
  ["500.001.1001", "payer_busy"],
  ["1019", "expired"],
  ["1025", "push_failed"],
  ["9999", "push_failed"],
  ["1032", "cancelled_by_user"],
  ["1037", "payer_unreachable"],
  ["2001", "wrong_pin"],
  ["8006", "payer_locked"],
  ["2028", "provider_misconfigured"],
  ["SFC_IC0003", "provider_misconfigured"],
  ["4242", "provider_error"],
  ["", "provider_error"]
]
it.each(codes)("reads result code %s as %s", (result, code) => assert.strictEqual(failureCodeOf(result), code))
