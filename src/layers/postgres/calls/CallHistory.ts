import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import {
  type CallCourse,
  type DeliveryTrail,
  type LoggedEvent,
  type TrailLine,
  trailOfCourses
} from "../../../domain/calls/views/CallTrail.ts"
import type { ChargeEntry, RateProof } from "../../../domain/calls/views/ChargeBreakdown.ts"
import { CallHistory } from "../../../domain/ports/calls/CallHistory.ts"
import type { HoldRow } from "../../../domain/journal/Rows.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { deliveryId } from "../journal/JournalWrites.ts"
import type { CallId, WorkspaceId } from "../../../domain/BrandedIds.ts"

/** Maximum number of rows read from each table. Hardly any call with its legs has more. */
const events_max = 2_000

interface StoredHold extends Omit<HoldRow, "amount_minor" | "captured_minor" | "placed_at" | "closed_at"> {
  readonly amount_minor: bigint
  readonly captured_minor: bigint
  readonly placed_at: Date
  readonly closed_at: Date | null
}

interface StoredCharge extends Omit<ChargeEntry, "amount_minor" | "balance_after_minor" | "created_at"> {
  readonly amount_minor: bigint
  readonly balance_after_minor: bigint
  readonly created_at: Date
}

interface StoredEvent extends Omit<LoggedEvent, "occurred_at"> {
  readonly occurred_at: Date
}

interface StoredLine extends Omit<TrailLine, "at"> {
  readonly at: Date
}

interface StoredDelivery extends Omit<DeliveryTrail, "created_at"> {
  readonly created_at: Date
}

interface StoredRate extends Omit<RateProof, "per_min_minor" | "effective_from" | "effective_to"> {
  readonly per_min_minor: bigint
  readonly effective_from: Date
  readonly effective_to: Date | null
}

const holdsOf = `
  SELECT id, workspace_id, call_id, amount_minor, status, captured_minor, placed_at, closed_at, trunk_legs, legs,
    high_risk_legs
  FROM holds
  WHERE call_id = ANY ($2::uuid[]) AND workspace_id = $1 ORDER BY placed_at, id`

const chargesOf = `
  SELECT e.id, e.reference_id AS call_id, e.amount_minor, e.balance_after_minor, e.created_at,
    (SELECT json_agg(json_build_object('account', account, 'amount_minor', amount_minor) ORDER BY account)
      FROM ledger_lines WHERE entry_id = e.id) AS lines
  FROM ledger_entries e
  WHERE e.kind = 'call_charge' AND e.reference_id = ANY ($2::text[]) AND e.workspace_id = $1 ORDER BY e.created_at, e.id`

const eventsOf = `
  SELECT id, subject_id AS call_id, kind, sequence, occurred_at, late, payload FROM events
  WHERE subject_id = ANY ($2::uuid[]) AND workspace_id = $1 ORDER BY occurred_at, sequence LIMIT ${events_max + 1}`

const linesOf = `
  SELECT call_id, key, kind, at, detail FROM call_trail
  WHERE call_id = ANY ($2::uuid[]) AND workspace_id = $1 ORDER BY at, recorded_at, key LIMIT ${events_max + 1}`

/**
 * The id of a delivery is derived from its event and its subscription. A workspace may have thousands of numbers, each
 * with a subscription: those of other numbers got none of the call's events. Row security lets an index find only what
 * is compared by operators that tell nothing, as those of text do, and those of arrays do not.
 */
const deliveriesOf = `
  WITH called AS MATERIALIZED (
    SELECT DISTINCT number_id::text AS number_id FROM calls WHERE id = ANY ($2::uuid[]) AND workspace_id = $1
  ), subscribed AS (
    SELECT id FROM webhook_subscriptions WHERE workspace_id = $1 AND source IS DISTINCT FROM 'number_routing'
    UNION ALL
    SELECT s.id FROM called JOIN webhook_subscriptions s ON s.number_ids[1] = called.number_id
    WHERE s.workspace_id = $1 AND s.source = 'number_routing'
  )
  SELECT d.id, d.subject_id AS call_id, d.subscription_id, d.event_id, d.event_kind, d.status, d.created_at, d.attempt_log
  FROM events e CROSS JOIN subscribed s
  JOIN deliveries d ON d.id = ${deliveryId("e.id", "s.id")}
  WHERE e.subject_id = ANY ($2::uuid[]) AND e.workspace_id = $1 ORDER BY d.created_at, d.id LIMIT ${events_max + 1}`

