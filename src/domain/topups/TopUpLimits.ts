// Which top-ups a wallet takes. Amounts are minor units.
import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import type { Failure } from "../errors/Failure.ts"
import { CardProviderUnavailable, MobileMoneyUnavailable, TopUpLimitExceeded } from "../errors/TopUpErrors.ts"
import { WalletInvalidAmount, WalletTopUpBelowMinimum } from "../errors/WalletErrors.ts"
import { sameCurrency } from "../wallet/Adjustment.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { TopUpLimit } from "./TopUpLimit.ts"
import type { TopUpRequest } from "./TopUpRecord.ts"

/** Which ways to pay this deployment has. */
export interface Ways {
  /** Undefined if there is no provider of mobile money. */
  readonly mobileMoney: { readonly currency: Currency; readonly unit_minor: number } | undefined
  readonly card: boolean
}

const missingPhone = new BadRequest({
  details: [{ field: "/phone_e164", code: "required", message: "Mobile money prompts a phone: say which." }]
})

const unavailable = ({ provider }: TopUpRequest, wallet: Currency, ways: Ways): Failure | undefined => {
  if (provider === "card") return ways.card ? undefined : new CardProviderUnavailable()
  return wallet === ways.mobileMoney?.currency ? undefined : new MobileMoneyUnavailable()
}

/** Whether a wallet of this currency may be topped up so, and with whom to blame where not. */
export const mayTopUp = (
  request: TopUpRequest,
  wallet: Currency,
  ways: Ways,
  limits: TopUpLimit
): Result.Result<void, Failure> => {
  const { amount_minor, currency, phone_e164, provider } = request
  if (provider === "mobilemoney" && phone_e164 === undefined) return Result.fail(missingPhone)
  const same = sameCurrency(currency, wallet)
  if (Result.isFailure(same)) return same
  const closed = unavailable(request, wallet, ways)
  if (closed !== undefined) return Result.fail(closed)
  if (amount_minor <= 0) return Result.fail(new WalletInvalidAmount())
  const unit_minor = provider === "mobilemoney" ? (ways.mobileMoney?.unit_minor ?? 1) : 1
  if (amount_minor % unit_minor !== 0) {
    return Result.fail(
      new WalletInvalidAmount({
        message: `Mobile money takes multiples of ${unit_minor} minor units.`,
        reason: "not_whole_unit"
      })
    )
  }
  const { maximum_minor, minimum_minor } = limits
  if (amount_minor < minimum_minor) {
    return Result.fail(
      new WalletTopUpBelowMinimum({ message: `The least in ${wallet} is ${minimum_minor} minor units.` })
    )
  }
  return amount_minor > maximum_minor
    ? Result.fail(new TopUpLimitExceeded({ message: `The most in ${wallet} is ${maximum_minor} minor units.` }))
    : Result.void
}
