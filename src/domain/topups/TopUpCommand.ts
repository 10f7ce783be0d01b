// Everything that can be asked of a top-up, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { Currency } from "../wallet/Currency.ts"
import { FailureCode, TopUpProvider, TopUpRecord } from "./TopUpRecord.ts"

const Amount = Schema.Int.check(Schema.isGreaterThan(0))

const Proof = Schema.Struct({ receipt: Schema.String, amount_minor: Amount, from_suspense: Schema.Boolean })

const refusal = { code: FailureCode, message: Schema.String }

export const TopUpCommand = Schema.Union([
  /** Again with the same id: what is there stays, unless the provider refused it before anybody was prompted. */
  tagged("Start", {
    facts: Schema.Struct({
      workspace_id: Schema.String,
      provider: TopUpProvider,
      amount_minor: Amount,
      currency: Currency,
      phone_e164: Schema.NullOr(Schema.String),
      account_ref: Schema.String,
      created_at: Schema.Int
    }),
    /** For money that came in by itself. */
    proof: Schema.NullOr(Proof),
    origin: Origin
  }),
  /** As it is now; where it is the answer of a request with a key, the answer is kept. */
  tagged("Show", { idempotency: Schema.optionalKey(IdempotentRequest) }),
  tagged("BeginPush", {}),
  tagged("PushAccepted", { request_id: Schema.String }),
  /** Surely nobody was prompted. */
  tagged("PushRefused", refusal),
  /** The question of this number was answered with nothing new. */
  tagged("StillPending", { query: Schema.Int }),
  /** The provider says that it was paid, without a receipt. */
  tagged("Confirm", {}),
  /** The money of this receipt is for this top-up, unless another's is already. */
  tagged("Prove", { proof: Proof }),
  tagged("Credited", {}),
  tagged("Fail", refusal),
  tagged("Expire", {}),
  /** The provider took the money back. `entry_id` names the debit. */
  tagged("Reverse", { entry_id: Schema.String, note: Schema.String, origin: Origin }),
  tagged("Debited", {})
])
export type TopUpCommand = typeof TopUpCommand.Type

export const TopUpReply = Schema.Union([
  tagged("Shown", { record: TopUpRecord, push: Schema.Literals(["none", "begun", "accepted", "refused"]) }),
  /** Whether the push may go out now. */
  tagged("MayPush", { yes: Schema.Boolean }),
  /** Whether the receipt counts for this top-up. */
  tagged("Proved", { taken: Schema.Boolean, workspace_id: Schema.String }),
  tagged("Noted", {})
])
export type TopUpReply = typeof TopUpReply.Type

/** What whoever waits is told after each change. */
export const TopUpNotice = Schema.Struct({
  record: TopUpRecord,
  push: Schema.Literals(["none", "begun", "accepted", "refused"])
})
export type TopUpNotice = typeof TopUpNotice.Type
