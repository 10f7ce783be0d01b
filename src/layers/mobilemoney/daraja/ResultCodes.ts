// The meaning of M-Pesa's result codes to the payer (Daraja documentation, "M-Pesa Express", result codes).
import type { FailureCode } from "../../../domain/wallet/FailureCode.ts"

const meanings: Readonly<Record<string, FailureCode>> = {
  "1": "payer_insufficient_funds",
  "2": "provider_limit",
  "3": "provider_limit",
  "4": "provider_limit",
  "8": "provider_limit",
  "17": "duplicate_request",
  "1001": "payer_busy",
  "500.001.1001": "payer_busy",
  "1019": "expired",
  "1025": "push_failed",
  "9999": "push_failed",
  "1032": "cancelled_by_user",
  "1037": "payer_unreachable",
  "2001": "wrong_pin",
  "8006": "payer_locked",
  "2028": "provider_misconfigured",
  SFC_IC0003: "provider_misconfigured"
}

/** The failure code of a result code other than success. Unknown codes become `provider_error`. */
export const failureCodeOf = (result_code: string): FailureCode => meanings[result_code] ?? "provider_error"
