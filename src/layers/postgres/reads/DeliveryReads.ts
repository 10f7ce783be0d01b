import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Result } from "effect"
import { DeliveryReads } from "../../../domain/ports/webhooks/DeliveryReads.ts"
import type { After } from "../../../domain/paging/After.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import type { Replayable, ReplayQuery } from "../../../domain/webhooks/ReplayRecord.ts"
import {
  type Attempt,
  type DeliveredEvent,
  type DeliveryFilter,
  type DeliveryRecord,
  DeliveryStatus,
  type DueDeliveries,
  type DueQuery,
  type ListedDelivery
} from "../../../domain/webhooks/DeliveryRecord.ts"
import { eventKinds } from "../../../domain/events/EventTable.ts"
import { bounds } from "./Bounds.ts"
import type { SubscriptionId, WorkspaceId } from "../../../domain/BrandedIds.ts"
import { listedAttempts } from "../journal/ListedAttempts.ts"

/** One row for each due delivery, or one row without a delivery if none is due. The payload is sent as it is stored. */
const dueStatement = `
WITH open AS NOT MATERIALIZED (
  SELECT * FROM deliveries
  WHERE subscription_id = $1 AND workspace_id = $2 AND status IN ('pending', 'in_flight', 'retrying')
), due AS (
  SELECT * FROM open WHERE next_attempt_at <= $3 AND id <> ALL ($5) ORDER BY next_attempt_at LIMIT $4
)
SELECT (s.state ->> 'revision')::int AS revision,
  (SELECT min(next_attempt_at) FROM open WHERE next_attempt_at > $3) AS next_due_at,
  d.id, d.created_at, d.attempts, d.attempt_log, d.event_id, d.event_kind, d.sequence,
  e.occurred_at, e.payload::text AS payload
FROM webhook_subscriptions s
LEFT JOIN due d ON true
LEFT JOIN events e ON e.subject_id = d.subject_id AND e.sequence = d.sequence AND e.id = d.event_id
WHERE s.id = $1 AND s.workspace_id = $2
ORDER BY d.next_attempt_at`

interface DueRow {
  readonly revision: number
  readonly next_due_at: Date | null
  readonly id: string | null
  readonly created_at: Date
  readonly attempts: number
  readonly attempt_log: ReadonlyArray<Attempt>
  readonly event_id: string
  readonly event_kind: string
  readonly sequence: number
  readonly occurred_at: Date
  readonly payload: string
}

const dueOf = (rows: ReadonlyArray<DueRow>, limit: number): DueDeliveries => ({
  revision: rows[0]?.revision ?? 0,
  next_due_at: rows[0]?.next_due_at?.getTime() ?? null,
  more: rows.length > limit,
  deliveries: rows
    .slice(0, limit)
    .flatMap(({ created_at, id, next_due_at: _, occurred_at, revision: __, ...row }) =>
      id === null ? [] : [{ ...row, id, created_at: created_at.getTime(), occurred_at: occurred_at.getTime() }]
    )
})

const shownColumns = `d.id, d.subscription_id, d.event_id, d.event_kind, d.attempts, d.next_attempt_at, d.created_at,
  d.finished_at, d.last_error`

interface Instants {
  readonly next_attempt_at: Date | null
  readonly created_at: Date
  readonly finished_at: Date | null
}
type ListRow = Omit<ListedDelivery, keyof Instants> & Instants
type Row = Omit<DeliveryRecord, keyof Instants> & Instants

const recordOf = <R extends Instants>(row: R) => ({
  ...row,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null
})

/** Only the subscription's actor knows which deliveries are in flight; their rows still say pending or retrying. */
const shownStatus = (sql: PgClient.PgClient, in_flight: ReadonlyArray<string>) =>
  in_flight.length === 0
    ? sql`d.status`
    : sql`CASE WHEN d.id IN ${sql.in(in_flight)} AND d.status IN ('pending', 'retrying') THEN 'in_flight' ELSE d.status END`

interface DeliveredRow extends Omit<DeliveredEvent, "occurred_at"> {
  readonly occurred_at: Date
}

interface ReplayableRow extends Omit<Replayable, "created_at"> {
  readonly created_at: Date
}

const ended = (sql: PgClient.PgClient, { event_kinds, from, only, to }: ReplayQuery) => [
  only === "all" ? sql`status IN ('succeeded', 'dead_letter')` : sql`status = 'dead_letter'`,
  sql`created_at >= ${new Date(from)}`,
  sql`created_at < ${new Date(to)}`,
  ...(event_kinds.length === 0 ? [] : [sql`event_kind IN ${sql.in(event_kinds)}`])
]

