// Groups the calls of a workspace into blocks, in the order of its list, and stores at which places of a block each
// value occurs (domain/paging/Places.ts). A background job does this some time after the calls were stored, so calls do
// not pay for it. Calls after the last block are read directly.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { block_size, listed_most } from "../../../domain/paging/Places.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

/** Nearly all calls that are older than this are stored. */
const settled_after_ms = 30_000
/** All calls that are older than this are stored. Those that a block missed are then added to its `late`. */
const complete_after_ms = 600_000
const look_every_ms = 60_000
/** The pause after blocks were made: where there are many calls, the next block is soon full. */
const look_soon_ms = 5_000

/** The filters of lists, with their numbers in the column `kind`. */
export const kinds = { status: 1, direction: 2, from: 3, to: 4, number_id: 5, client_reference: 6 } as const

const live = "('ringing', 'answered')"
/** A hash of a value, so that index rows are short. A search compares the value itself too. */
export const digest = (value: string): string => `md5(${value})::uuid`
export const idAt = (ids: string, place: string): string => `encode(substr(${ids}, ${place} * 16 + 1, 16), 'hex')::uuid`

const places = `CASE
  WHEN count(*) <= ${listed_most} THEN string_agg(int2send(place::int2), ''::bytea ORDER BY place)
  ELSE substr(bit_send(bit_or(set_bit(repeat('0', ${block_size})::bit(${block_size}), place, 1))), 5)
END`

/**
 * Workspaces with enough calls for a new block. Only those with recent calls are examined, because only a call can fill
 * a block.
 */
const due = `
  SELECT w.id FROM (
    SELECT id FROM workspaces w
    WHERE EXISTS (SELECT FROM calls c WHERE c.workspace_id = w.id AND c.created_at >= $2 AND c.created_at < $1)
  ) w
  LEFT JOIN LATERAL (
    SELECT until_at, until_id FROM call_blocks WHERE workspace_id = w.id ORDER BY block DESC LIMIT 1
  ) last ON true
  CROSS JOIN LATERAL (
    SELECT FROM calls c
    WHERE c.workspace_id = w.id AND c.created_at < $1 AND (c.created_at, c.id) >
      (coalesce(last.until_at, '-infinity'), coalesce(last.until_id, '00000000-0000-0000-0000-000000000000'))
    ORDER BY c.created_at, c.id OFFSET ${block_size - 1} LIMIT 1
  ) full_one`

/**
 * Makes the next block of a workspace, if there are enough calls. Two processes that do this at once make one block.
 */
const next = `
  WITH last AS MATERIALIZED (
    SELECT coalesce(max(block) + 1, 0) AS block, coalesce(max(until_at), '-infinity') AS at,
      coalesce((array_agg(until_id))[1], '00000000-0000-0000-0000-000000000000') AS id
    FROM (SELECT block, until_at, until_id FROM call_blocks WHERE workspace_id = $1 ORDER BY block DESC LIMIT 1) b
  ), member AS MATERIALIZED (
    SELECT (row_number() OVER (ORDER BY created_at, id) - 1)::int AS place, id, created_at, status, direction, from_e164, to_e164,
      number_id::text, client_reference
    FROM (
      SELECT * FROM calls
      WHERE workspace_id = $1 AND created_at < $2 AND (created_at, id) > ((SELECT at FROM last), (SELECT id FROM last))
      ORDER BY created_at, id LIMIT ${block_size}
    ) c
  ), made AS (
    INSERT INTO call_blocks (workspace_id, block, after_at, after_id, until_at, until_id, ids, instants, open)
    SELECT $1, (SELECT block FROM last), (SELECT at FROM last), (SELECT id FROM last), max(created_at),
      (array_agg(id ORDER BY place DESC))[1], string_agg(uuid_send(id), ''::bytea ORDER BY place),
      string_agg(int8send(floor(extract(epoch FROM created_at) * 1000)::int8), ''::bytea ORDER BY place),
      coalesce(array_agg(id) FILTER (WHERE status IN ${live}), '{}')
    FROM member HAVING count(*) = ${block_size}
    ON CONFLICT DO NOTHING RETURNING block
  ), placed AS (
    INSERT INTO call_places (workspace_id, kind, value, block, places)
    SELECT $1, kind, ${digest("value")}, block, ${places}
    FROM made CROSS JOIN member CROSS JOIN LATERAL (VALUES
      (${kinds.status}, CASE WHEN status IN ${live} THEN NULL ELSE status END), (${kinds.direction}, direction), (${kinds.from}, from_e164),
      (${kinds.to}, to_e164), (${kinds.number_id}, number_id), (${kinds.client_reference}, client_reference)
    ) AS of (kind, value)
    WHERE value IS NOT NULL GROUP BY kind, value, block
  )
  SELECT block FROM made`

