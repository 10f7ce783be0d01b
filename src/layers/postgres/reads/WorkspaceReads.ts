import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { WorkspaceReads } from "../../../domain/ports/access/WorkspaceReads.ts"
import { invitationRecords, memberRecords } from "../../../domain/workspace/MemberRecords.ts"
import { firstSandboxId, lastSandboxId } from "../../../domain/kit/Sandbox.ts"
import { factsOfState } from "../../../domain/workspace/StoredWorkspace.ts"
import { recordOfWorkspace } from "../../../domain/workspace/WorkspaceRecord.ts"
import { readablePage } from "../../state/ReadablePage.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import { workspaceState } from "../journal/JournalTables.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

interface Row {
  readonly id: WorkspaceId
  readonly created_at: Date
  readonly state: string
}

const rowOf = ({ id }: Row) => ({ type: "Workspace", id, workspace_id: id })

const detailsOf = ({ id, state }: Row) => {
  const facts = factsOfState(state)
  return {
    record: recordOfWorkspace(id, facts),
    members: memberRecords(facts),
    invitations: (now: number) => invitationRecords(facts, now)
  }
}

export const layer = Layer.effect(
  WorkspaceReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    const state = sql.literal(workspaceState)
    const isOfSandbox = (sandbox: boolean) =>
      sandbox
        ? sql`t.id BETWEEN ${firstSandboxId}::uuid AND ${lastSandboxId}::uuid`
        : sql`t.id NOT BETWEEN ${firstSandboxId}::uuid AND ${lastSandboxId}::uuid`
    return WorkspaceReads.of({
      find: (workspace_id) =>
        sql<Row>`SELECT t.id, t.created_at, ${state} AS state FROM workspaces t WHERE t.id = ${workspace_id}`.pipe(
          failed,
          Effect.flatMap(([row]) => (row === undefined ? Effect.undefined : readRow(rowOf(row), () => detailsOf(row))))
        ),
      list: ({ sandbox, status }, after, limit) =>
        readablePage({
          after,
          limit,
          rows: (from) =>
            failed(sql<Row>`
              SELECT t.id, t.created_at, ${state} AS state FROM workspaces t
              WHERE ${status === undefined ? sql`true` : sql`t.status = ${status}`}
                AND ${isOfSandbox(sandbox)}
                AND ${from === undefined ? sql`true` : sql`(t.created_at, t.id) < (${new Date(from.at)}, ${from.id}::uuid)`}
              ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}`),
          placeOf: ({ created_at, id }) => ({ at: created_at.getTime(), id }),
          of: rowOf,
          show: ({ id, state }) => recordOfWorkspace(id, factsOfState(state))
        })
    })
  })
)
