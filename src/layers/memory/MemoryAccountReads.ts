// Workspaces, API keys and the audit log over the memory journal.
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import type { AuditEntry } from "../../domain/access/AuditEntry.ts"
import { apiKeyRecord } from "../../domain/access/ApiKey.ts"
import { apiKeyOfState } from "../../domain/access/StoredApiKey.ts"
import { toApiKeyId, toWorkspaceId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { ApiKeyReads } from "../../domain/ports/access/ApiKeyReads.ts"
import { AuditReads } from "../../domain/ports/access/AuditReads.ts"
import { WorkspaceReads } from "../../domain/ports/access/WorkspaceReads.ts"
import { DenyList } from "../../domain/ports/numbers/DenyList.ts"
import { invitationRecords, memberRecords } from "../../domain/workspace/MemberRecords.ts"
import { factsOfState } from "../../domain/workspace/StoredWorkspace.ts"
import { recordOfWorkspace } from "../../domain/workspace/WorkspaceRecord.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { SnapshotRow } from "../journal/MemoryTables.ts"
import { readableRows, readRow } from "../state/UnreadableRows.ts"
import { newestPage, rowsOf } from "./MemoryRows.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

const nameOf = ({ actor_id: id, actor_type: type, workspace_id }: SnapshotRow) => ({ type, id, workspace_id })

const placeOf = ({ actor_id: id, columns }: SnapshotRow) => ({ at: Number(columns["created_at"]), id })

const showWorkspace = ({ actor_id, state }: SnapshotRow) =>
  recordOfWorkspace(toWorkspaceId(actor_id), factsOfState(state))

const workspaces = (journal: MemoryJournal) =>
  Layer.succeed(WorkspaceReads)({
    find: (workspace_id) =>
      Effect.suspend(() => {
        const row = journal.tables.snapshot("Workspace", workspace_id)
        if (row === undefined) return Effect.undefined
        return readRow(nameOf(row), () => {
          const facts = factsOfState(row.state)
          return {
            record: recordOfWorkspace(workspace_id, facts),
            members: memberRecords(facts),
            invitations: (now: number) => invitationRecords(facts, now)
          }
        })
      }),
    list: ({ sandbox, status }, after, limit) =>
      Effect.suspend(() => {
        const chosen = rowsOf(journal, "Workspace").filter(
          ({ actor_id, columns }) =>
            isSandbox(toWorkspaceId(actor_id)) === sandbox && (status === undefined || columns["status"] === status)
        )
        return readableRows(newestPage(chosen, placeOf, after, limit), nameOf, showWorkspace)
      })
  })

const showKey = ({ actor_id, state }: SnapshotRow) => apiKeyRecord(apiKeyOfState(toApiKeyId(actor_id), state), null)

const apiKeys = (journal: MemoryJournal) => {
  const own = (workspace_id: WorkspaceId) =>
    rowsOf(journal, "ApiKey").filter((row) => row.workspace_id === workspace_id)
  return Layer.succeed(ApiKeyReads)({
    find: (workspace_id, id) =>
      Effect.suspend(() => {
        const row = own(workspace_id).find(({ actor_id }) => actor_id === id)
        return row === undefined ? Effect.undefined : readRow(nameOf(row), () => showKey(row))
      }),
    countActive: (workspace_id, now) =>
      Effect.sync(
        () =>
          own(workspace_id).filter(
            ({ columns }) => columns["revoked_at"] === null && Number(columns["expires_at"]) > now
          ).length
      ),
    list: (workspace_id, after, limit) =>
      Effect.suspend(() => readableRows(newestPage(own(workspace_id), placeOf, after, limit), nameOf, showKey))
  })
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

/** The chain of a workspace is made as it is read: nobody can change what is in memory. */
const entriesOf = ({ tables }: MemoryJournal, workspace_id: WorkspaceId): ReadonlyArray<AuditEntry> => {
  const entries: Array<AuditEntry> = []
  let prev_hash = ""
  for (const row of tables.audit) {
    if (row.workspace_id !== workspace_id) continue
    const { actor, after, before, created_at, target_id, target_type, workspace_id: _, ...rest } = row
    const hash = createHash("sha256")
      .update(prev_hash + JSON.stringify(row))
      .digest("hex")
    const sequence = entries.length + 1
    entries.push({
      ...rest,
      id: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`,
      sequence,
      actor: JSON.parse(actor),
      target: { type: target_type, id: target_id },
      before: parsed(before),
      after: parsed(after),
      created_at: isoInstant(created_at),
      hash,
      prev_hash
    })
    prev_hash = hash
  }
  return entries
}

const audit = (journal: MemoryJournal) =>
  Layer.succeed(AuditReads)({
    list: (workspace_id, { action_kind, actor_id, from = -Infinity, target_id, to = Infinity }, after, limit) =>
      Effect.sync(() => {
        const chosen = entriesOf(journal, workspace_id).filter((entry) => {
          const at = Date.parse(entry.created_at)
          return (
            (action_kind === undefined || entry.action_kind === action_kind) &&
            (actor_id === undefined || entry.actor.id === actor_id) &&
            (target_id === undefined || entry.target.id === target_id) &&
            at >= from &&
            at < to
          )
        })
        return newestPage(chosen, ({ created_at, id }) => ({ at: Date.parse(created_at), id }), after, limit)
      }),
    verify: (workspace_id) =>
      Effect.sync(() => {
        const entries = entriesOf(journal, workspace_id)
        const last = entries.at(-1)
        return {
          valid: true,
          entries: entries.length,
          broken_at: null,
          last_sequence: last?.sequence ?? null,
          last_hash: last?.hash ?? null
        }
      })
  })

const denyList = ({ tables }: MemoryJournal) =>
  Layer.succeed(DenyList)({
    isRevoked: (jti) => (tables.snapshot("ApiKey", jti)?.columns["revoked_at"] ?? null) !== null
  })

export const layer = (journal: MemoryJournal) =>
  Layer.mergeAll(workspaces(journal), apiKeys(journal), audit(journal), denyList(journal))