/**
 * Blocks to update: half of their open calls have ended. So a block is written few times, and few calls are read one by
 * one.
 */
const unfinished = `
  SELECT workspace_id, block FROM call_blocks b
  WHERE NOT checked AND until_at < $1
  UNION
  SELECT workspace_id, block FROM call_blocks b
  WHERE (open <> '{}' OR late <> '{}') AND open <> '{}' AND 2 * (
    SELECT count(*) FROM calls c WHERE c.id = ANY (b.open) AND c.status NOT IN ${live}
  ) >= cardinality(open)`

const finished = `
  WITH made AS MATERIALIZED (
    SELECT * FROM call_blocks WHERE workspace_id = $1 AND block = $2 FOR UPDATE
  ), member AS MATERIALIZED (
    SELECT c.id, c.status FROM made m JOIN calls c ON c.workspace_id = m.workspace_id
      AND (c.created_at, c.id) > (m.after_at, m.after_id) AND (c.created_at, c.id) <= (m.until_at, m.until_id)
  ), known AS MATERIALIZED (
    SELECT place, ${idAt("m.ids", "place")} AS id FROM made m CROSS JOIN generate_series(0, ${block_size - 1}) AS place
  ), placed AS (
    INSERT INTO call_places (workspace_id, kind, value, block, places)
    SELECT $1, ${kinds.status}, ${digest("status")}, $2, ${places}
    FROM known JOIN member USING (id) WHERE status NOT IN ${live} GROUP BY status
    ON CONFLICT (workspace_id, kind, value, block) DO UPDATE SET places = excluded.places
  )
  UPDATE call_blocks b SET checked = b.until_at < $3,
    open = (SELECT coalesce(array_agg(id), '{}') FROM member JOIN known USING (id) WHERE status IN ${live}),
    late = (SELECT coalesce(array_agg(id), '{}') FROM member WHERE id NOT IN (SELECT id FROM known))
  FROM made WHERE b.workspace_id = made.workspace_id AND b.block = made.block`

interface Unfinished {
  readonly workspace_id: WorkspaceId
  readonly block: number
}

export interface Look {
  readonly made: number
  /** Calls placed before this instant were examined, epoch milliseconds. The next run can begin here. */
  readonly until: number
}

/**
 * Makes all full blocks of workspaces with calls since `since`, and updates the blocks with calls that have ended
 * meanwhile.
 */
export const makeBlocks = (sql: PgClient.PgClient, since = 0): Effect.Effect<Look, SqlError.SqlError> => {
  const withLongTimeout = <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
    sql.withTransaction(Effect.andThen(sql`SELECT set_config('statement_timeout', '60s', true)`, statement))

  const blocksOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId, before: Date) {
    let made = 0
    while ((yield* withLongTimeout(sql.unsafe(next, [workspace_id, before]))).length > 0) made++
    return made
  })

  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [settled, complete] = [new Date(now - settled_after_ms), new Date(now - complete_after_ms)]
    const workspaces = yield* withLongTimeout(sql.unsafe<{ readonly id: WorkspaceId }>(due, [settled, new Date(since)]))
    const made = yield* Effect.forEach(workspaces, ({ id }) => blocksOf(id, settled))
    const rest = yield* withLongTimeout(sql.unsafe<Unfinished>(unfinished, [complete]))
    yield* Effect.forEach(
      rest,
      ({ block, workspace_id }) => withLongTimeout(sql.unsafe(finished, [workspace_id, block, complete])),
      { discard: true }
    )
    return { made: made.reduce((sum, each) => sum + each, 0), until: settled.getTime() }
  })
}

/** Runs in the background, first at the start, for calls that are not in blocks yet. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    let since = 0
    const look = Effect.catch(
      Effect.suspend(() => makeBlocks(sql, since)),
      (error) =>
        Effect.as(Effect.logWarning("Grouping calls into blocks for lists failed; retrying", error), {
          made: 0,
          until: since
        })
    )
    const looks = Effect.flatMap(look, ({ made, until }) => {
      since = until
      return Effect.sleep(made > 0 ? look_soon_ms : look_every_ms)
    })
    yield* Effect.forkScoped(Effect.forever(looks))
  })
)
