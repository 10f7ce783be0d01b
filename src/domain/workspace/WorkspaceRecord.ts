// A workspace as its members see it.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import type { Kept } from "./Workspace.ts"

const Name = Schema.String.check(Schema.isPattern(/^(?=.*\S)[^\p{Cc}]{1,100}$/u)).annotate({
  description: "1 to 100 characters, not all of them blank."
})

export const WorkspaceRequest = Schema.Struct({
  name: Name,
  currency: Schema.String.annotate({
    description: "KES, UGX, TZS, RWF, ZAR, GHS or NGN: that of its wallet, for good."
  })
}).annotate({ identifier: "WorkspaceRequest" })
export type WorkspaceRequest = typeof WorkspaceRequest.Type

export const WorkspacePatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  retention_days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 })))
}).annotate({ identifier: "WorkspacePatch" })
export type WorkspacePatch = typeof WorkspacePatch.Type

export const WorkspaceRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.Literals(["onboarding", "active", "suspended", "closed"]).annotate({
    description: "`suspended` and `closed`: it can be read, and nothing in it changed."
  }),
  currency: Schema.NullOr(Currency),
  number_mode: Schema.Literals(["unset", "platform", "byoc"]).annotate({
    description:
      "`platform` from the first claimed number on, `byoc` from the first active trunk on; neither is ever left."
  }),
  retention_days: Schema.Int.annotate({ description: "Days for which recordings are kept." }),
  created_at: Schema.String
}).annotate({ identifier: "Workspace" })
export type WorkspaceRecord = typeof WorkspaceRecord.Type

export const recordOfWorkspace = (id: string, kept: Kept): WorkspaceRecord => ({
  id,
  name: kept.name,
  status: kept.status,
  currency: kept.currency,
  number_mode: kept.number_mode,
  retention_days: kept.retention_days,
  created_at: new Date(kept.created_at).toISOString()
})

/** What whoever made the workspace is answered: it is open for them once its wallet is, which they do not have to wait for. */
export const madeRecord = (record: WorkspaceRecord): WorkspaceRecord => ({ ...record, status: "active" })
