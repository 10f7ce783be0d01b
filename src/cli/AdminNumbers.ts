// `trunkline admin`: rates, series of numbers, their prices, and providers.
import { Argument, Command, Flag } from "effect/cli"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import type { Rate, RateRequest, Trunkline } from "../client/Client.ts"
import { changesOf, maxRates, type RateChange, readSheet } from "../client/RateSheet.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { confirm } from "./Confirm.ts"
import { asOperator } from "./Handler.ts"
import { amount, byShortId, shortId, table } from "./Output.ts"

/** All rates of the currencies that the sheet names. */
const currentRates = async (client: Trunkline, sheet: ReadonlyArray<RateRequest>): Promise<ReadonlyArray<Rate>> => {
  const pages = [...new Set(sheet.map(({ currency }) => currency))].map((currency) =>
    client.adminRates.list({ currency, limit: 200 }).toArray({ max: 100_000 })
  )
  return (await Promise.all(pages)).flat()
}

/** The rates of a CSV file. Throws CommandFailure that names the first faulty line. */
const ratesIn = (path: string): ReadonlyArray<RateRequest> => {
  let text: string
  try {
    text = readFileSync(path === "-" ? 0 : path, "utf8")
  } catch {
    throw new CommandFailure({ exit: "usage", message: `${path} cannot be read.` })
  }
  const { faults, rates } = readSheet(text)
  const [fault, ...more] = faults
  if (fault !== undefined)
    throw new CommandFailure({
      exit: "refused",
      message: `${path === "-" ? "stdin" : basename(path)}:${fault.line} ${fault.message}${more.length > 0 ? ` ${more.length} more lines are wrong.` : ""} Nothing was imported.`,
      help: "docs/rates.md",
      body: { faults }
    })
  if (rates.length === 0) throw new CommandFailure({ exit: "refused", message: `${path} has no rates.` })
  return rates
}

const changeLines = (changes: ReadonlyArray<RateChange>): ReadonlyArray<string> =>
  table(
    changes.map(
      ({ before, rate: { currency, description = "", direction, effective_from, per_min_minor, prefix } }) => [
        currency,
        direction,
        prefix,
        before === undefined ? "new" : amount(before),
        "→",
        amount(per_min_minor),
        effective_from === undefined ? "now" : effective_from,
        description
      ]
    ),
    [3, 5]
  )

const importRates = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV; its first line names the columns: currency,direction,prefix,per_min_minor")
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print what would change, and change nothing"),
      Flag.withDefault(false)
    ),
    yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask"), Flag.withDefault(false))
  },
  ({ dryRun, file, yes }) =>
    asOperator(async (context) => {
      const { client, out } = context
      const sheet = ratesIn(file)
      const changes = changesOf(sheet, await currentRates(client, sheet), Date.now())
      const summary = `${changes.length} of ${sheet.length} rates change`
      if (out.json && dryRun) return changes.forEach((change) => out.line(JSON.stringify(change)))
      if (dryRun) {
        for (const line of changeLines(changes)) out.line(line)
        return out.line(`${summary}. Nothing was imported.`)
      }
      if (changes.length > maxRates)
        throw new CommandFailure({
          exit: "refused",
          message: `${summary}, and one import takes ${maxRates}. Divide the file.`
        })
      if (changes.length === 0)
        return out.line(
          out.json
            ? JSON.stringify({ inserted: 0, updated: 0, unchanged: sheet.length })
            : `✓ All ${sheet.length} rates apply already`
        )
      await confirm(context, `${summary}. Import them?`, yes)
      const changed = await client.adminRates.upsert({ rates: changes.map(({ rate }) => rate) })
      if (out.json) return out.line(JSON.stringify({ ...changed, unchanged: sheet.length - changes.length }))
      out.line(
        `✓ ${changed.inserted} rates are new, ${changed.updated} replaced, ${sheet.length - changes.length} unchanged`
      )
    })
).pipe(Command.withDescription("Set rates from a CSV file: all of them, or none"))

