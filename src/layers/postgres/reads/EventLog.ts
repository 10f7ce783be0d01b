// The events of a workspace in the order of their transactions (migrations/schema/Events.ts).
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { toWorkspaceId, type WorkspaceId } from "../../../domain/BrandedIds.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { EventLog } from "../../../domain/ports/webhooks/EventLog.ts"
import { eventLogReach_ms } from "../../../domain/webhooks/LoggedEvent.ts"
import { type EventPosition, positionBefore } from "../../../domain/webhooks/EventPosition.ts"

interface Row {
  readonly id: string
  readonly txid: string
  readonly sequence: number
  readonly kind: string
  readonly occurred_at: Date
  readonly recorded_at: Date
  readonly payload: string | null
}

interface Probe {
  readonly txid: string
  readonly recorded_at: Date
}

/** The id of the oldest transaction that still runs: everything below is decided. */
const horizon = "pg_snapshot_xmin(pg_current_snapshot())"

/** Older months of the log are not read. A day is spare for clocks that disagree. */
const reach_ms = eventLogReach_ms + 86_400_000

const eventOf = ({ id, kind, occurred_at, payload, recorded_at, sequence, txid }: Row) => ({
  position: { order: BigInt(txid), sequence, id },
  kind,
  occurred_at: occurred_at.getTime(),
  recorded_at: recorded_at.getTime(),
  payload
})

const makeReads = (sql: PgClient.PgClient) => {
  const readable = Effect.map(
    Clock.currentTimeMillis,
    (now) => sql`txid < ${sql.literal(horizon)} AND recorded_at >= ${new Date(now - reach_ms)}`
  )

  const end = Effect.map(sql<{ readonly txid: string }>`SELECT ${sql.literal(horizon)}::text AS txid`, ([row]) =>
    positionBefore(BigInt(row?.txid ?? 0))
  )

  /** The first event of a transaction with this id or a higher one. */
  const probe = Effect.fnUntraced(function* (workspace_id: WorkspaceId, order: bigint) {
    const [row] = yield* sql<Probe>`
      SELECT txid::text AS txid, recorded_at FROM events
      WHERE workspace_id = ${workspace_id} AND txid >= ${String(order)}::text::xid8 AND ${yield* readable}
      ORDER BY events.txid, events.sequence, events.id LIMIT 1`
    return row
  })

  /** Transactions and times rise together, so the first one is found by halving: about 30 looks into the index. */
  const placeOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId, at: number) {
    let [low, high] = [0n, (yield* end).order]
    while (low < high) {
      const middle = (low + high) / 2n
      const found = yield* probe(workspace_id, middle)
      if (found === undefined || found.recorded_at.getTime() >= at) high = middle
      else low = BigInt(found.txid) + 1n
    }
    return positionBefore(low)
  })

  const after = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    { id, order, sequence }: EventPosition,
    kinds: ReadonlyArray<string>,
    limit: number
  ) {
    const payload = kinds.length === 0 ? sql`NULL` : sql`CASE WHEN kind IN ${sql.in(kinds)} THEN payload::text END`
    const rows = yield* sql<Row>`
      SELECT id, txid::text AS txid, sequence, kind, occurred_at, recorded_at, ${payload} AS payload FROM events
      WHERE workspace_id = ${workspace_id}
        AND (txid, sequence, id) > (${String(order)}::text::xid8, ${sequence}::int, ${id}::uuid) AND ${yield* readable}
      ORDER BY events.txid, events.sequence, events.id LIMIT ${limit}`
    return rows.map(eventOf)
  })

  const changed = Effect.fnUntraced(function* (workspace_ids: ReadonlyArray<WorkspaceId>, since: EventPosition) {
    const rows = yield* sql<{ readonly txid: string; readonly id: string | null }>`
      SELECT ${sql.literal(horizon)}::text AS txid, w.id FROM (SELECT 1) AS one
      LEFT JOIN (
        SELECT id FROM unnest(${workspace_ids}::uuid[]) AS followed (id) WHERE EXISTS (
          SELECT FROM events
          WHERE workspace_id = followed.id AND txid >= ${String(since.order)}::text::xid8 AND ${yield* readable}
        )
      ) AS w ON true`
    return {
      end: positionBefore(BigInt(rows[0]?.txid ?? 0)),
      workspace_ids: rows.flatMap(({ id }) => (id === null ? [] : [toWorkspaceId(id)]))
    }
  })

  return { after, changed, end, placeOf }
}

export const layer = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const { after, changed, end, placeOf } = makeReads(yield* PgClient.PgClient)
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return EventLog.of({
      end: failed(end),
      placeOf: (...query) => failed(placeOf(...query)),
      after: (...query) => failed(after(...query)),
      changed: (...query) => failed(changed(...query))
    })
  })
)
