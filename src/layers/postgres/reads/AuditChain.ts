// Verifies the hash chain of a workspace's audit log, in pieces, so that a long log holds no connection for long.
import { Clock, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { AuditVerdict } from "../../../domain/access/AuditEntry.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"
import { makeSharedRuns } from "../cache/SharedRuns.ts"

/** How many sequences one statement verifies. */
const piece_size = 1_000
/** A log of up to this many entries is always verified as a whole. */
const alwaysWhole = 5_000
/** A longer one is verified as a whole once in this time, and in between from the last verified entry. */
const whole_ms = 3_600_000
/** The last verified entry is remembered for so many workspaces. */
const remembered_max = 10_000

/** Up to this entry the chain is whole. */
interface Place {
  readonly sequence: number
  readonly hash: string
}

interface Verified extends Place {
  /** When the verification of the whole log began, epoch milliseconds. */
  readonly since: number
}

interface Broken {
  readonly id: string
  readonly sequence: number
}

/** The extent of a workspace's log. The members are null if it is empty. */
const extentOf = (sql: SqlClient.SqlClient, workspace_id: WorkspaceId) =>
  sql<{
    readonly entries: bigint
    readonly first: bigint | null
    readonly last: bigint | null
    readonly hash: string | null
  }>`
    SELECT count(*) AS entries, min(sequence) AS first, max(sequence) AS last, (
      SELECT encode(hash, 'hex') FROM audit_entries WHERE workspace_id = ${workspace_id} ORDER BY sequence DESC LIMIT 1
    ) AS hash
    FROM audit_entries WHERE workspace_id = ${workspace_id}`.pipe(
    Effect.map(([row]) => expectPresent(row, "The extent of the log"))
  )

/**
 * Verifies the entries from the sequence `from` to `to`, both included, which follow `before`. Without it the first
 * entry may follow a deleted one; every other entry must follow the one before it.
 */
const verifyPiece = (
  sql: SqlClient.SqlClient,
  workspace_id: WorkspaceId,
  { before, from, to }: { readonly before: Place | undefined; readonly from: number; readonly to: number }
) => {
  const first =
    before === undefined
      ? sql`(sequence > 1 OR prev_hash = '')`
      : sql`(sequence = ${before.sequence}::int8 + 1 AND prev_hash = decode(${before.hash}, 'hex'))`
  return sql<{
    readonly id: string | null
    readonly sequence: bigint | null
    readonly fits: boolean
    readonly hash: string
  }>`
    WITH chain AS (
      SELECT id, sequence, hash, hash = audit_hash(prev_hash, e) AND coalesce(
        prev_hash = lag(hash) OVER later AND sequence = lag(sequence) OVER later + 1, ${first}
      ) AS fits
      FROM audit_entries e
      WHERE workspace_id = ${workspace_id} AND sequence BETWEEN ${from}::int8 AND ${to}::int8
      WINDOW later AS (ORDER BY sequence)
    )
    (SELECT id, sequence, fits, encode(hash, 'hex') AS hash FROM chain WHERE NOT fits ORDER BY sequence LIMIT 1)
    UNION ALL
    (SELECT id, sequence, fits, encode(hash, 'hex') FROM chain ORDER BY sequence DESC LIMIT 1)`.pipe(
    Effect.map((rows) => {
      const broken = rows.find(({ fits }) => !fits)
      const last = rows.at(-1)
      return {
        broken: broken === undefined ? undefined : { id: String(broken.id), sequence: Number(broken.sequence) },
        last: last === undefined ? before : { sequence: Number(last.sequence), hash: last.hash }
      }
    })
  )
}

/**
 * Returns `verify`. It runs once at a time for a workspace, with one connection: requests that come meanwhile get the
 * same verdict.
 */
export const makeVerify = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shared = yield* makeSharedRuns<AuditVerdict, SqlError.SqlError>()
  const verified = new Map<WorkspaceId, Verified>()

  const remember = (workspace_id: WorkspaceId, place: Verified): void => {
    if (verified.size >= remembered_max && !verified.has(workspace_id)) verified.clear()
    verified.set(workspace_id, place)
  }

  /** The first entry that does not fit; undefined if the chain is whole. */
  const firstBroken = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    first: number,
    last: number,
    start: Verified | undefined
  ) {
    const since = start?.since ?? (yield* Clock.currentTimeMillis)
    let before: Place | undefined = start
    for (let from = start === undefined ? first : start.sequence + 1; from <= last; from += piece_size) {
      const to = Math.min(last, from + piece_size - 1)
      const { broken, last: reached }: { readonly broken: Broken | undefined; readonly last: Place | undefined } =
        yield* verifyPiece(sql, workspace_id, { before, from, to })
      if (broken !== undefined) return broken
      before = reached
      if (before !== undefined) remember(workspace_id, { ...before, since })
    }
    return undefined
  })

  const verify = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    const { entries, first, hash, last } = yield* extentOf(sql, workspace_id)
    const now = yield* Clock.currentTimeMillis
    const place = verified.get(workspace_id)
    const isRecent = place !== undefined && now - place.since < whole_ms && entries > alwaysWhole
    if (!isRecent) verified.delete(workspace_id)
    const broken =
      first === null || last === null
        ? undefined
        : yield* firstBroken(workspace_id, Number(first), Number(last), isRecent ? place : undefined)
    return {
      valid: broken === undefined,
      entries: Number(entries),
      broken_at: broken ?? null,
      last_sequence: last === null ? null : Number(last),
      last_hash: hash
    }
  })

  return (workspace_id: WorkspaceId) => shared(workspace_id, verify(workspace_id))
})
