// The rules of automatic top-ups. The wallet decides them with everything else that moves its money, so at most one is
// under way, and its amount counts towards the ceiling before anything is charged.
import { Result } from "effect"
import type { Rules } from "../Command.ts"
import type { Origin } from "../access/Origin.ts"
import { ApiKeyScopeDenied } from "../errors/ApiKeyErrors.ts"
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

/**
 * Whether this asks for a higher ceiling than people have set. An API key may not: whoever has stolen it would charge
 * the saved card without a limit. While nothing is set, the ceiling is 0.
 */
const isRaisedByKey = ({ auto }: PresentWallet, { actor }: Origin, monthly_ceiling_minor: number): boolean =>
  actor.type === "api_key" && monthly_ceiling_minor > (auto?.settings?.monthly_ceiling_minor ?? 0)

const ceilingOfKey = {
  message: "An API key cannot raise the monthly ceiling of automatic top-ups.",
  resolution: "Let a signed-in admin set monthly_ceiling_minor. A key may set everything within it."
}

const set: WalletRules["SetAutoTopUp"] = (wallet, { account_ref, origin, settings }, at) => {
  if (isRaisedByKey(wallet, origin, settings.monthly_ceiling_minor))
    return Result.fail(new ApiKeyScopeDenied(ceilingOfKey))
  if (settings.enabled && !hasCard(wallet)) return Result.fail(new WalletCardMissing())
  return shown(wallet, at, { _tag: "AutoTopUpSet", at, settings, account_ref, origin })
}

export const autoTopUpRules: AutoTopUpRules = {
  ShowAutoTopUp: (wallet, _command, now) => shown(wallet, now),
  SetAutoTopUp: set,
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