const waiting = ["pending", "retrying"]

/**
 * The index is sorted by kind, status and time. So reads the newest rows of each kind and status, and the caller takes
 * the newest of those; rare values are found without scanning. Deliveries in flight are found by their ids.
 */
const rowsOf = (
  sql: PgClient.PgClient,
  workspace_id: WorkspaceId,
  subscription_id: SubscriptionId,
  filter: DeliveryFilter,
  after: After | undefined,
  limit: number
) => {
  const { event_kind, in_flight = [], status } = filter
  const all = [
    sql`subscription_id = ${subscription_id}`,
    sql`workspace_id = ${workspace_id}`,
    ...bounds(sql, filter, after)
  ]
  if (status === undefined && event_kind === undefined) return sql`(SELECT * FROM deliveries d WHERE ${sql.and(all)}) d`
  const flies = sql`id = ANY (${in_flight}::uuid[])`
  const still = status !== undefined && waiting.includes(status) ? [sql`NOT ${flies}`] : []
  const stored = sql`
    SELECT d.* FROM unnest(${event_kind === undefined ? eventKinds : [event_kind]}::text[]) AS k (kind)
    CROSS JOIN unnest(${status === undefined ? DeliveryStatus.literals : [status]}::text[]) AS s (stored)
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries WHERE ${sql.and([...all, ...still, sql`event_kind = k.kind`, sql`status = s.stored`])}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}
    ) d`
  if (status !== "in_flight") return sql`(${stored}) d`
  const kind = event_kind === undefined ? [] : [sql`event_kind = ${event_kind}`]
  return sql`(
    SELECT * FROM deliveries WHERE ${sql.and([flies, sql`status = ANY (${waiting}::text[])`, ...all, ...kind])}
    UNION ALL ${stored}
  ) d`
}

export const layer = Layer.effect(
  DeliveryReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return DeliveryReads.of({
      due: ({ except, limit, now, subscription_id, workspace_id }: DueQuery) =>
        sql
          .unsafe<DueRow>(dueStatement, [
            PgTypes.uuid(subscription_id),
            PgTypes.uuid(workspace_id),
            PgTypes.timestamptz(now),
            PgTypes.int4(limit + 1),
            Result.getOrThrow(PgTypes.array(except, PgTypes.OID.uuid))
          ])
          .pipe(
            Effect.map((rows) => dueOf(rows, limit)),
            failed
          ),
      find: (workspace_id, subscription_id, what, limit) =>
        sql<Row & { readonly revision: number }>`
          SELECT (s.state ->> 'revision')::int AS revision, d.status, d.attempt_log, ${sql.literal(shownColumns)}
          FROM webhook_subscriptions s JOIN deliveries d ON d.subscription_id = s.id
          WHERE s.id = ${subscription_id} AND s.workspace_id = ${workspace_id}
            AND ${"id" in what ? sql`d.id = ${what.id}` : sql`d.status = 'blocked'`}
          ORDER BY d.created_at, d.id LIMIT ${limit}`.pipe(
          Effect.map((rows) => ({
            revision: rows[0]?.revision ?? 0,
            deliveries: rows.map(({ revision: _, ...row }) => recordOf(row))
          })),
          failed
        ),
      event: (workspace_id, subscription_id, id) =>
        sql<DeliveredRow>`
          SELECT d.event_id, d.event_kind, d.sequence, e.occurred_at, e.payload::text AS payload
          FROM deliveries d
          JOIN events e ON e.subject_id = d.subject_id AND e.sequence = d.sequence AND e.id = d.event_id
          WHERE d.id = ${id} AND d.subscription_id = ${subscription_id} AND d.workspace_id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row && { ...row, occurred_at: row.occurred_at.getTime() }),
          failed
        ),
      replayable: (workspace_id, subscription_id, query, limit) =>
        sql<ReplayableRow>`
          SELECT event_id, event_kind, subject_id, sequence, created_at FROM deliveries
          WHERE ${sql.and([
            sql`subscription_id = ${subscription_id}`,
            sql`workspace_id = ${workspace_id}`,
            ...ended(sql, query)
          ])}
          ORDER BY created_at, id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map((row) => ({ ...row, created_at: row.created_at.getTime() }))),
          failed
        ),
      list: (workspace_id, subscription_id, filter, after, limit) =>
        sql<ListRow>`
          SELECT ${sql.literal(shownColumns)}, ${sql.literal(listedAttempts)}, ${shownStatus(sql, filter.in_flight ?? [])} AS status
          FROM ${rowsOf(sql, workspace_id, subscription_id, filter, after, limit)}
          ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(recordOf)),
          failed
        )
    })
  })
)
