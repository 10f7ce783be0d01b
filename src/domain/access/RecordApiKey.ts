// What a decision about an API key stores: its row, and entries of the audit log.
import type { WorkspaceId } from "../BrandedIds.ts"
import type { AuditRow, Column } from "../journal/Rows.ts"
import { type ApiKey, type ApiKeyEvent, isPresent, type PresentApiKey } from "./ApiKey.ts"
import { auditRow } from "./Origin.ts"
import { stateOfApiKey } from "./StoredApiKey.ts"

const auditOf = ({ facts, id }: PresentApiKey, event: ApiKeyEvent): ReadonlyArray<AuditRow> => {
  const { label, scopes, workspace_id } = facts
  const target = { type: "api_key", id }
  switch (event._tag) {
    case "Created": {
      const after = { label, scopes }
      const audited = { workspace_id, target, action_kind: "api_key.created", after, at: facts.created_at } as const
      return [auditRow(event.origin, audited)]
    }
    case "Revoked": {
      const before = { label }
      const audited = { workspace_id, target, action_kind: "api_key.revoked", before, at: event.at } as const
      return [auditRow(event.origin, audited)]
    }
    case "Warned":
      return []
  }
}

interface ApiKeyRecorded {
  readonly workspace_id: WorkspaceId
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordApiKey = (key: ApiKey, events: ReadonlyArray<ApiKeyEvent>): ApiKeyRecorded => {
  if (!isPresent(key)) throw new Error("An API key is stored only after it was created.")
  const { facts, revoked_at } = key
  return {
    workspace_id: facts.workspace_id,
    state: stateOfApiKey(key),
    columns: {
      label: facts.label,
      scopes: facts.scopes,
      env: facts.env,
      prefix: facts.prefix,
      created_at: facts.created_at,
      expires_at: facts.expires_at,
      revoked_at
    },
    audit: events.flatMap((event) => auditOf(key, event))
  }
}
