import { task, type Work } from "../Decision.ts"
import type { Currency } from "../wallet/Currency.ts"
import {
  isPresent,
  type SandboxStatus,
  sandboxStatusOf,
  type WorkspaceFacts,
  type WorkspaceState
} from "./Workspace.ts"
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

/** Ends what a closed workspace still has: its numbers, trunk, storage, API keys and saved card. */
export interface CloseWorkspace {
  readonly _tag: "CloseWorkspace"
}

/** Makes the sandbox of the workspace if there is none, and gives it this status and name. */
export interface GovernSandbox {
  readonly _tag: "GovernSandbox"
  readonly status: SandboxStatus
  readonly name: string
}

export type WorkspaceWork = OpenWallet | MailInvitation | CloseWorkspace | GovernSandbox

/** The work until the sandbox has the status and the name of its workspace. */
const sandboxWork = ({
  name,
  sandbox,
  status: own
}: WorkspaceFacts): ReadonlyArray<Work<WorkspaceCommand, WorkspaceWork>> => {
  const status = sandboxStatusOf(own)
  if (sandbox === null || (sandbox.status === status && sandbox.name === name)) return []
  return [task<WorkspaceWork>(`sandbox:${status}:${name}`, { _tag: "GovernSandbox", status, name })]
}

export const planWorkspace = (workspace: WorkspaceState): ReadonlyArray<Work<WorkspaceCommand, WorkspaceWork>> => {
  if (!isPresent(workspace)) return []
  const { facts } = workspace
  const sandbox = sandboxWork(facts)
  if (facts.status === "closed")
    return facts.wound_up ? sandbox : [task<WorkspaceWork>("close", { _tag: "CloseWorkspace" }), ...sandbox]
  const awaitsWallet = facts.status === "onboarding" || facts.status_before === "onboarding"
  const wallet = awaitsWallet ? [task<WorkspaceWork>("wallet", { _tag: "OpenWallet", currency: facts.currency })] : []
  const invitations = Object.entries(facts.invitations)
    .filter(([, { mailed, mails, status }]) => status === "pending" && mailed < mails)
    .map(([id, { mails }]) => task<WorkspaceWork>(`invitation:${id}:${mails}`, { _tag: "MailInvitation", id, mails }))
  return [...wallet, ...invitations, ...sandbox]
}
