// Everything that can be asked of a number, as it crosses between processes, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { FailureFromWire } from "../errors/FailureFromWire.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { Currency } from "../wallet/Currency.ts"
import { NumberRecord } from "./NumberRecord.ts"
import { RoutingChange, RoutingMode } from "./Routing.ts"

const Terms = Schema.Struct({
  currency: Currency,
  monthly_price_minor: Schema.Int,
  inbound_per_min_minor: Schema.Int,
  outbound_per_min_minor: Schema.Int
})

const Facts = Schema.Struct({
  number: Schema.String,
  series_id: Schema.NullOr(Schema.String),
  source: Schema.Literals(["platform", "byo"]),
  country: Schema.String,
  type: NumberRecord.fields.type,
  locality: Schema.NullOr(Schema.String),
  capabilities: NumberRecord.fields.capabilities
})

const Target = Schema.Struct({ workspace_id: Schema.String, url: Schema.String })
const idempotency = Schema.optionalKey(IdempotentRequest)
const label = Schema.NullOr(Schema.String)

export const NumberCommand = Schema.Union([
  /** The workspace wants it. Its answer comes as a notice: the choice of the workspace and its money are asked for first. */
  tagged("Claim", {
    workspace_id: Schema.String,
    /** Null: the series has no price in the workspace's currency. */
    terms: Schema.NullOr(Terms),
    entry_id: Schema.String,
    origin: Origin,
    kept_under: Schema.NullOr(IdempotentRequest)
  }),
  /** The first month is in the books. */
  tagged("ClaimPaid", { entry_id: Schema.String, idempotency }),
  tagged("ClaimRefused", { entry_id: Schema.String, failure: FailureFromWire }),
  /** The rental is due: under which ledger entry is it paid? The first name that is offered counts. */
  tagged("NameCharge", { entry_id: Schema.String }),
  tagged("Paid", { entry_id: Schema.String }),
  tagged("Unpaid", { entry_id: Schema.String }),
  /** It has been released for as long as it is kept from others. */
  tagged("QuarantineOver", {}),
  tagged("Release", { workspace_id: Schema.String, origin: Origin, idempotency }),
  tagged("Route", {
    workspace_id: Schema.String,
    change: RoutingChange,
    mode: RoutingMode,
    label: Schema.optionalKey(label),
    origin: Origin
  }),
  /** The webhooks know where its events go. Null: to nobody. */
  tagged("EventsTold", { told: Schema.NullOr(Target) }),
  /** The SIP credentials that the workspace had of it have ended. */
  tagged("CredentialsEnded", { left: Schema.Struct({ workspace_id: Schema.String, at: Schema.Int }) }),
  tagged("Register", {
    workspace_id: Schema.String,
    facts: Facts,
    label,
    change: RoutingChange,
    origin: Origin,
    idempotency
  }),
  tagged("Remove", { workspace_id: Schema.String, origin: Origin }),
  tagged("Reassign", { workspace_id: Schema.String, terms: Schema.NullOr(Terms), origin: Origin }),
  tagged("Retire", { origin: Origin })
])
export type NumberCommand = typeof NumberCommand.Type

export const NumberReply = Schema.Union([
  /** The claim is under way under this ledger entry. */
  tagged("Claiming", { entry_id: Schema.String }),
  tagged("Shown", { record: NumberRecord }),
  /** `owed`: what the webhooks have still to be told; null: nothing. */
  tagged("Routed", {
    record: NumberRecord,
    owed: Schema.NullOr(Schema.Struct({ workspace_id: Schema.String, url: Schema.NullOr(Schema.String) }))
  }),
  tagged("Charge", { entry_id: Schema.String }),
  tagged("Noted", {})
])
export type NumberReply = typeof NumberReply.Type

/** How a claim ended: with the number, or with what refused it. */
export const NumberSettled = tagged("ClaimSettled", {
  entry_id: Schema.String,
  record: Schema.NullOr(NumberRecord),
  failure: Schema.NullOr(FailureFromWire)
})
export type NumberSettled = typeof NumberSettled.Type
