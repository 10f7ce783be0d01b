import { AccountSuspended } from "../errors/AccountErrors.ts"
import type { Failure } from "../errors/Failure.ts"
import { NotFound } from "../errors/GeneralErrors.ts"
import { WorkspaceLockedToByoc, WorkspaceLockedToPlatformNumbers } from "../errors/TrunkErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../errors/WalletErrors.ts"

/** Errors with which a workspace or its wallet refuses a claim. */
const claimRefusals = [
  AccountSuspended,
  NotFound,
  WalletInsufficientFunds,
  WalletInvalidAmount,
  WalletNotFound,
  WorkspaceLockedToByoc,
  WorkspaceLockedToPlatformNumbers
] as const
export type ClaimRefusal = InstanceType<(typeof claimRefusals)[number]>

export const isClaimRefusal = (failure: Failure): failure is ClaimRefusal =>
  claimRefusals.some((Refusal) => failure instanceof Refusal)
