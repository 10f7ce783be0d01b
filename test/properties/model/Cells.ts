// The actors of a history, and what they have under way.
import { Result } from "effect"
import { type Left, left } from "../../../src/actors/Left.ts"
import type { Call } from "../../../src/domain/calls/Call.ts"
import type { CallCommand } from "../../../src/domain/calls/CallCommand.ts"
import type { CallEvent } from "../../../src/domain/calls/CallEvent.ts"
import type { CallReply } from "../../../src/domain/calls/CallReply.ts"
import type { Dial } from "../../../src/domain/calls/Dial.ts"
import type { CallWork } from "../../../src/domain/calls/PlanCall.ts"
import type { AuditHolds } from "../../../src/domain/wallet/PlanWallet.ts"
import type { Wallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletEvent } from "../../../src/domain/wallet/WalletEvent.ts"
import type { WalletCommand, WalletReply } from "../../../src/domain/wallet/WalletCommand.ts"
import type { ModelCell } from "./ModelCell.ts"

export type CallCell = ModelCell<Call, CallCommand, CallEvent, CallReply, CallWork>
export type WalletCell = ModelCell<Wallet, WalletCommand, WalletEvent, WalletReply, AuditHolds>
export type WorkOf<Tag extends CallWork["_tag"]> = Extract<CallWork, { readonly _tag: Tag }>

/** Legs that were dialled together. */
export interface Group {
  readonly dial: Dial
  readonly parent_id: string
}

/** What the wallet has beside what it was asked to set aside, where it did. */
export const moneyLeft = (held: Result.Result<WalletReply, unknown>): Left => Result.isSuccess(held) ? left(held.success) : {}
