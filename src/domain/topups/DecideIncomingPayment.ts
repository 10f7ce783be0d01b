// The rules of a payment that came in.
import { Result } from "effect"
import { decideByPresence, refuse, type Rules } from "../Command.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import { WalletCurrencyMismatch } from "../errors/WalletErrors.ts"
import { isPresent } from "../Presence.ts"
import type { AbsentIncomingPayment, IncomingPaymentEvent, PresentIncomingPayment } from "./IncomingPayment.ts"
import type { IncomingPaymentCommands } from "./IncomingPaymentCommand.ts"

type RulesFor<State> = Rules<State, IncomingPaymentCommands, IncomingPaymentEvent>

const happened = (event: IncomingPaymentEvent) => Result.succeed({ events: [event], reply: undefined })
const nothing = Result.succeed({ events: [], reply: undefined })

const notInSuspense = () => refuse(new TopUpNotFound({ message: "No payment with this receipt is in suspense." }))

const absent: RulesFor<AbsentIncomingPayment> = {
  Announce: (_payment, { account_ref, amount_minor, claimed_by, currency, paid_at }, now) => {
    const arrival = { amount_minor, currency, account_ref, paid_at, arrived_at: now }
    return happened({ _tag: "Announced", arrival, claimed_by })
  },
  Suspend: () => nothing,
  Release: notInSuspense,
  Settle: () => nothing
}

const present: RulesFor<PresentIncomingPayment> = {
  /** Another announcement counts only if it tells which prompt the payment is for. */
  Announce: (payment, { claimed_by }) =>
    payment.standing === "matching" && payment.claimed_by === null && claimed_by !== null
      ? happened({ _tag: "Claimed", topup_id: claimed_by })
      : nothing,
  Suspend: ({ standing }, _command, now) =>
    standing === "matching" ? happened({ _tag: "Suspended", at: now }) : nothing,
  Release: ({ arrival, standing }, { currency, workspace_id }) => {
    if (arrival.currency !== currency) return refuse(new WalletCurrencyMismatch())
    return standing === "suspense" ? happened({ _tag: "Released", workspace_id }) : notInSuspense()
  },
  Settle: ({ standing }, { topup_id, workspace_id }) =>
    standing === "settled" ? nothing : happened({ _tag: "Settled", workspace_id, topup_id })
}

export const decideIncomingPayment = decideByPresence<
  AbsentIncomingPayment,
  PresentIncomingPayment,
  IncomingPaymentCommands,
  IncomingPaymentEvent
>({ isPresent, absent, present })
