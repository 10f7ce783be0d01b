// Reads of actors and alarms, through the pool.
import type { PgClient } from "@effect/sql-pg"
import { Effect, Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Journal } from "../../../domain/ports/engine/Journal.ts"
import type { Alarm, HoldRow, Stored } from "../../../domain/journal/Rows.ts"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { columns, instant, parameters, relation, text, uuid } from "./JournalColumns.ts"
import { type SnapshotTable, tableOf } from "./JournalTables.ts"
import { batchedReads } from "../cache/BatchedReads.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

type JournalService = (typeof Journal)["Service"]

const epoch = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::int8`

const openHolds = `(SELECT json_agg(json_build_object('id', id, 'workspace_id', workspace_id, 'call_id', call_id,
    'amount_minor', amount_minor, 'status', status, 'captured_minor', captured_minor,
    'placed_at', ${epoch("placed_at")}, 'closed_at', NULL, 'trunk_legs', trunk_legs,
    'legs', legs, 'high_risk_legs', high_risk_legs) ORDER BY placed_at, id)
  FROM holds WHERE workspace_id = t.workspace_id AND status = 'open')`

/**
 * The outbound calls of the last hour, oldest first, at most the newest 10,000; none if the workspace has no limit per
 * destination.
 */
const dialled = `(SELECT json_agg(json_build_array(to_e164, at) ORDER BY at) FROM (
    SELECT to_e164, ${epoch("created_at")} AS at FROM calls
    WHERE workspace_id = t.workspace_id AND direction = 'outbound' AND created_at > now() - interval '1 hour'
      AND NOT EXISTS (
        SELECT FROM workspaces w
        WHERE w.id = t.workspace_id AND w.calling_policy::jsonb -> 'max_calls_per_destination_per_hour' = 'null'
      )
    ORDER BY created_at DESC LIMIT 10000) recent)`

/** Reads the alarm and the holds in the same statement, so that they match the version. */
const loadFrom = (table: SnapshotTable): string => {
  const generic = table.name === "actors"
  const id = generic ? "t.actor_id" : `t.${table.key[0].name}`
  return `SELECT ${id}::text AS actor_id, t.version, t.workspace_id, ${table.state ?? "t.state::text"} AS state,
    (SELECT due_at FROM alarms WHERE actor_type = $1 AND actor_id = ${id}::text) AS alarm,
    ${table.name === "wallets" ? `${openHolds} AS holds, ${dialled} AS dialled` : "NULL AS holds, NULL AS dialled"}
  FROM ${table.name} t WHERE ${generic ? `t.actor_type = $1 AND ${id} = ANY($2::text[])` : `${id} = ANY($2::text[]${table.key[0].type === uuid ? "::uuid[]" : ""})`}`
}

/** Actors that are read together: after a crash, all that were live. */
const loadTogether = { max_batch: 500, lanes: 2 }

interface LoadedRow {
  readonly actor_id: string
  readonly version: number
  readonly workspace_id: WorkspaceId | null
  readonly state: string
  readonly alarm: Date | null
  readonly holds: ReadonlyArray<HoldRow> | null
  readonly dialled: Stored["dialled"] | null
}

interface AlarmRow {
  readonly actor_type: string
  readonly actor_id: string
  readonly due_at: Date
}

const dueAlarms = `SELECT actor_type, actor_id, due_at FROM alarms
  WHERE due_at <= $1 AND (due_at, actor_type, actor_id) > ($2, $3, $4)
  ORDER BY due_at, actor_type, actor_id LIMIT $5`

const alarmColumns = columns<Alarm>({ actor_type: [text], actor_id: [text], due_at: [instant] })

/**
 * Postpones alarms that have not changed since they were read. Alarms that are locked are skipped: waiting for them
 * could be a deadlock with the writer.
 */
const postponeAlarms = `UPDATE alarms SET due_at = $1 WHERE (actor_type, actor_id) IN (
  SELECT t.actor_type, t.actor_id FROM alarms t JOIN ${relation(alarmColumns, 2)}
  ON t.actor_type = r.actor_type AND t.actor_id = r.actor_id AND t.due_at = r.due_at FOR UPDATE OF t SKIP LOCKED)`

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const unavailable = (cause: SqlError.SqlError) => new NotCommitted({ reason: "unavailable", cause })

const storedOf = ({ actor_id: _, alarm, dialled, holds, ...row }: LoadedRow): Stored => ({
  ...row,
  ...(dialled && { dialled }),
  alarm: alarm?.getTime() ?? null,
  holds: holds ?? []
})

type Load = (actor_id: string) => Effect.Effect<Stored | undefined, NotCommitted>

/** Loads of the same actor type that wait at the same time share a statement. */
const makeLoad = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const scope = yield* Effect.scope
  const loadsOf = new Map<string, Load>()

  const make = (actor_type: string, table: SnapshotTable) =>
    batchedReads(loadTogether, (actor_ids: ReadonlyArray<string>) =>
      sql.unsafe<LoadedRow>(loadFrom(table), [actor_type, actor_ids]).pipe(
        Effect.map((rows) => {
          const found = new Map(rows.map((row) => [row.actor_id, storedOf(row)]))
          return actor_ids.map((actor_id) => found.get(actor_id.toLowerCase()) ?? found.get(actor_id))
        }),
        Effect.mapError(unavailable)
      )
    ).pipe(Scope.provide(scope))

  return (actor_type: string, actor_id: string): Effect.Effect<Stored | undefined, NotCommitted> => {
    const table = tableOf(actor_type)
    // An id that is not a UUID cannot exist.
    if (table.key[0].type === uuid && !uuidPattern.test(actor_id)) return Effect.succeed(undefined)
    return Effect.gen(function* () {
      let load = loadsOf.get(actor_type)
      if (load === undefined) {
        load = yield* make(actor_type, table)
        loadsOf.set(actor_type, load)
      }
      return yield* load(actor_id)
    })
  }
})

export const makeReads = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  return { load: yield* makeLoad(sql), ...alarmReads(sql) }
})

const alarmReads = (sql: PgClient.PgClient): Pick<JournalService, "alarms" | "postpone"> => ({
  alarms: ({ after, before, limit }) =>
    sql
      .unsafe<AlarmRow>(dueAlarms, [
        new Date(before),
        new Date(after?.due_at ?? 0),
        after?.actor_type ?? "",
        after?.actor_id ?? "",
        limit
      ])
      .pipe(
        Effect.map((rows) => rows.map((row) => ({ ...row, due_at: row.due_at.getTime() }))),
        Effect.mapError(unavailable)
      ),
  postpone: (alarms, until) =>
    alarms.length === 0
      ? Effect.void
      : sql
          .unsafe(postponeAlarms, [new Date(until), ...parameters(alarmColumns, alarms)])
          .pipe(Effect.asVoid, Effect.mapError(unavailable))
})
