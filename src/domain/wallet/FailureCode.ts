// Why a top-up failed: the wallet keeps it of its automatic ones, and the record of every top-up shows it.
import { Schema } from "effect"

export const FailureCode = Schema.Literals([
  "payer_insufficient_funds",
  "provider_limit",
  "duplicate_request",
  "payer_busy",
  "expired",
  "push_failed",
  "cancelled_by_user",
  "payer_unreachable",
  "wrong_pin",
  "payer_locked",
  "provider_misconfigured",
  "card_declined",
  "authentication_required",
  "provider_error"
]).annotate({ identifier: "TopUpFailureCode" })
export type FailureCode = typeof FailureCode.Type
