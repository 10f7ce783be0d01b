import { task, type Work } from "../Decision.ts"
import type { Currency } from "../ports/Directory.ts"
import type { WorkspaceState } from "./Workspace.ts"
import type { WorkspaceCommand } from "./WorkspaceCommand.ts"

/** A workspace that has chosen its currency gets its wallet. */
export interface OpenWallet {
  readonly _tag: "OpenWallet"
  readonly currency: Currency
}

export type WorkspaceWork = OpenWallet

export const planWorkspace = ({ kept }: WorkspaceState): ReadonlyArray<Work<WorkspaceCommand, WorkspaceWork>> => {
  if (kept === null) return []
  const awaits_wallet = kept.status === "onboarding" || kept.status_before === "onboarding"
  return awaits_wallet ? [task("wallet", { _tag: "OpenWallet", currency: kept.currency })] : []
}
