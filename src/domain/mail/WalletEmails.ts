// The emails about a wallet.
import type { FailureCode } from "../wallet/FailureCode.ts"
import { letter } from "./EmailTemplates.ts"
import type { Letter } from "./Mail.ts"

interface Money {
  readonly workspace: string
  readonly currency: string
  /** Whether it is the wallet of a sandbox. */
  readonly is_test: boolean
}

/** 100 minor units are 1.00 of every currency (docs/wallet.md). */
const amountText = (amount_minor: number, currency: string): string => {
  const digits = String(Math.abs(amount_minor)).padStart(3, "0")
  return `${amount_minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)} ${currency}`
}

const subjectOf = (subject: string, is_test: boolean): string => (is_test ? `[Test mode] ${subject}` : subject)

const closing = "You receive this message because you are an admin of the workspace."

export const lowBalanceEmail = ({
  balance_minor,
  currency,
  is_test,
  threshold_minor,
  workspace
}: Money & { readonly balance_minor: number; readonly threshold_minor: number }): Letter =>
  letter({
    subject: subjectOf(`The balance of ${workspace} is low`, is_test),
    paragraphs: [
      `The balance of the wallet has fallen to ${amountText(balance_minor, currency)}, below your threshold of ` +
        `${amountText(threshold_minor, currency)}.`,
      "Calls are refused, and running calls end, once the balance is used up. Top up the wallet before then."
    ],
    closing
  })

export const autoTopUpChangedEmail = ({
  amount_minor,
  by,
  currency,
  enabled,
  is_test,
  monthly_ceiling_minor,
  threshold_minor,
  workspace
}: Money & {
  readonly enabled: boolean
  readonly threshold_minor: number
  readonly amount_minor: number
  readonly monthly_ceiling_minor: number
  /** Who has changed them, in words. */
  readonly by: string
}): Letter =>
  letter({
    subject: subjectOf(`Automatic top-ups of ${workspace} were changed`, is_test),
    paragraphs: [
      `They were changed by ${by}.`,
      enabled
        ? `While less than ${amountText(threshold_minor, currency)} is available, ` +
          `${amountText(amount_minor, currency)} is charged, up to ${amountText(monthly_ceiling_minor, currency)} a month.`
        : "They are turned off.",
      "If nobody of you wanted this, revoke the API key or end the sessions of the member, and set the automatic top-ups again."
    ],
    closing
  })

const codeTexts: Readonly<Partial<Record<FailureCode, string>>> = {
  payer_insufficient_funds: "the card has not enough money",
  card_declined: "the bank declined the card",
  authentication_required: "the bank wants the owner of the card to confirm the payment",
  provider_limit: "the amount is outside the limits of the provider"
}

const reasonTexts: Readonly<Record<string, string>> = {
  payment_reversed: "The provider has taken a payment back, so automatic top-ups are turned off.",
  workspace_closed: "The workspace is closed, so automatic top-ups are turned off.",
  unconfirmed:
    "The provider did not say whether the card was charged. So that it is not charged twice, automatic top-ups are turned off."
}

export const autoTopUpFailedEmail = ({
  amount_minor,
  currency,
  failure_code,
  is_test,
  next_at,
  reason,
  workspace
}: Money & {
  readonly amount_minor: number | null
  readonly failure_code: FailureCode | null
  readonly next_at: number | null
  readonly reason: string | null
}): Letter => {
  const why = failure_code === null ? undefined : codeTexts[failure_code]
  const failed =
    amount_minor === null || reason === "unconfirmed"
      ? []
      : [`An automatic top-up of ${amountText(amount_minor, currency)} failed${why === undefined ? "" : `: ${why}`}.`]
  const next =
    next_at === null
      ? ((reason === null ? undefined : reasonTexts[reason]) ?? "Automatic top-ups are turned off.")
      : `It is tried again after ${new Date(next_at).toISOString().slice(0, 16).replace("T", " ")} UTC if the balance is still low.`
  return letter({
    subject: subjectOf(
      next_at === null ? `Automatic top-ups of ${workspace} are off` : `An automatic top-up of ${workspace} failed`,
      is_test
    ),
    paragraphs: [...failed, next, "Check the card, save another one with a top-up, or top up the wallet by hand."],
    closing
  })
}
