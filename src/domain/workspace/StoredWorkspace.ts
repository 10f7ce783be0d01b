// The stored state of a workspace. Its id is the key of the row. Members that have a column of their own are read from
// the column (JournalTables.ts): people mend rows by hand. `members` and `previous_voice_secret` are read in SQL, too.
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { GatewayId, toWorkspaceId, WorkspaceId } from "../BrandedIds.ts"
import type { CallingPolicyChange } from "../calls/policy/CallingPolicy.ts"
import type { PolicyCeilings } from "../calls/policy/PolicyCeilings.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "../wallet/Currency.ts"
import type { WorkspaceFacts, WorkspaceState } from "./Workspace.ts"

const Instant = Schema.Int
const Count = Schema.Int
const Minor = Schema.Int
const orNull = Schema.NullOr
const optional = Schema.optionalKey
const texts = optional(Schema.Array(Schema.String))

const Status = Schema.Literals(["onboarding", "active", "suspended", "closed"])

/** Its limits are checked when it is set, and again by each call (`policyOf`). */
const Policy = Schema.Struct({
  allowed_countries: texts,
  blocked_prefixes: texts,
  allow_high_risk: optional(Schema.Boolean),
  max_rate_per_min_minor: optional(orNull(Minor)),
  max_concurrent_calls: optional(Count),
  calls_per_second: optional(Count),
  daily_spend_limit_minor: optional(orNull(Minor)),
  max_calls_per_destination_per_hour: optional(orNull(Count)),
  max_calls_to_new_country: optional(orNull(Count)),
  max_calls_per_hour_on_first_day: optional(orNull(Count)),
  max_concurrent_high_risk_calls: optional(orNull(Count)),
  sip_allowlist: texts,
  allowed_caller_ids: texts
} satisfies Record<keyof CallingPolicyChange, Schema.Top>)

const Ceilings = Schema.Struct({
  daily_spend_limit_minor: optional(orNull(Minor)),
  max_concurrent_calls: optional(orNull(Count)),
  calls_per_second: optional(orNull(Count)),
  max_calls_per_destination_per_hour: optional(orNull(Count)),
  max_calls_to_new_country: optional(orNull(Count)),
  max_calls_per_hour_on_first_day: optional(orNull(Count)),
  max_concurrent_high_risk_calls: optional(orNull(Count))
} satisfies Record<keyof PolicyCeilings, Schema.Top>)

const Member = Schema.Struct({
  email: Schema.String,
  role: Role,
  read_only: Schema.Boolean,
  joined_at: Instant,
  generation: Count
})

const Invitation = Schema.Struct({
  email: Schema.String,
  role: Role,
  read_only: Schema.Boolean,
  status: Schema.Literals(["pending", "accepted", "revoked"]),
  invited_by: Schema.String,
  created_at: Instant,
  expires_at: Instant,
  mails: Count,
  mailed: Count
})

const StoredWorkspace = Schema.Struct({
  name: Schema.String,
  status: Status,
  status_before: orNull(Status),
  currency: Currency,
  tenant_pbx_id: Schema.String,
  gateway_id: GatewayId,
  voice_secret: Schema.String,
  previous_voice_secret: orNull(Schema.Struct({ secret: Schema.String, expires_at: Instant })),
  calling_policy: Policy,
  policy_ceilings: optional(Ceilings),
  number_mode: Schema.Literals(["unset", "platform", "byoc"]),
  retention_days: Schema.Int,
  created_at: Instant,
  wound_up: Schema.Boolean,
  sequence: Count,
  sandbox_of: orNull(WorkspaceId),
  sandbox: orNull(
    Schema.Struct({ status: orNull(Schema.Literals(["active", "suspended", "closed"])), name: optional(Schema.String) })
  ),
  generation: Count,
  members: Schema.Record(Schema.String, Member),
  invitations: Schema.Record(Schema.String, Invitation)
} satisfies Record<keyof WorkspaceFacts, Schema.Top>)

/** Rows of version 0 may be older than these members, or inserted without them. */
const added = { invitations: {}, previous_voice_secret: null, wound_up: false }
/** Workspaces of version 1 have no sandbox. */
const withoutSandbox = { sandbox_of: null, sandbox: null }

export const workspaceState = storedState({
  schema: StoredWorkspace,
  upgrades: [(stored) => ({ ...added, ...stored }), (stored) => ({ ...withoutSandbox, ...stored })]
})

export const restoreWorkspace = workspaceState.restore((stored, _row, id): WorkspaceState => ({
  id: toWorkspaceId(id),
  facts: stored
}))

/** The facts of a stored state, for reads. They are not checked against the schema. */
export const factsOfState = (state: string | object): WorkspaceFacts => workspaceState.view(state)
