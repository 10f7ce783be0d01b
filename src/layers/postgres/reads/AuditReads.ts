import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { AuditEntry, AuditFilter } from "../../../domain/access/AuditEntry.ts"
import { AuditKind } from "../../../domain/access/AuditKind.ts"
import type { After } from "../../../domain/paging/After.ts"
import { AuditReads } from "../../../domain/ports/AuditReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { bounds } from "./Bounds.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"

interface Row extends Omit<AuditEntry, "sequence" | "target" | "created_at" | "hash" | "prev_hash"> {
  readonly sequence: bigint
  readonly target_type: string
  readonly target_id: string
  readonly created_at: Date
  readonly hash: string
  readonly prev_hash: string
}

const entryOf = ({ created_at, sequence, target_id, target_type, ...row }: Row): AuditEntry => ({
  ...row,
  sequence: Number(sequence),
  target: { type: target_type, id: target_id },
  created_at: created_at.toISOString()
})

const conditions = (sql: PgClient.PgClient, filter: AuditFilter, after: After | undefined) => [
  ...(filter.actor_id === undefined ? [] : [sql`actor_id = ${filter.actor_id}`]),
  ...(filter.target_id === undefined ? [] : [sql`target_id = ${filter.target_id}`]),
  ...bounds(sql, filter, after)
]

/**
 * The indexes by actor and by target begin with the kind. So reads the newest rows of each kind, and the caller takes
 * the newest of those.
 */
const rowsOf = (
  sql: PgClient.PgClient,
  workspace_id: WorkspaceId,
  filter: AuditFilter,
  after: After | undefined,
  limit: number
) => {
  const all = [sql`workspace_id = ${workspace_id}`, ...conditions(sql, filter, after)]
  const { action_kind, actor_id, target_id } = filter
  if (action_kind === undefined && actor_id === undefined && target_id === undefined)
    return sql`audit_entries e WHERE ${sql.and(all)}`
  return sql`unnest(${action_kind === undefined ? AuditKind.literals : [action_kind]}::text[]) AS k (kind) CROSS JOIN LATERAL (
    SELECT * FROM audit_entries WHERE ${sql.and([...all, sql`action_kind = k.kind`])}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}
  ) e`
}

/** Checks the hash chain. The oldest row may follow a deleted row; every other row must follow the one before it. */
const verdict = (sql: PgClient.PgClient, workspace_id: WorkspaceId) =>
  sql<{
    readonly id: string | null
    readonly sequence: bigint | null
    readonly entries: bigint
    readonly last_sequence: bigint | null
    readonly last_hash: string | null
  }>`
    WITH chain AS (
      SELECT id, sequence, hash,
        hash = audit_hash(prev_hash, e) AND coalesce(
          prev_hash = lag(hash) OVER later AND sequence = lag(sequence) OVER later + 1,
          sequence > 1 OR prev_hash = ''
        ) AS fits
      FROM audit_entries e WHERE workspace_id = ${workspace_id} WINDOW later AS (ORDER BY sequence)
    )
    SELECT (SELECT count(*) FROM chain) AS entries, last.sequence AS last_sequence, encode(last.hash, 'hex') AS last_hash,
      broken.id, broken.sequence
    FROM (SELECT) AS one
      LEFT JOIN (SELECT sequence, hash FROM chain ORDER BY sequence DESC LIMIT 1) AS last ON true
      LEFT JOIN (SELECT id, sequence FROM chain WHERE NOT fits ORDER BY sequence LIMIT 1) AS broken ON true`

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value))

export const layer = Layer.effect(
  AuditReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return AuditReads.of({
      list: (workspace_id, filter, after, limit) =>
        sql<Row>`
          SELECT id, sequence, action_kind, actor, target_type, target_id, ip, user_agent, request_id, before, after,
            created_at, encode(hash, 'hex') AS hash, encode(prev_hash, 'hex') AS prev_hash
          FROM ${rowsOf(sql, workspace_id, filter, after, limit)}
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(entryOf)),
          failed
        ),
      verify: (workspace_id) =>
        verdict(sql, workspace_id).pipe(
          Effect.map(([row]) => {
            const { entries, id, last_hash, last_sequence, sequence } = expectPresent(row, "The verdict")
            const broken_at = id === null ? null : { id, sequence: Number(sequence) }
            return {
              valid: id === null,
              entries: Number(entries),
              broken_at,
              last_sequence: numberOrNull(last_sequence),
              last_hash
            }
          }),
          failed
        )
    })
  })
)
