// The actors of a history, and what they have under way.
import { Result } from "effect"
import { type AvailableFunds, availableFunds } from "../../../src/actors/wallet/AvailableFunds.ts"
import type { Call } from "../../../src/domain/calls/state/Call.ts"
import type { CallCommands, CallMessage, CallReply } from "../../../src/domain/calls/state/CallCommand.ts"
import type { CallEvent } from "../../../src/domain/calls/state/CallEvent.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import type { Dial } from "../../../src/domain/calls/state/Dial.ts"
import type { CallWork } from "../../../src/domain/calls/decide/PlanCall.ts"
import type { WalletWork } from "../../../src/domain/wallet/PlanWallet.ts"
import type { Wallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletEvent } from "../../../src/domain/wallet/WalletEvent.ts"
import type { Reply, Tag } from "../../../src/domain/Command.ts"
import type { Held, WalletCommands, WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import type { ModelCell } from "./ModelCell.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"

export type CallCell = ModelCell<Call, CallMessage, CallEvent, CallReply<Tag<CallCommands>>, CallWork, CallId>
export type WalletCell = ModelCell<
  Wallet,
  WalletMessage,
  WalletEvent,
  Reply<WalletCommands, Tag<WalletCommands>>,
  WalletWork
>
/** A message of one command, so that its answer is typed by it. */
export type CallAsk<T extends Tag<CallCommands>> = { readonly _tag: T } & CallMessage<T>
export type WalletAsk<T extends Tag<WalletCommands>> = { readonly _tag: T } & WalletMessage<T>
export type CallThen<T extends Tag<CallCommands>> = (answer: Result.Result<CallReply<T>, Failure>) => void
export type WalletThen<T extends Tag<WalletCommands>> = (
  answer: Result.Result<Reply<WalletCommands, T>, Failure>
) => void
export type WorkOf<Tag extends CallWork["_tag"]> = Extract<CallWork, { readonly _tag: Tag }>

/** Legs that were dialled together. */
export interface Group {
  readonly dial: Dial
  readonly parent_id: string
}

/** What the wallet has beside what it was asked to set aside, where it did. */
export const moneyLeft = (held: Result.Result<Held | null, unknown>): AvailableFunds =>
  Result.isSuccess(held) && held.success !== null ? availableFunds(held.success) : {}
