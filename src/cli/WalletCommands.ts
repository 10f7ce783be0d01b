// `trunkline wallet`.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailure } from "./CommandFailure.ts"
import { confirm, consent, isGiven } from "./Confirm.ts"
import { withKey } from "./Handler.ts"
import { amount, minorOf, money, table } from "./Output.ts"

const statement = Command.make(
  "statement",
  { limit: Flag.Int("limit").pipe(Flag.withDescription("How many entries, newest first"), Flag.withDefault(20)) },
  ({ limit }) =>
    withKey(async ({ client, out }) => {
      const entries = await client.wallet.statements({ limit: Math.min(limit, 200) }).toArray({ max: limit })
      if (out.json) return entries.forEach((entry) => out.line(JSON.stringify(entry)))
      const rows = entries.map(({ amount_minor, balance_after_minor, created_at, description, kind }) => [
        created_at.slice(0, 16).replace("T", " "),
        kind,
        amount(amount_minor),
        amount(balance_after_minor),
        description
      ])
      for (const line of table([["TIME (UTC)", "KIND", "AMOUNT", "BALANCE", ""], ...rows], [2, 3])) out.line(line)
    })
).pipe(Command.withDescription("List what was paid and what was charged"))

const topup = Command.make(
  "topup",
  {
    sum: Argument.String("amount").pipe(Argument.withDescription("In whole units of your currency: 500 or 500.50")),
    phone: Flag.String("phone").pipe(Flag.withDescription("The phone that is asked to pay"), Flag.optional),
    card: Flag.Boolean("card").pipe(Flag.withDescription("Pay on a page, by card"), Flag.withDefault(false)),
    ...consent
  },
  ({ card, phone, sum, ...given }) =>
    withKey(async (context) => {
      const { client, out } = context
      const amount_minor = minorOf(sum)
      if (card === Option.isSome(phone))
        throw new CommandFailure({
          exit: "usage",
          message: "Give one of --phone and --card.",
          help: "trunkline wallet topup 500 --phone +254722000000"
        })
      const { currency } = await client.wallet.balance()
      const by = Option.match(phone, { onNone: () => "by card", onSome: (number) => `from ${number}` })
      await confirm(context, `Top up ${money(currency, amount_minor)} ${by}?`, isGiven(given))
      const begun = await client.topups.create({
        provider: card ? "card" : "mobilemoney",
        amount_minor,
        currency,
        ...(Option.isSome(phone) && { phone_e164: phone.value })
      })
      if (begun.payment_url !== null) out.note(`Pay at ${begun.payment_url}`)
      else if (begun.status === "pending") out.note(`A prompt is on its way to ${begun.phone_e164 ?? "the phone"}.`)
      const settled = await client.topups.waitUntilSettled(begun.topup_id, { signal: context.signal })
      const isPaid = settled.status === "succeeded"
      if (out.json) out.line(JSON.stringify(settled))
      else if (isPaid) {
        const { available_minor } = await client.wallet.balance()
        out.line(`✓ ${money(currency, settled.amount_minor)} paid, ${money(currency, available_minor)} available`)
      } else out.line(`✗ ${settled.status}: ${settled.failure_message ?? settled.failure_code ?? ""}`)
      return isPaid
    })
).pipe(Command.withDescription("Put money into the wallet"))

const credit = Command.make(
  "credit",
  { sum: Argument.String("amount").pipe(Argument.withDescription("In whole units of your currency: 500 or 500.50")) },
  ({ sum }) =>
    withKey(async ({ client, out }) => {
      const credited = await client.sandbox.credit({ amount_minor: minorOf(sum) })
      const { balance_minor, currency } = credited
      out.line(out.json ? JSON.stringify(credited) : `✓ The sandbox has ${money(currency, balance_minor)}`)
    })
).pipe(Command.withDescription("Put play money into the sandbox; needs a test key"))

export const wallet = Command.make("wallet", {}, () =>
  withKey(async ({ client, out }) => {
    const balance = await client.wallet.balance()
    if (out.json) return out.line(JSON.stringify(balance))
    const { balance_minor, currency, held_minor, low_balance_threshold_minor: warned } = balance
    out.line(
      `${money(currency, balance_minor)}, of which ${amount(held_minor)} set aside. You are warned below ${amount(warned)}.`
    )
  })
).pipe(Command.withDescription("Show the balance"), Command.withSubcommands([statement, topup, credit]))
