import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { WorkspaceReads } from "../../../domain/ports/WorkspaceReads.ts"
import { invitationRecords, memberRecords } from "../../../domain/workspace/MemberRecords.ts"
import { factsOf } from "../../../domain/workspace/RecordWorkspace.ts"
import { recordOfWorkspace } from "../../../domain/workspace/WorkspaceRecord.ts"
import { workspaceState } from "../journal/JournalTables.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

interface Row {
  readonly id: WorkspaceId
  readonly state: string
}

export const layer = Layer.effect(
  WorkspaceReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    const state = sql.literal(workspaceState)
    return WorkspaceReads.of({
      find: (workspace_id) =>
        sql<Row>`SELECT t.id, ${state} AS state FROM workspaces t WHERE t.id = ${workspace_id}`.pipe(
          Effect.map(([row]) => {
            if (row === undefined) return undefined
            const facts = factsOf(row.state)
            return {
              record: recordOfWorkspace(row.id, facts),
              members: memberRecords(facts),
              invitations: (now: number) => invitationRecords(facts, now)
            }
          }),
          failed
        ),
      list: ({ status }, after, limit) =>
        sql<Row>`
          SELECT t.id, ${state} AS state FROM workspaces t
          WHERE ${status === undefined ? sql`true` : sql`t.status = ${status}`}
            AND ${after === undefined ? sql`true` : sql`(t.created_at, t.id) < (${new Date(after.at)}, ${after.id}::uuid)`}
          ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(({ id, state }) => recordOfWorkspace(id, factsOf(state)))),
          failed
        )
    })
  })
)
