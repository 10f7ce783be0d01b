// The stored state of a number. Its id is the key of the row. Members that have a column of their own are read from the
// column (JournalTables.ts): inventory, seed and imports insert rows, and people mend them by hand.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { toNumberId, WorkspaceId } from "../BrandedIds.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "../wallet/Currency.ts"
import { Capability, NumberType } from "./NumberRecord.ts"
import type { NumberData, PhoneNumber } from "./PhoneNumber.ts"
import { ForwardTo, Routing, routingOf } from "./Routing.ts"

const Instant = Schema.Int
const Minor = Schema.Int
const orNull = Schema.NullOr
const optional = Schema.optionalKey

const Terms = Schema.Struct({
  currency: Currency,
  monthly_price_minor: Minor,
  inbound_per_min_minor: Minor,
  outbound_per_min_minor: Minor
})

const Claim = Schema.Struct({
  workspace_id: WorkspaceId,
  terms: Terms,
  entry_id: Schema.String,
  origin: Origin,
  kept_under: orNull(IdempotentRequest)
})

/** A row that was inserted has only the members of the routing that somebody set. */
const StoredRouting = Schema.Struct({
  events_url: optional(Routing.fields.events_url),
  voice_url: optional(Routing.fields.voice_url),
  voice_fallback_url: optional(Routing.fields.voice_fallback_url),
  forward_to: optional(
    Schema.Struct({ ...ForwardTo.fields, value: orNull(Schema.Union([Schema.String, Schema.Array(Schema.String)])) })
  ),
  ring_timeout_seconds: optional(Routing.fields.ring_timeout_seconds),
  record: optional(Routing.fields.record),
  reject_when_no_funds_message: optional(Routing.fields.reject_when_no_funds_message)
} satisfies Record<keyof Routing, Schema.Top>)

const StoredNumber = Schema.Struct({
  number: Schema.String,
  series_id: orNull(Schema.String),
  source: Schema.Literals(["platform", "byo"]),
  country: Schema.String,
  type: NumberType,
  locality: orNull(Schema.String),
  capabilities: Schema.Array(Capability),
  currency: orNull(Currency),
  monthly_price_minor: orNull(Minor),
  inbound_per_min_minor: orNull(Minor),
  outbound_per_min_minor: orNull(Minor),
  status: Schema.Literals(["available", "active", "past_due", "suspended", "released", "retired", "removed"]),
  workspace_id: orNull(WorkspaceId),
  label: orNull(Schema.String),
  routing: StoredRouting,
  routed_at: Instant,
  told: orNull(Schema.Struct({ workspace_id: WorkspaceId, url: Schema.String })),
  leaving: Schema.Array(Schema.Struct({ workspace_id: WorkspaceId, at: Instant })),
  claim: orNull(Claim),
  claimed_at: orNull(Instant),
  renews_at: orNull(Instant),
  charge_id: orNull(Schema.String),
  retry_at: orNull(Instant),
  past_due_since: orNull(Instant),
  suspended_at: orNull(Instant),
  released_at: orNull(Instant),
  sequence: Schema.Int
} satisfies Record<keyof NumberData, Schema.Top>)

/** Members that an inserted row lacks: nobody has had the number. */
const added = {
  workspace_id: null,
  label: null,
  currency: null,
  monthly_price_minor: null,
  inbound_per_min_minor: null,
  outbound_per_min_minor: null,
  routing: {},
  routed_at: 0,
  told: null,
  leaving: [],
  claim: null,
  claimed_at: null,
  renews_at: null,
  charge_id: null,
  retry_at: null,
  past_due_since: null,
  suspended_at: null,
  released_at: null,
  sequence: 0
}

export const numberState = storedState({ schema: StoredNumber, upgrades: [(stored) => ({ ...added, ...stored })] })

export const restoreNumber = numberState.restore((stored, _row, id): PhoneNumber => ({
  _tag: "Present",
  id: toNumberId(id),
  data: { ...stored, routing: routingOf(stored.routing) }
}))
