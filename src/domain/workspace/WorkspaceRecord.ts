// A workspace as the API shows it, and the requests to create and change one.
import { Effect, Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { NumberMode, type WorkspaceFacts, WorkspaceStatus } from "./Workspace.ts"
import { WorkspaceId } from "../BrandedIds.ts"
import { isoInstant } from "../kit/Instants.ts"
import { recordOf } from "../kit/RecordOf.ts"
import { Livemode } from "../kit/Livemode.ts"
import { isLive } from "../kit/Sandbox.ts"
import type { InvitationRecord, MemberRecord } from "./MemberRecords.ts"

const Name = Schema.String.check(Schema.isPattern(/^(?=.*\S)[^\p{Cc}]{1,100}$/u)).annotate({
  description: "1 to 100 characters, at least one of them not blank."
})

export const WorkspaceRequest = Schema.Struct({
  name: Name,
  currency: Schema.String.annotate({
    description: "The currency of the wallet: KES, UGX, TZS, RWF, ZAR, GHS or NGN. It cannot be changed later."
  })
}).annotate({ identifier: "WorkspaceRequest" })
export type WorkspaceRequest = typeof WorkspaceRequest.Type

export const WorkspacePatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  retention_days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 })))
}).annotate({ identifier: "WorkspacePatch" })
export type WorkspacePatch = typeof WorkspacePatch.Type

export const WorkspaceRecord = Schema.Struct({
  id: WorkspaceId.annotate({ description: "The id of the workspace." }),
  name: Schema.String,
  status: WorkspaceStatus.annotate({
    description: "A `suspended` or `closed` workspace can be read, but nothing in it can be changed."
  }),
  currency: Schema.NullOr(Currency),
  number_mode: NumberMode.annotate({
    description: "`platform` once a number is claimed, `byoc` once a trunk becomes active. The choice is final."
  }),
  retention_days: Schema.Int.annotate({ description: "Days until recordings are deleted." }),
  created_at: Schema.String,
  livemode: Livemode,
  sandbox_of: Schema.NullOr(WorkspaceId)
    .annotate({ description: "For a sandbox: its workspace." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}).annotate({ identifier: "Workspace" })
export type WorkspaceRecord = typeof WorkspaceRecord.Type

export const recordOfWorkspace = (id: WorkspaceId, facts: WorkspaceFacts): WorkspaceRecord =>
  recordOf(WorkspaceRecord, facts, { id, created_at: isoInstant(facts.created_at), livemode: isLive(id) })

/**
 * The response to the creation of a workspace. It is `active`, because the request opens the wallet before it responds.
 */
export const createdRecord = (record: WorkspaceRecord): WorkspaceRecord => ({ ...record, status: "active" })

/** One workspace with its members and invitations. */
export interface WorkspaceView {
  readonly record: WorkspaceRecord
  readonly members: ReadonlyArray<MemberRecord>
  /** The invitations at `now`. */
  readonly invitations: (now: number) => ReadonlyArray<InvitationRecord>
}
