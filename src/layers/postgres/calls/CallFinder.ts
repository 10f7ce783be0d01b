// Finds the calls that match several filters, newest first, at a cost that does not depend on how rare they are. Calls
// after the last block are read directly. For calls in blocks (CallBlocks.ts) it intersects the places of the values,
// so that it reads only calls that match.
import type { PgClient } from "@effect/sql-pg"
import { Array as Arr, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { CallRecord } from "../../../domain/calls/state/CallRecord.ts"
import { callRecordFromState } from "../../../domain/calls/views/CallView.ts"
import type { After } from "../../../domain/paging/After.ts"
import { commonPlaces, placesUntil } from "../../../domain/paging/Places.ts"
import { digest, idAt, kinds } from "./CallBlocks.ts"
import { readablePage } from "../../state/ReadablePage.ts"
import { conditions, sought } from "./CallConditions.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import type { CallFilter } from "../../../domain/calls/views/CallFilter.ts"

interface StateRow {
  readonly id: string
  readonly created_at: Date
  readonly state: string
}

type Rows = Effect.Effect<ReadonlyArray<CallRecord>, SqlError.SqlError>

/**
 * The end of a workspace's last block, the blocks in which to search, and the calls to check one by one.
 */
interface Span {
  readonly at: string
  readonly id: string
  /** Whether the last block ends within or after the requested period. */
  readonly reached: boolean
  readonly newest: number | null
  readonly oldest: number
  readonly apart: ReadonlyArray<string>
}

interface Hit {
  readonly block: number
  readonly place: number
}

/** The blocks to compare: the newest, the oldest, how many, and the limit of places in the newest. */
interface Compared {
  readonly newest: number
  readonly oldest: number
  readonly blocks: number
  readonly below: number | undefined
}

interface PlacesRow {
  readonly block: number
  readonly [places: `places_${number}`]: Uint8Array | null
}

interface Sought {
  readonly workspace_id: WorkspaceId
  readonly filter: CallFilter
  readonly after: After | undefined
  readonly limit: number
}

/** How many blocks are compared at a time: few at first, because most filters find a page in them. */
const first_blocks = 8
const most_blocks = 512

const span = `
  SELECT until_at::text AS at, until_id AS id, until_at >= $3 AS reached,
    (SELECT block FROM call_blocks WHERE workspace_id = $1 AND after_at <= $2 ORDER BY after_at DESC, block DESC LIMIT 1) AS newest,
    coalesce((SELECT block FROM call_blocks WHERE workspace_id = $1 AND after_at < $3 ORDER BY after_at DESC, block DESC LIMIT 1), 0) AS oldest,
    ARRAY(
      SELECT unnest(open || late) FROM call_blocks
      WHERE workspace_id = $1 AND after_at <= $2 AND until_at >= $3 AND (open <> '{}' OR late <> '{}')
    ) AS apart
  FROM call_blocks WHERE workspace_id = $1 ORDER BY block DESC LIMIT 1`

/**
 * Selects the blocks that contain the first value, newest first, with the places of all values. Each value has its own
 * subquery, because the planner underestimates how common values are and would join all with all. Parameters:
 * workspace, newest, oldest, how many, the values.
 */
const placesOf = ([first, ...others]: Arr.NonEmptyReadonlyArray<keyof typeof kinds>): string => {
  const looked = others.map(
    (name, n) => `, (
    SELECT places FROM call_places
    WHERE workspace_id = $1 AND kind = ${kinds[name]} AND value = ${digest(`$${n + 6}`)} AND block = p.block
  ) AS places_${n + 1}`
  )
  return `SELECT block, places AS places_0${looked.join("")} FROM call_places p
    WHERE workspace_id = $1 AND kind = ${kinds[first]} AND value = ${digest("$5")} AND block BETWEEN $3 AND $2
    ORDER BY block DESC LIMIT $4`
}

const nowhere = new Uint8Array()
const earliest = -62_135_596_800_000
const latest = 253_402_300_799_999

const newestFirst = (a: CallRecord, b: CallRecord): number =>
  a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1

/** The newest calls of several lists, without duplicates. */
const merged = (lists: ReadonlyArray<ReadonlyArray<CallRecord>>, limit: number): ReadonlyArray<CallRecord> =>
  [...new Map(lists.flat().map((call) => [call.id, call])).values()].sort(newestFirst).slice(0, limit)

const read = (
  sql: PgClient.PgClient,
  { filter, limit, workspace_id, ...page }: Sought,
  among: ReturnType<typeof conditions>
): Rows =>
  readablePage({
    after: page.after,
    limit,
    rows: (after) => sql<StateRow>`
      SELECT id, created_at, state::text AS state FROM calls
      WHERE ${sql.and([sql`workspace_id = ${workspace_id}`, ...among, ...conditions(sql, filter, after)])}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
    of: ({ id }) => ({ type: "Call", id, workspace_id }),
    placeOf: ({ created_at, id }) => ({ at: created_at.getTime(), id }),
    show: ({ state }) => callRecordFromState(state)
  })

/** Calls after the last block. Only the later one of the two lower bounds is used; it implies the other. */
const afterBlocks = (sql: PgClient.PgClient, page: Sought, { at, id, reached }: Span): Rows => {
  const { created_after: _, ...filter } = page.filter
  return reached
    ? read(sql, { ...page, filter }, [sql`(created_at, id) > (${at}::timestamptz, ${id}::uuid)`])
    : read(sql, page, [])
}

/** How many places of a block are not after the instant at which the page begins. */
const placesBefore = (sql: PgClient.PgClient, workspace_id: WorkspaceId, block: number, until: number) =>
  Effect.map(
    sql<{
      readonly instants: Uint8Array
    }>`SELECT instants FROM call_blocks WHERE workspace_id = ${workspace_id} AND block = ${block}`,
    ([row]) => row && placesUntil(row.instants, until)
  )

/** The places that have all values, in some blocks from the newest on, and the block to continue with. */
const hitsOf = (sql: PgClient.PgClient, { filter, workspace_id }: Sought, from: Compared) => {
  const values = sought(filter)
  if (!Arr.isReadonlyArrayNonEmpty(values)) return Effect.succeed({ hits: [], next: undefined })
  const statement = placesOf(Arr.map(values, ([name]) => name))
  return Effect.map(
    sql.unsafe<PlacesRow>(statement, [
      workspace_id,
      from.newest,
      from.oldest,
      from.blocks,
      ...values.map(([, value]) => value)
    ]),
    (rows) => ({
      hits: rows.flatMap((row): ReadonlyArray<Hit> =>
        commonPlaces(
          values.map((_, of) => row[`places_${of}`] ?? nowhere),
          row.block === from.newest ? from.below : undefined
        ).map((place) => ({ block: row.block, place }))
      ),
      next: rows.length < from.blocks ? undefined : (rows.at(-1)?.block ?? from.oldest) - 1
    })
  )
}

const idsOf = (sql: PgClient.PgClient, workspace_id: WorkspaceId, hits: ReadonlyArray<Hit>) =>
  sql`id = ANY (ARRAY(
    SELECT ${sql.literal(idAt("b.ids", "hit.place"))}
    FROM unnest(${hits.map(({ block }) => block)}::int[], ${hits.map(({ place }) => place)}::int[]) AS hit (block, place)
    JOIN call_blocks b ON b.workspace_id = ${workspace_id} AND b.block = hit.block))`

/** Reads the calls at the hits. `over`: the page is full, or a call is older than the requested period. */
const readHits = Effect.fnUntraced(function* (sql: PgClient.PgClient, page: Sought, hits: ReadonlyArray<Hit>) {
  const { created_after: since, ...filter } = page.filter
  const found: Array<CallRecord> = []
  for (let from = 0; from < hits.length && found.length < page.limit;) {
    const some = hits.slice(from, from + page.limit - found.length)
    from += some.length
    const calls: ReadonlyArray<CallRecord> = yield* read(sql, { ...page, filter }, [
      idsOf(sql, page.workspace_id, some)
    ])
    const inPeriod = since === undefined ? calls : calls.filter(({ created_at }) => Date.parse(created_at) >= since)
    found.push(...inPeriod)
    if (inPeriod.length < calls.length) return { found, over: true }
  }
  return { found, over: found.length >= page.limit }
})

const inBlocks = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  page: Sought,
  { newest, oldest }: Span,
  until: number
) {
  const found: Array<CallRecord> = []
  let block: number | undefined = newest ?? undefined
  let below =
    block === undefined || until === latest ? undefined : yield* placesBefore(sql, page.workspace_id, block, until)
  for (let blocks = first_blocks; block !== undefined && block >= oldest; blocks = Math.min(blocks * 8, most_blocks)) {
    const { hits, next } = yield* hitsOf(sql, page, { newest: block, oldest, blocks, below })
    const some = yield* readHits(sql, { ...page, limit: page.limit - found.length }, hits)
    found.push(...some.found)
    if (some.over) break
    block = next
    below = undefined
  }
  return found
})

export const callFinder = (sql: PgClient.PgClient) =>
  Effect.fnUntraced(function* (page: Sought) {
    const { after, filter, limit, workspace_id } = page
    if (sought(filter).length === 0) return yield* read(sql, page, [])
    const until = Math.min(after?.at ?? latest, filter.created_before ?? latest)
    const since = filter.created_after ?? earliest
    const [last]: ReadonlyArray<Span> = yield* sql.unsafe<Span>(span, [workspace_id, new Date(until), new Date(since)])
    if (last === undefined) return yield* read(sql, page, [])
    const recent = yield* afterBlocks(sql, page, last)
    if (recent.length >= limit) return recent
    const rest = { ...page, limit: limit - recent.length }
    const apart = last.apart.length === 0 ? [] : yield* read(sql, rest, [sql`id = ANY (${last.apart}::uuid[])`])
    return [...recent, ...merged([apart, yield* inBlocks(sql, rest, last, until)], rest.limit)]
  })
