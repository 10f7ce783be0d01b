// The work that a wallet needs in each state.
import { task, type Work } from "../Decision.ts"
import { isPresent } from "../Presence.ts"
import { type AutoCharge, cardsToForget, dueTopUp } from "./AutoTopUp.ts"
import { available_minor, type PresentWallet, type Wallet } from "./Wallet.ts"
import type { WalletMessage } from "./WalletCommand.ts"
import type { WalletLetter } from "./WalletLetter.ts"

export type WalletWork =
  /** Finds holds whose call was never stored, because the engine stopped in between, and releases their money. */
  | { readonly _tag: "AuditHolds" }
  /** Begins the automatic top-up that is due. */
  | { readonly _tag: "BeginAutoTopUp" }
  /** Starts the top-up unless it was started, and waits for its end. */
  | { readonly _tag: "CarryOutTopUp"; readonly charge: AutoCharge }
  /** Has the provider forget a card that is not used any more. */
  | { readonly _tag: "ForgetCard"; readonly reference: string }
  | { readonly _tag: "SendLetter"; readonly letter: WalletLetter }

type Works = ReadonlyArray<Work<WalletMessage, WalletWork>>

const planAutoTopUp = (wallet: PresentWallet): Works => {
  const { auto } = wallet
  if (auto === undefined) return []
  const { charge } = auto
  if (charge !== null) return [task(`auto-topup:${charge.topup_id}`, { _tag: "CarryOutTopUp", charge })]
  const due = dueTopUp(auto, available_minor(wallet))
  return due === undefined ? [] : [task(`begin-auto-topup:${due.due_at}`, { _tag: "BeginAutoTopUp" }, due.due_at)]
}

export const planWallet = (wallet: Wallet): Works => {
  if (!isPresent(wallet)) return []
  const { audit_at, auto, letters } = wallet
  const audit: Works = audit_at === null ? [] : [task(`audit:${audit_at}`, { _tag: "AuditHolds" }, audit_at)]
  // Most wallets need nothing else, and each call plans twice.
  if (auto === undefined && (letters === undefined || letters.length === 0)) return audit
  return [
    ...audit,
    ...planAutoTopUp(wallet),
    ...(auto === undefined ? [] : cardsToForget(auto)).map((reference) =>
      task<WalletWork>(`forget-card:${reference}`, { _tag: "ForgetCard", reference })
    ),
    ...(letters ?? []).map((letter) => task<WalletWork>(`letter:${letter.id}`, { _tag: "SendLetter", letter }))
  ]
}
