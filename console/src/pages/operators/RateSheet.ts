// A rate sheet as a table of text, and what it would change. Pure.
import type { Rate, RateRequest } from "../../api/Types.ts"

const currencies = ["KES", "UGX", "TZS", "RWF", "ZAR", "GHS", "NGN"] as const
const directions = ["outbound", "inbound"] as const
const classes = ["normal", "high_risk", "premium", "blocked", "byo"] as const

/** One request takes so many rates (docs/rates.md). */
export const maxRates = 5_000

export interface SheetFault {
  /** From 1; the first line has the names. */
  readonly line: number
  readonly message: string
}

export interface Sheet {
  readonly rates: ReadonlyArray<RateRequest>
  readonly faults: ReadonlyArray<SheetFault>
}

const oneOf = <A extends string>(all: ReadonlyArray<A>, text: string | undefined): A | undefined =>
  all.find((each) => each === text)

/** The cells of a line. A cell with the separator stands in quotes, and doubles those that are in it (RFC 4180). */
const cellsOf = (line: string): ReadonlyArray<string> => {
  const cells = [...line.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)]
  return cells.map(([, quoted, plain = ""]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
}

type Row = Readonly<Record<string, string>>

const rateOf = (row: Row): RateRequest | string => {
  const currency = oneOf(currencies, row["currency"]?.toUpperCase())
  const direction = oneOf(directions, row["direction"] ?? "outbound")
  const prefix = (row["prefix"] ?? "").replace(/^\+/, "")
  const price = row["per_min_minor"] ?? ""
  const risk = row["class"] === undefined || row["class"] === "" ? undefined : oneOf(classes, row["class"])
  if (currency === undefined) return `The currency is none of ${currencies.join(", ")}.`
  if (direction === undefined) return "The direction is neither outbound nor inbound."
  if (!/^\d{1,15}$/.test(prefix)) return "The prefix is not 1 to 15 digits."
  if (!/^\d{1,9}$/.test(price)) return "per_min_minor is no whole number of minor units."
  if ((row["class"] ?? "") !== "" && risk === undefined) return `The class is none of ${classes.join(", ")}.`
  const { country, description } = row
  return {
    currency,
    direction,
    prefix,
    per_min_minor: Number(price),
    ...(country !== undefined && country !== "" && { country: country.toUpperCase() }),
    ...(description !== undefined && description !== "" && { description }),
    ...(risk !== undefined && { class: risk })
  }
}

/** Reads a sheet whose first line names its columns: currency, direction, prefix, per_min_minor, country, … */
export const readSheet = (text: string): Sheet => {
  const [head = "", ...lines] = text.split(/\r?\n/)
  const names = cellsOf(head).map((name) => name.toLowerCase())
  const missing = ["currency", "prefix", "per_min_minor"].filter((name) => !names.includes(name))
  if (missing.length > 0) {
    return {
      rates: [],
      faults: [{ line: 1, message: `The first line does not name ${missing.join(", ")}.` }]
    }
  }
  const read = lines.flatMap((line, index) => {
    if (line.trim() === "") return []
    const cells = cellsOf(line)
    const rate = rateOf(Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ""])))
    return [{ line: index + 2, rate }]
  })
  return {
    rates: read.flatMap(({ rate }) => (typeof rate === "string" ? [] : [rate])),
    faults: read.flatMap(({ line, rate }) => (typeof rate === "string" ? [{ line, message: rate }] : []))
  }
}

export interface RateChange {
  readonly rate: RateRequest
  /** The price of a minute that applies now, in minor units; undefined: the rate is new. */
  readonly before: number | undefined
}

const keyOf = ({ currency, direction, prefix }: RateRequest): string => `${currency} ${direction} ${prefix}`

/** What a sheet changes in the rates that apply at `now`. Rates whose price stays are left out. */
export const changesOf = (
  sheet: ReadonlyArray<RateRequest>,
  current: ReadonlyArray<Rate>,
  now: number
): ReadonlyArray<RateChange> => {
  const applies = current.filter(
    ({ effective_from, effective_to }) =>
      Date.parse(effective_from) <= now && (effective_to === null || Date.parse(effective_to) > now)
  )
  const latest = new Map<string, Rate>()
  for (const rate of applies) {
    const before = latest.get(keyOf(rate))
    if (before === undefined || Date.parse(before.effective_from) < Date.parse(rate.effective_from)) {
      latest.set(keyOf(rate), rate)
    }
  }
  return sheet.flatMap((rate) => {
    const before = latest.get(keyOf(rate))
    const stays = before?.per_min_minor === rate.per_min_minor && before.class === (rate.class ?? "normal")
    return stays ? [] : [{ rate, before: before?.per_min_minor }]
  })
}
