import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { AuditEntry, AuditFilter } from "../../../domain/access/AuditEntry.ts"
import { AuditKind } from "../../../domain/journal/AuditKind.ts"
import type { After } from "../../../domain/paging/After.ts"
import { AuditReads } from "../../../domain/ports/access/AuditReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { makeVerify } from "./AuditChain.ts"
import { bounds } from "./Bounds.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

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

export const layer = Layer.effect(
  AuditReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const verify = yield* makeVerify
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
      verify: (workspace_id) => failed(verify(workspace_id))
    })
  })
)
