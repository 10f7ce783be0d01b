import { task, type Work } from "../Decision.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { WorkspaceState } from "./Workspace.ts"
import type { WorkspaceCommand } from "./WorkspaceCommand.ts"

/** A workspace that has chosen its currency gets its wallet. */
export interface OpenWallet {
  readonly _tag: "OpenWallet"
  readonly currency: Currency
}

/** Whoever is invited gets a message, and each time that it is asked for another. */
export interface MailInvitation {
  readonly _tag: "MailInvitation"
  readonly id: string
  readonly mails: number
}

/** What a closed workspace has ends: nothing that is its own costs anything from then on, or lets anybody in. */
export interface WindUp {
  readonly _tag: "WindUp"
}

export type WorkspaceWork = OpenWallet | MailInvitation | WindUp

export const planWorkspace = ({ kept }: WorkspaceState): ReadonlyArray<Work<WorkspaceCommand, WorkspaceWork>> => {
  if (kept === null) return []
  if (kept.status === "closed") return kept.wound_up ? [] : [task<WorkspaceWork>("wind_up", { _tag: "WindUp" })]
  const awaits_wallet = kept.status === "onboarding" || kept.status_before === "onboarding"
  const wallet = awaits_wallet ? [task<WorkspaceWork>("wallet", { _tag: "OpenWallet", currency: kept.currency })] : []
  const invitations = Object.entries(kept.invitations)
    .filter(([, { mailed, mails, status }]) => status === "pending" && mailed < mails)
    .map(([id, { mails }]) => task<WorkspaceWork>(`invitation:${id}:${mails}`, { _tag: "MailInvitation", id, mails }))
  return [...wallet, ...invitations]
}
