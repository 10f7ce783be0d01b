import { task, type Work } from "../Decision.ts"
import { isPresent } from "../Presence.ts"
import type { Wallet } from "./Wallet.ts"
import type { WalletMessage } from "./WalletCommand.ts"

/** Finds holds whose call was never stored, because the engine stopped in between, and releases their money. */
export interface AuditHolds {
  readonly _tag: "AuditHolds"
}

export const planWallet = (wallet: Wallet): ReadonlyArray<Work<WalletMessage, AuditHolds>> =>
  !isPresent(wallet) || wallet.audit_at === null
    ? []
    : [task(`audit:${wallet.audit_at}`, { _tag: "AuditHolds" }, wallet.audit_at)]
