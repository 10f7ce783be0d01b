import { task, type Work } from "../Decision.ts"
import type { Currency } from "../wallet/Currency.ts"
import { isPresent, type WorkspaceState } from "./Workspace.ts"
import type { WorkspaceCommand } from "./WorkspaceCommand.ts"

/** Opens the wallet of a new workspace. */
export interface OpenWallet {
  readonly _tag: "OpenWallet"
  readonly currency: Currency
}

/** Mails an invitation: once when it is created, and once for each request to send it again. */
export interface MailInvitation {
  readonly _tag: "MailInvitation"
  readonly id: string
  readonly mails: number
}

/** Ends what a closed workspace still has: its numbers, its trunk, its storage and its API keys. */
export interface CloseWorkspace {
  readonly _tag: "CloseWorkspace"
}

export type WorkspaceWork = OpenWallet | MailInvitation | CloseWorkspace

export const planWorkspace = (workspace: WorkspaceState): ReadonlyArray<Work<WorkspaceCommand, WorkspaceWork>> => {
  if (!isPresent(workspace)) return []
  const { facts } = workspace
  if (facts.status === "closed") return facts.wound_up ? [] : [task<WorkspaceWork>("close", { _tag: "CloseWorkspace" })]
  const awaitsWallet = facts.status === "onboarding" || facts.status_before === "onboarding"
  const wallet = awaitsWallet ? [task<WorkspaceWork>("wallet", { _tag: "OpenWallet", currency: facts.currency })] : []
  const invitations = Object.entries(facts.invitations)
    .filter(([, { mailed, mails, status }]) => status === "pending" && mailed < mails)
    .map(([id, { mails }]) => task<WorkspaceWork>(`invitation:${id}:${mails}`, { _tag: "MailInvitation", id, mails }))
  return [...wallet, ...invitations]
}
