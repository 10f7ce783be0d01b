// A workspace as its members see it.
import { Schema } from "effect"
import { Currency } from "../wallet/WalletBalance.ts"
import type { Kept } from "./Workspace.ts"

export const WorkspaceRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.Literals(["onboarding", "active", "suspended", "closed"]).annotate({
    description: "`suspended` and `closed`: it can be read, and nothing in it changed."
  }),
  currency: Schema.NullOr(Currency),
  number_mode: Schema.Literals(["unset", "platform", "byoc"]).annotate({
    description: "`platform` from the first claimed number on, `byoc` from the first active trunk on; neither is ever left."
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
