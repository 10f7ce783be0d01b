// Explains the cost of a call: its rate, its holds, its duration, the formula and the ledger entries (docs/calls.md,
// "What it costs").
import { Schema } from "effect"
import type { HoldRow } from "../../journal/Rows.ts"
import { type CallRecord, CallStatus } from "../state/CallRecord.ts"
import { CallId } from "../../BrandedIds.ts"
import { instantOrNull, isoInstant } from "../../kit/Instants.ts"

const nullable = Schema.NullOr

const RateRow = Schema.Struct({
  id: Schema.String,
  prefix: Schema.String,
  country: nullable(Schema.String),
  description: Schema.String,
  class: Schema.String,
  per_min_minor: Schema.Int,
  effective_from: Schema.String,
  effective_to: nullable(Schema.String)
}).annotate({ identifier: "ChargeRateRow" })

export const HoldBreakdown = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the hold." }),
  call_id: CallId,
  status: Schema.Literals(["open", "captured", "released"]).annotate({ description: "The state of the hold." }),
  amount_minor: Schema.Int.annotate({ description: "The total that was held, extended minute by minute." }),
  captured_minor: Schema.Int,
  placed_at: Schema.String,
  closed_at: nullable(Schema.String)
}).annotate({ identifier: "CallHold" })
export type HoldBreakdown = typeof HoldBreakdown.Type

const EntryProof = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the entry." }),
  amount_minor: Schema.Int.annotate({ description: "Negative: the wallet was debited." }),
  balance_after_minor: Schema.Int,
  created_at: Schema.String,
  lines: Schema.Array(Schema.Struct({ account: Schema.String, amount_minor: Schema.Int }))
}).annotate({ identifier: "ChargeEntry" })

export const ChargeBreakdown = Schema.Struct({
  call_id: CallId,
  status: CallStatus,
  currency: Schema.String,
  rate: Schema.Struct({
    per_min_minor: Schema.Int,
    matched_prefix: nullable(Schema.String).annotate({ description: "Null if the number has its own price." }),
    source: Schema.Literals(["rate", "number"]),
    frozen_at: Schema.String.annotate({
      description: "When the call was placed. Later rate changes do not affect it."
    }),
    row: nullable(RateRow).annotate({
      description: "The row of the rate table; null if it was changed or removed since."
    })
  }),
  answered_at: nullable(Schema.String),
  ended_at: nullable(Schema.String),
  duration_seconds: nullable(Schema.Int),
  billed_seconds: nullable(Schema.Int),
  formula: Schema.String.annotate({ description: "How `cost_minor` is computed, for people." }),
  cost_minor: nullable(Schema.Int).annotate({ description: "Null until the call has ended." }),
  holds: Schema.Array(HoldBreakdown),
  entries: Schema.Array(EntryProof).annotate({
    description: "Ledger entries. A completed call has one, other calls have none."
  })
}).annotate({ identifier: "ChargeProof" })
export type ChargeBreakdown = typeof ChargeBreakdown.Type

/** A movement of the wallet's money. Instants are epoch milliseconds. */
export interface ChargeEntry extends Omit<typeof EntryProof.Type, "created_at"> {
  readonly call_id: CallId
  readonly created_at: number
}

/** A row of the rate table as it was when a call was placed. Instants are epoch milliseconds. */
export interface RateProof extends Omit<typeof RateRow.Type, "effective_from" | "effective_to"> {
  readonly effective_from: number
  readonly effective_to: number | null
}

/** The money of calls: what was set aside for them, and what they were charged. */
export interface CallMoney {
  readonly holds: ReadonlyArray<HoldRow>
  readonly charges: ReadonlyArray<ChargeEntry>
}

const formulaOf = ({ billed_seconds, cost_minor, rate_per_min_minor, status }: CallRecord): string => {
  if (cost_minor === undefined) return "The call has not ended."
  return status === "completed" && billed_seconds !== undefined
    ? `ceil(${billed_seconds} / 60) × ${rate_per_min_minor} = ${cost_minor}`
    : "Only calls that were answered are charged."
}

export const holdBreakdowns = (holds: CallMoney["holds"]): ReadonlyArray<HoldBreakdown> =>
  holds.map(({ amount_minor, call_id, captured_minor, closed_at, id, placed_at, status }) => ({
    id,
    call_id,
    status,
    amount_minor,
    captured_minor,
    placed_at: isoInstant(placed_at),
    closed_at: instantOrNull(closed_at)
  }))

export const chargeBreakdown = (
  call: CallRecord,
  { charges, holds }: CallMoney,
  rate: RateProof | undefined
): ChargeBreakdown => ({
  call_id: call.id,
  status: call.status,
  currency: call.currency,
  rate: {
    per_min_minor: call.rate_per_min_minor,
    matched_prefix: call.matched_prefix,
    source: call.matched_prefix === null ? "number" : "rate",
    frozen_at: call.created_at,
    row:
      rate === undefined || rate.per_min_minor !== call.rate_per_min_minor
        ? null
        : { ...rate, effective_from: isoInstant(rate.effective_from), effective_to: instantOrNull(rate.effective_to) }
  },
  answered_at: call.answered_at,
  ended_at: call.ended_at,
  duration_seconds: call.duration_seconds ?? null,
  billed_seconds: call.billed_seconds ?? null,
  formula: formulaOf(call),
  cost_minor: call.cost_minor ?? null,
  holds: holdBreakdowns(holds),
  entries: charges.map(({ call_id: _, created_at, ...entry }) => ({ ...entry, created_at: isoInstant(created_at) }))
})
