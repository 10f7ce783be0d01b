import { task, type Work } from "../Decision.ts"
import type { Wallet } from "./Wallet.ts"
import type { WalletMessage } from "./WalletCommand.ts"

/** A hold whose call was never written, because the engine died in between, must not lock the money for ever. */
export interface AuditHolds {
  readonly _tag: "AuditHolds"
}

export const planWallet = (wallet: Wallet): ReadonlyArray<Work<WalletMessage, AuditHolds>> =>
  wallet.audit_at === null ? [] : [task(`audit:${wallet.audit_at}`, { _tag: "AuditHolds" }, wallet.audit_at)]
