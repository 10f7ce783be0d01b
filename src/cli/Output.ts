// What commands print: the answer to stdout, everything else to stderr.
import { Context } from "effect"
import { CommandFailure } from "./CommandFailure.ts"

export class Output extends Context.Service<
  Output,
  {
    readonly json: boolean
    /** A line of the answer. */
    readonly line: (text: string) => void
    /** A line beside the answer: progress, hints, warnings. */
    readonly note: (text: string) => void
  }
>()("trunkline/cli/Output") {}

/** An amount of minor units: `KES 9,997.00`. */
export const money = (currency: string, minor: number): string => `${currency} ${amount(minor)}`

export const amount = (minor: number): string =>
  (minor / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Minor units of an amount in whole units with up to two decimals. Throws CommandFailure. */
export const minorOf = (text: string): number => {
  const [, whole, decimals = ""] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(",", "")) ?? []
  const minor = Number(whole) * 100 + Number(decimals.padEnd(2, "0"))
  if (whole !== undefined && minor > 0) return minor
  throw new CommandFailure({ exit: "usage", message: `${text} is no amount. Write 500 or 500.50.` })
}

/** How lists show an id: its last eight digits. */
export const shortId = (id: string): string => id.slice(-8)

/** The time of day, in local time: `10:15:02`. */
export const timeOf = (instant: string): string => new Date(instant).toTimeString().slice(0, 8)

/** Columns as wide as their longest cell. Numbers stand at the right. */
export const table = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  right: ReadonlyArray<number> = []
): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd()
  )
}

/** The only item whose id ends with the text. Undefined: none, or several. */
export const byShortId = <T extends { readonly id: string }>(items: ReadonlyArray<T>, text: string): T | undefined => {
  const found = items.filter(({ id }) => id === text || (text.length >= 4 && id.endsWith(text)))
  return found.length === 1 ? found[0] : undefined
}
