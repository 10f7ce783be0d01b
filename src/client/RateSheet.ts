// A rate sheet as a table of text, and what it would change: for the console and the command. Pure.
import type { Rate, RateRequest } from "./generated/Types.ts"

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

/** What is wrong with a time of the sheet. Undefined: nothing, or the cell is empty. */
const timeFault = (name: string, text: string | undefined): string | undefined =>
  text === undefined || text === "" || (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)))
    ? undefined
    : `${name} is no day such as 2027-01-31.`

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
  const { country, description, effective_from, effective_to } = row
  const fault = timeFault("effective_from", effective_from) ?? timeFault("effective_to", effective_to)
  if (fault !== undefined) return fault
  return {
    currency,
    direction,
    prefix,
    per_min_minor: Number(price),
    ...(country !== undefined && country !== "" && { country: country.toUpperCase() }),
    ...(description !== undefined && description !== "" && { description }),
    ...(risk !== undefined && { class: risk }),
    ...(effective_from !== undefined && effective_from !== "" && { effective_from }),
    ...(effective_to !== undefined && effective_to !== "" && { effective_to })
  }
}

/**
 * Reads a sheet whose first line names its columns: currency, prefix, per_min_minor, and perhaps direction, country,
 * description, class, effective_from, effective_to.
 */
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
  /** The price of a minute that it replaces, in minor units; undefined: the rate is new. */
  readonly before: number | undefined
}

const keyOf = ({ currency, direction, prefix }: Pick<RateRequest, "currency" | "direction" | "prefix">): string =>
  `${currency} ${direction} ${prefix}`

type Applied = Pick<RateRequest, "currency" | "direction" | "prefix" | "per_min_minor" | "class" | "effective_to"> & {
  readonly from: number
}

const isSame = (rate: Applied | undefined, other: Applied): boolean =>
  rate !== undefined &&
  rate.per_min_minor === other.per_min_minor &&
  (rate.class ?? "normal") === (other.class ?? "normal") &&
  endOf(rate) === endOf(other)

/** When a rate ends, in epoch milliseconds. */
const endOf = ({ effective_to = null }: Applied): number =>
  effective_to === null ? Number.POSITIVE_INFINITY : Date.parse(effective_to)

/**
 * What a sheet changes, by the time at which each rate begins. Each row is compared with the rate that would apply at
 * that time without it, earlier rows included. Rows that change nothing are left out.
 */
export const changesOf = (
  sheet: ReadonlyArray<RateRequest>,
  current: ReadonlyArray<Rate>,
  now: number
): ReadonlyArray<RateChange> => {
  const known = new Map<string, Array<Applied>>()
  const add = (rate: Applied) => void known.set(keyOf(rate), [...(known.get(keyOf(rate)) ?? []), rate])
  for (const rate of current) add({ ...rate, from: Date.parse(rate.effective_from) })
  /** The rate that began last among those that have begun and not ended. */
  const rateAt = (key: string, at: number): Applied | undefined =>
    (known.get(key) ?? [])
      .filter((rate) => rate.from <= at && at < endOf(rate))
      .reduce<Applied | undefined>(
        (last, rate) => (last === undefined || last.from <= rate.from ? rate : last),
        undefined
      )
  return sheet
    .map((rate) => ({ rate, from: rate.effective_from === undefined ? now : Date.parse(rate.effective_from) }))
    .sort((a, b) => a.from - b.from)
    .flatMap(({ from, rate }) => {
      const before = rateAt(keyOf(rate), from)
      if (isSame(before, { ...rate, from })) return []
      add({ ...rate, from })
      return [{ rate, before: before?.per_min_minor }]
    })
}
