// The commands of a top-up.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { Currency } from "../wallet/Currency.ts"
import { SavedCard } from "./SavedCard.ts"
import { FailureCode, TopUpProvider, TopUpRecord } from "./TopUpRecord.ts"
import { WorkspaceId } from "../BrandedIds.ts"

const Amount = Schema.Int.check(Schema.isGreaterThan(0))

const Proof = Schema.Struct({
  receipt: Schema.String,
  amount_minor: Amount,
  from_suspense: Schema.Boolean,
  card: Schema.optionalKey(SavedCard)
})

const failure = { code: FailureCode, message: Schema.String }

const errors = [TopUpNotFound] as const

const Shown = Schema.Struct({
  record: TopUpRecord,
  push: Schema.Literals(["none", "begun", "accepted", "refused"])
})

const Checked = Schema.Union([
  Schema.TaggedStruct("Pending", {}),
  Schema.TaggedStruct("Failed", failure),
  Schema.TaggedStruct("Paid", {
    receipt: Schema.String,
    amount_minor: Amount,
    currency: Schema.String,
    taken_back_minor: Schema.Int,
    card: Schema.optionalKey(SavedCard)
  })
])

export const TopUpCommands = commandsOf("TopUp", {
  /** Starts the top-up. A top-up that exists stays as it is, unless the provider refused its push. */
  Start: {
    payload: {
      facts: Schema.Struct({
        workspace_id: WorkspaceId,
        provider: TopUpProvider,
        amount_minor: Amount,
        currency: Currency,
        phone_e164: Schema.NullOr(Schema.String),
        account_ref: Schema.String,
        created_at: Schema.Int,
        save_card: Schema.optionalKey(Schema.Literal(true)),
        card: Schema.optionalKey(Schema.String)
      }),
      /** For a payment that came in without a prompt. */
      proof: Schema.NullOr(Proof),
      origin: Origin
    },
    reply: Shown
  },
  /** Answers with the top-up. The answer is stored if the request has an Idempotency-Key. */
  Show: { payload: { idempotency: Schema.optionalKey(IdempotentRequest) }, reply: Shown, errors },
  /** Answers whether the push may be sent now. */
  BeginPush: { reply: Schema.Boolean, errors },
  PushAccepted: {
    payload: {
      request_id: Schema.String,
      page: Schema.optionalKey(Schema.Struct({ url: Schema.String, expires_at: Schema.Int }))
    },
    errors
  },
  /** The provider refused the push, so nobody was prompted. */
  PushRefused: { payload: failure, errors },
  /** The status query with this number gave no result. */
  StillPending: { payload: { query: Schema.Int }, errors },
  /** The provider confirms the payment without naming its receipt. */
  Confirm: { errors },
  /** Offers a payment. Answers whether the top-up takes it: each top-up takes one receipt. */
  Prove: {
    payload: { proof: Proof, currency: Schema.optionalKey(Schema.String) },
    reply: Schema.Struct({ taken: Schema.Boolean, workspace_id: WorkspaceId }),
    errors
  },
  Credited: { errors },
  Fail: { payload: failure, errors },
  Expire: { errors },
  /** The provider took the money back. `entry_id` becomes the id of the debit. */
  Reverse: { payload: { entry_id: Schema.String, note: Schema.String, origin: Origin }, reply: Shown, errors },
  Debited: { errors },
  /** The card provider says that the payment has changed: its standing must be read. */
  Notified: { payload: { request_id: Schema.String }, errors },
  /** The payment's standing, read for the notice with this number. */
  Checked: { payload: { check: Schema.Int, standing: Checked }, errors },
  /** Books what the provider has taken back or returned since the last reversal, under this entry id. */
  BeginReversal: { payload: { entry_id: Schema.String }, errors }
})
export type TopUpCommands = typeof TopUpCommands
export type TopUpMessage<T extends Tag<TopUpCommands> = Tag<TopUpCommands>> = Message<TopUpCommands, T>

/** Published to subscribers after each change. */
export const TopUpNotice = Shown
export type TopUpNotice = typeof TopUpNotice.Type