const coursesOf = `
  SELECT id AS call_id, state -> 'facts' ->> 'gateway_id' AS gateway_id, state -> 'consulted' AS consulted,
    state -> 'commands' AS commands, state -> 'watches' AS watches FROM calls WHERE id = ANY ($2::uuid[]) AND workspace_id = $1`

const rateOf = `
  SELECT id, prefix, country, description, class, per_min_minor, effective_from, effective_to FROM rates
  WHERE currency = $1 AND direction = $2 AND prefix = $3 AND effective_from <= $4 AND (effective_to IS NULL OR effective_to > $4)
  ORDER BY effective_from DESC LIMIT 1`

const balanceAt = `
  SELECT balance_after_minor FROM ledger_entries WHERE workspace_id = $1 AND created_at <= $2
  ORDER BY created_at DESC, sequence DESC LIMIT 1`

const holdOf = (row: StoredHold): HoldRow => ({
  ...row,
  amount_minor: Number(row.amount_minor),
  captured_minor: Number(row.captured_minor),
  placed_at: row.placed_at.getTime(),
  closed_at: row.closed_at?.getTime() ?? null
})

const chargeOf = (row: StoredCharge): ChargeEntry => ({
  ...row,
  amount_minor: Number(row.amount_minor),
  balance_after_minor: Number(row.balance_after_minor),
  created_at: row.created_at.getTime()
})

const proofOf = (row: StoredRate): RateProof => ({
  ...row,
  per_min_minor: Number(row.per_min_minor),
  effective_from: row.effective_from.getTime(),
  effective_to: row.effective_to?.getTime() ?? null
})

export const layer = Layer.effect(
  CallHistory,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))

    const money = (workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>) =>
      Effect.all({
        holds: Effect.map(sql.unsafe<StoredHold>(holdsOf, [workspace_id, call_ids]), (rows) => rows.map(holdOf)),
        charges: Effect.map(sql.unsafe<StoredCharge>(chargesOf, [workspace_id, call_ids]), (rows) => rows.map(chargeOf))
      }).pipe(failed)

    const trail = (workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>) =>
      Effect.all({
        money: money(workspace_id, call_ids),
        events: Effect.map(sql.unsafe<StoredEvent>(eventsOf, [workspace_id, call_ids]), (rows) =>
          rows.map((row): LoggedEvent => ({ ...row, occurred_at: row.occurred_at.toISOString() }))
        ),
        lines: Effect.map(sql.unsafe<StoredLine>(linesOf, [workspace_id, call_ids]), (rows) =>
          rows.map((row): TrailLine => ({ ...row, at: row.at.getTime() }))
        ),
        deliveries: Effect.map(sql.unsafe<StoredDelivery>(deliveriesOf, [workspace_id, call_ids]), (rows) =>
          rows.map((row): DeliveryTrail => ({ ...row, created_at: row.created_at.getTime() }))
        ),
        courses: Effect.map(sql.unsafe<CallCourse>(coursesOf, [workspace_id, call_ids]), trailOfCourses)
      }).pipe(
        Effect.map(({ courses, deliveries, events, lines, money }) => ({
          ...money,
          ...courses,
          events: events.slice(0, events_max),
          lines: lines.slice(0, events_max),
          deliveries: deliveries.slice(0, events_max),
          is_partial: [events, lines, deliveries].some(({ length }) => length > events_max)
        })),
        failed
      )

    return CallHistory.of({
      money,
      trail,
      rate: (currency, direction, prefix, at) =>
        sql.unsafe<StoredRate>(rateOf, [currency, direction, prefix, new Date(at)]).pipe(
          Effect.map(([row]) => row && proofOf(row)),
          failed
        ),
      balance: (workspace_id, at) =>
        sql.unsafe<{ readonly balance_after_minor: bigint }>(balanceAt, [workspace_id, new Date(at)]).pipe(
          Effect.map(([row]) => row && Number(row.balance_after_minor)),
          failed
        )
    })
  })
)
