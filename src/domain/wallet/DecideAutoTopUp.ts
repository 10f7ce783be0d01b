// The rules of automatic top-ups. The wallet decides them with everything else that moves its money, so at most one is
// under way, and its amount counts towards the ceiling before anything is charged.
import { Result } from "effect"
import type { Rules } from "../Command.ts"
import { WalletCardMissing } from "../errors/WalletErrors.ts"
import { dueTopUp, evolveAutoTopUp, isEnabled, noAutoTopUp, type AutoTopUpEvent } from "./AutoTopUp.ts"
import { autoTopUpRecord } from "./AutoTopUpRecord.ts"
import { available_minor, type PresentWallet } from "./Wallet.ts"
import type { WalletCommands } from "./WalletCommand.ts"
import type { WalletEvent } from "./WalletEvent.ts"

type WalletRules = Rules<PresentWallet, WalletCommands, WalletEvent>
type AutoTopUpRules = Pick<
  WalletRules,
  "ShowAutoTopUp" | "SetAutoTopUp" | "RemoveCard" | "CardForgotten" | "BeginAutoTopUp" | "AutoTopUpEnded"
>

/** A suspended workspace is not charged; it may be reinstated. */
const suspended_pause_ms = 3_600_000

const happened = (event: AutoTopUpEvent) => Result.succeed({ events: [event], reply: undefined })
const nothing = Result.succeed({ events: [], reply: undefined })

const hasCard = ({ auto = noAutoTopUp }: PresentWallet): boolean => auto.card !== null

/** The events, and the automatic top-ups after them. */
const shown = (
  { auto = noAutoTopUp, currency }: PresentWallet,
  now: number,
  ...events: ReadonlyArray<AutoTopUpEvent>
) => Result.succeed({ events, reply: autoTopUpRecord(events.reduce(evolveAutoTopUp, auto), currency, now) })

const begin: WalletRules["BeginAutoTopUp"] = (wallet, { standing, topup_id }, at) => {
  const due = dueTopUp(wallet.auto, available_minor(wallet))
  if (due === undefined || due.due_at > at) return nothing
  if (standing === "closed") return happened({ _tag: "AutoTopUpStopped", at, reason: "workspace_closed" })
  if (standing === "suspended") return happened({ _tag: "AutoTopUpPostponed", at, until: at + suspended_pause_ms })
  const { account_ref, amount_minor, card } = due
  return happened({ _tag: "AutoTopUpBegun", at, charge: { topup_id, amount_minor, card, account_ref, begun_at: at } })
}

export const autoTopUpRules: AutoTopUpRules = {
  ShowAutoTopUp: (wallet, _command, now) => shown(wallet, now),
  SetAutoTopUp: (wallet, { account_ref, origin, settings }, at) =>
    settings.enabled && !hasCard(wallet)
      ? Result.fail(new WalletCardMissing())
      : shown(wallet, at, { _tag: "AutoTopUpSet", at, settings, account_ref, origin }),
  RemoveCard: (wallet, { origin }, at) =>
    !hasCard(wallet) && !isEnabled(wallet.auto)
      ? shown(wallet, at)
      : shown(wallet, at, { _tag: "CardRemoved", at, origin }),
  CardForgotten: ({ auto }, { reference }, at) =>
    auto?.removed_cards?.includes(reference) === true ? happened({ _tag: "CardForgotten", at, reference }) : nothing,
  BeginAutoTopUp: begin,
  AutoTopUpEnded: ({ auto }, { failure_code, outcome, topup_id }, at) =>
    auto?.charge?.topup_id === topup_id ? happened({ _tag: "AutoTopUpEnded", at, outcome, failure_code }) : nothing
}
