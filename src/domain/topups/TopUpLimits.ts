// Checks whether a wallet can be topped up as requested. Amounts are minor units.
import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { CardProviderUnavailable, MobileMoneyUnavailable, TopUpLimitExceeded } from "../errors/TopUpErrors.ts"
import {
  type CurrencyUnsupported,
  type WalletCurrencyMismatch,
  WalletInvalidAmount,
  WalletTopUpBelowMinimum
} from "../errors/WalletErrors.ts"
import { sameCurrency } from "../wallet/Adjustment.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { TopUpLimit } from "./TopUpLimit.ts"
import type { TopUpRequest } from "./TopUpRecord.ts"

/** The providers of this deployment. */
export interface Providers {
  readonly mobileMoney: { readonly currency: Currency; readonly unit_minor: number } | undefined
  readonly card: boolean
  /** The smallest step of a card payment in the wallet's currency, minor units. Default 1. */
  readonly card_unit_minor?: number
}

export type TopUpRefusal =
  | BadRequest
  | CurrencyUnsupported
  | WalletCurrencyMismatch
  | MobileMoneyUnavailable
  | CardProviderUnavailable
  | WalletInvalidAmount
  | WalletTopUpBelowMinimum
  | TopUpLimitExceeded

const missingPhone = new BadRequest({
  details: [{ field: "/phone_e164", code: "required", message: "Mobile money needs the phone to prompt." }]
})

const unknownProvider = {
  message: "There is no such provider of top-ups.",
  details: [{ field: "/provider", code: "unknown", message: "Expected mobilemoney or card." }],
  resolution: "Use mobilemoney or card."
}

/** The smallest step of an amount, or why no provider takes the wallet's currency. */
const unitOf = (
  { provider }: TopUpRequest,
  wallet: Currency,
  { card, card_unit_minor = 1, mobileMoney }: Providers
): Result.Result<number, MobileMoneyUnavailable | CardProviderUnavailable> => {
  if (provider !== "mobilemoney" && provider !== "card")
    return Result.fail(new CardProviderUnavailable(unknownProvider))
  if (provider === "card") return card ? Result.succeed(card_unit_minor) : Result.fail(new CardProviderUnavailable())
  return mobileMoney?.currency === wallet
    ? Result.succeed(mobileMoney.unit_minor)
    : Result.fail(new MobileMoneyUnavailable())
}

/** Fails with the first reason why a wallet of this currency cannot be topped up as requested. */
export const checkTopUp = (
  request: TopUpRequest,
  wallet: Currency,
  providers: Providers,
  { maximum_minor, minimum_minor }: TopUpLimit
): Result.Result<void, TopUpRefusal> =>
  Result.gen(function* () {
    const { amount_minor, currency, phone_e164, provider } = request
    if (provider === "mobilemoney" && phone_e164 === undefined) return yield* Result.fail(missingPhone)
    yield* sameCurrency(currency, wallet)
    const unit_minor = yield* unitOf(request, wallet, providers)
    if (amount_minor <= 0) return yield* Result.fail(new WalletInvalidAmount())
    if (amount_minor % unit_minor !== 0) {
      const message = `This provider takes multiples of ${unit_minor} minor units in ${wallet}.`
      return yield* Result.fail(new WalletInvalidAmount({ message, reason: "not_whole_unit" }))
    }
    if (amount_minor < minimum_minor) {
      const message = `The minimum in ${wallet} is ${minimum_minor} minor units.`
      return yield* Result.fail(new WalletTopUpBelowMinimum({ message }))
    }
    if (amount_minor > maximum_minor) {
      const message = `The maximum in ${wallet} is ${maximum_minor} minor units.`
      return yield* Result.fail(new TopUpLimitExceeded({ message }))
    }
  })
