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
import { listedAttempts } from "../journal/ListedAttempts.ts"
import { deliveryId } from "../journal/JournalWrites.ts"
import type { CallId, WorkspaceId } from "../../../domain/BrandedIds.ts"

/** How many rows are read from each table, and how many bytes of them. Hardly any call with its legs has more. */
const events_max = 2_000
const bytes_max = 4 * 1_024 * 1_024

/** A row of a bounded query. */
interface Bounded {
  /** How many rows there are, up to one more than are read. */
  readonly found: number
  readonly bytes_before: bigint | null
}

/**
 * The first rows of a query, until those before have so many bytes. `columns`: what is read of each; `wide`: the column
 * that has most of the bytes.
 */
const bounded = (columns: string, wide: string, order: string, rows: string): string => `
  SELECT ${columns}, found, bytes_before FROM (
    SELECT *, (count(*) OVER ())::int AS found, (sum(octet_length(${wide}::text)) OVER (
      ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))::int8 AS bytes_before
    FROM (${rows} ORDER BY ${order} LIMIT ${events_max + 1}) AS first
  ) AS sized WHERE coalesce(bytes_before, 0) < ${bytes_max} ORDER BY ${order} LIMIT ${events_max}`

const unbounded = <Row extends Bounded>({ bytes_before: _, found: __, ...row }: Row): Omit<Row, keyof Bounded> => row

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

interface StoredEvent extends Omit<LoggedEvent, "occurred_at">, Bounded {
  readonly occurred_at: Date
}

interface StoredLine extends Omit<TrailLine, "at">, Bounded {
  readonly at: Date
}

interface StoredDelivery extends Omit<DeliveryTrail, "created_at">, Bounded {
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

const eventsOf = bounded(
  "id, subject_id AS call_id, kind, sequence, occurred_at, late, payload",
  "payload",
  "occurred_at, sequence",
  "SELECT * FROM events WHERE subject_id = ANY ($2::uuid[]) AND workspace_id = $1"
)

const linesOf = bounded(
  "call_id, key, kind, at, detail",
  "detail",
  "at, recorded_at, key",
  "SELECT * FROM call_trail WHERE call_id = ANY ($2::uuid[]) AND workspace_id = $1"
)

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
  ${bounded(
    "id, call_id, subscription_id, event_id, event_kind, status, created_at, attempt_log",
    "attempt_log",
    "created_at, id",
    `SELECT d.id, d.subject_id AS call_id, d.subscription_id, d.event_id, d.event_kind, d.status, d.created_at,
      ${listedAttempts}
    FROM events e CROSS JOIN subscribed s
    JOIN deliveries d ON d.id = ${deliveryId("e.id", "s.id")}
    WHERE e.subject_id = ANY ($2::uuid[]) AND e.workspace_id = $1`
  )}`

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
        events: sql.unsafe<StoredEvent>(eventsOf, [workspace_id, call_ids]),
        lines: sql.unsafe<StoredLine>(linesOf, [workspace_id, call_ids]),
        deliveries: sql.unsafe<StoredDelivery>(deliveriesOf, [workspace_id, call_ids]),
        courses: Effect.map(sql.unsafe<CallCourse>(coursesOf, [workspace_id, call_ids]), trailOfCourses)
      }).pipe(
        Effect.map(({ courses, deliveries, events, lines, money }) => ({
          ...money,
          ...courses,
          events: events.map((row): LoggedEvent => ({ ...unbounded(row), occurred_at: row.occurred_at.toISOString() })),
          lines: lines.map((row): TrailLine => ({ ...unbounded(row), at: row.at.getTime() })),
          deliveries: deliveries.map((row): DeliveryTrail => ({
            ...unbounded(row),
            created_at: row.created_at.getTime()
          })),
          is_partial: [events, lines, deliveries].some((rows) => rows.length < (rows[0]?.found ?? 0))
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
