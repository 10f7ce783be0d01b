// `trunkline numbers`.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AvailableNumber, PhoneNumber } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { confirm, consent, isGiven } from "./Confirm.ts"
import { type Context, withKey } from "./Handler.ts"
import { byShortId, money, shortId, table } from "./Output.ts"

const { yes } = consent

const countryOf = (text: string): string => {
  const country = text.toUpperCase()
  if (/^[A-Z]{2}$/.test(country)) return country
  throw new CommandFailure({
    exit: "usage",
    message: `${text} is no country. Write the two letters of ISO 3166-1, such as KE.`,
    help: "trunkline numbers available"
  })
}

const available = Command.make(
  "available",
  {
    country: Flag.String("country").pipe(
      Flag.withDescription("ISO 3166-1, such as KE; default: every country"),
      Flag.optional
    )
  },
  ({ country }) =>
    withKey(async ({ client, out }) => {
      const query = Option.match(country, {
        onNone: () => ({}),
        onSome: (text) => ({ country: countryOf(text) })
      })
      const offers = await client.numbers.available(query).toArray({ max: 50 })
      if (offers.length === 0) {
        const where = "country" in query ? ` in ${query.country}.  trunkline numbers available` : "."
        out.note(`No number is for sale${where}`)
      }
      if (out.json) return offers.forEach((offer) => out.line(JSON.stringify(offer)))
      for (const offer of offers)
        out.line(`${offer.number}  ${money(offer.currency, offer.monthly_price_minor)} a month`)
    })
).pipe(Command.withDescription("List numbers that can be claimed"))

const offered = async ({ client }: Context, number: string): Promise<AvailableNumber> => {
  const digits = number.replace(/\D/g, "")
  const offers = await client.numbers.available({ contains: digits }).toArray({ max: 200 })
  const offer = offers.find((each) => each.number === `+${digits}`)
  if (offer !== undefined) return offer
  throw new CommandFailure({
    exit: "refused",
    message: `${number} is not on offer. Somebody else may have claimed it.`,
    help: "trunkline numbers available"
  })
}

const claim = Command.make(
  "claim",
  { number: Argument.String("number").pipe(Argument.withDescription("A number on offer, in E.164 form")), ...consent },
  ({ number, ...given }) =>
    withKey(async (context) => {
      const { client, out } = context
      const {
        currency,
        inventory_id,
        locality,
        monthly_price_minor: price,
        number: e164
      } = await offered(context, number)
      const place = locality === null ? "" : ` ${locality},`
      await confirm(context, `Claim ${e164},${place} ${money(currency, price)} now and each month?`, isGiven(given))
      const claimed = await client.numbers.claim(inventory_id)
      const until = claimed.renews_at === null ? "" : ` until ${claimed.renews_at.slice(0, 10)}`
      out.line(out.json ? JSON.stringify(claimed) : `✓ Claimed ${claimed.number}${until}`)
    })
).pipe(Command.withDescription("Rent a number"))

const own = async ({ client }: Context, text: string): Promise<PhoneNumber> => {
  const all = await client.numbers.list({ limit: 200 }).toArray({ max: 1_000 })
  const number = all.find((each) => each.number === text && each.status !== "released") ?? byShortId(all, text)
  if (number !== undefined) return number
  throw new CommandFailure({ exit: "refused", message: `You have no number ${text}.`, help: "trunkline numbers" })
}

const release = Command.make(
  "release",
  { number: Argument.String("number").pipe(Argument.withDescription("Your number, or the end of its id")), yes },
  ({ number, yes }) =>
    withKey(async (context) => {
      const { client, out } = context
      const { id, number: e164 } = await own(context, number)
      await confirm(context, `Release ${e164}? Somebody else can claim it then.`, yes)
      const released = await client.numbers.release(id)
      out.line(out.json ? JSON.stringify(released) : `✓ Released ${released.number}`)
    })
).pipe(Command.withDescription("Give a number back"))

const lookup = Command.make(
  "lookup",
  { number: Argument.String("number").pipe(Argument.withDescription("Any number, in E.164 form")) },
  ({ number }) =>
    withKey(async ({ client, out }) => {
      const found = await client.numbers.lookup(number)
      if (out.json) return out.line(JSON.stringify(found))
      const { callable, carrier, country, currency, international_format, kind, rate_per_min_minor: rate } = found
      const price = rate === null ? "without a rate" : `${money(currency, rate)} a minute`
      out.line(`${international_format}  ${country ?? "no country"}, ${kind}${found.valid ? "" : ", not in use"}`)
      out.line(callable ? `✓ can be called, ${price}` : `✗ cannot be called: ${found.reason}`)
      out.line(found.showable ? "✓ can be shown as caller id" : "✗ cannot be shown as caller id (docs/caller-ids.md)")
      if (carrier !== null) out.line(`  ${carrier.name}`)
    })
).pipe(Command.withDescription("Say what is known of a number"))

export const numbers = Command.make("numbers", {}, () =>
  withKey(async ({ client, out }) => {
    const all = await client.numbers.list({ limit: 200 }).toArray({ max: 1_000 })
    if (out.json) return all.forEach((number) => out.line(JSON.stringify(number)))
    const rows = all.map(({ id, number, status }) => [number, shortId(id), status])
    for (const line of table([["NUMBER", "ID", "STATUS"], ...rows])) out.line(line)
  })
).pipe(Command.withDescription("List your numbers"), Command.withSubcommands([available, claim, release, lookup]))