const listRates = Command.make(
  "list",
  {
    currency: Flag.String("currency").pipe(Flag.withDescription("KES, UGX, …"), Flag.withDefault("")),
    prefix: Flag.String("prefix").pipe(Flag.withDescription("Digits without +"), Flag.withDefault("")),
    limit: Flag.Int("limit").pipe(Flag.withDescription("How many, latest first"), Flag.withDefault(50))
  },
  ({ currency, limit, prefix }) =>
    asOperator(async ({ client, out }) => {
      const query = {
        limit: Math.min(limit, 200),
        ...(currency !== "" && { currency }),
        ...(prefix !== "" && { prefix: prefix.replace(/^\+/, "") })
      }
      const all = await client.adminRates.list(query).toArray({ max: limit })
      if (out.json) return all.forEach((rate) => out.line(JSON.stringify(rate)))
      const rows = all.map((rate) => [
        rate.currency,
        rate.direction,
        rate.prefix,
        rate.country ?? "-",
        amount(rate.per_min_minor),
        rate.class,
        rate.effective_from.slice(0, 10),
        rate.effective_to?.slice(0, 10) ?? "-",
        rate.description
      ])
      const head = ["MONEY", "DIRECTION", "PREFIX", "TO", "A MINUTE", "CLASS", "FROM", "UNTIL", ""]
      for (const line of table([head, ...rows], [4])) out.line(line)
    })
).pipe(Command.withDescription("List rates"))

export const rates = Command.make("rates").pipe(
  Command.withDescription("What a minute costs, by prefix"),
  Command.withSubcommands([importRates, listRates])
)

export const prices = Command.make("prices", {}, () =>
  asOperator(async ({ client, out }) => {
    const all = await client.adminNumbers.listPrices().toArray({ max: 1_000 })
    if (out.json) return all.forEach((price) => out.line(JSON.stringify(price)))
    const rows = all.map((price) => [
      shortId(price.series_id),
      price.currency,
      amount(price.monthly_price_minor),
      amount(price.inbound_per_min_minor),
      amount(price.outbound_per_min_minor)
    ])
    for (const line of table([["SERIES", "MONEY", "A MONTH", "IN, A MINUTE", "OUT, A MINUTE"], ...rows], [2, 3, 4]))
      out.line(line)
  })
).pipe(Command.withDescription("List what numbers cost"))

const generate = Command.make(
  "generate",
  { series: Argument.String("series").pipe(Argument.withDescription("The id, or its last eight digits")) },
  ({ series }) =>
    asOperator(async ({ client, out }) => {
      const all = await client.adminNumbers.listSeries({ limit: 200 }).toArray({ max: 1_000 })
      const found = byShortId(all, series)
      if (found === undefined)
        throw new CommandFailure({
          exit: "refused",
          message: `No series, or more than one, ends with ${series}.`,
          help: "trunkline admin series"
        })
      const made = await client.adminNumbers.generate(found.id)
      out.line(
        out.json
          ? JSON.stringify(made)
          : `✓ ${made.generated} numbers of ${found.prefix} can be claimed: ${made.start_suffix} to ${made.end_suffix}`
      )
    })
).pipe(Command.withDescription("Make the numbers of a series, so that they can be claimed"))

export const series = Command.make("series", {}, () =>
  asOperator(async ({ client, out }) => {
    const all = await client.adminNumbers.listSeries({ limit: 200 }).toArray({ max: 1_000 })
    if (out.json) return all.forEach((each) => out.line(JSON.stringify(each)))
    const rows = all.map(({ country, end_suffix, id, prefix, prices, start_suffix, status, type }) => [
      shortId(id),
      country,
      prefix,
      `${start_suffix}-${end_suffix}`,
      type,
      status,
      prices.map(({ currency }) => currency).join(",") || "no price"
    ])
    for (const line of table([["ID", "COUNTRY", "PREFIX", "NUMBERS", "TYPE", "STATUS", "PRICED IN"], ...rows]))
      out.line(line)
  })
).pipe(Command.withDescription("List series of numbers"), Command.withSubcommands([generate]))

export const providers = Command.make("providers", {}, () =>
  asOperator(async ({ client, out }) => {
    const all = await client.adminProviders.list().toArray({ max: 1_000 })
    if (out.json) return all.forEach((provider) => out.line(JSON.stringify(provider)))
    const rows = all.map(({ id, max_channels, max_cps, name, sip, status }) => [
      shortId(id),
      name,
      status,
      `${sip.host}:${sip.port}/${sip.transport}`,
      `${max_channels}`,
      `${max_cps}`
    ])
    for (const line of table([["ID", "NAME", "STATUS", "SIP", "CALLS", "NEW A SECOND"], ...rows], [4, 5]))
      out.line(line)
  })
).pipe(Command.withDescription("List carriers"))
