// The commands of a top-up.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { SavedCard } from "../wallet/SavedCard.ts"
import { PaymentPage } from "./ProviderPayment.ts"
import { Proof, PushStatus, TopUpFacts } from "./TopUp.ts"
import { TopUpRecord } from "./TopUpRecord.ts"
import { FailureCode } from "../wallet/FailureCode.ts"
import { WorkspaceId } from "../BrandedIds.ts"

const Amount = Schema.Int.check(Schema.isGreaterThan(0))

const Facts = Schema.Struct({ ...TopUpFacts.fields, amount_minor: Amount })
const PositiveProof = Schema.Struct({ ...Proof.fields, amount_minor: Amount })

const failure = { code: FailureCode, message: Schema.String }

const errors = [TopUpNotFound] as const

const Shown = Schema.Struct({ record: TopUpRecord, push: PushStatus })

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
      facts: Facts,
      /** For a payment that came in without a prompt. */
      proof: Schema.NullOr(PositiveProof),
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
      page: Schema.optionalKey(PaymentPage)
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
    payload: { proof: PositiveProof, currency: Schema.optionalKey(Schema.String) },
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
