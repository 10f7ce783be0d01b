// Months of invoices and ceilings: calendar months in UTC, written as `2026-11`. Instants are epoch milliseconds.

/** The months from 0000-01 to 9999-12 are counted from 0, so that they can be compared and subtracted. */
const indexOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

const monthAt = (index: number): string =>
  `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`

/** The month of an instant. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** When a month begins. */
export const beginOf = (month: string): number => Date.parse(`${month}-01T00:00:00.000Z`)

/** When a month ends: the first instant of the next one. */
export const endOf = (month: string): number => beginOf(monthAt(indexOf(month) + 1))

/** How many months later `month` is than `first`. Negative if it is earlier. */
export const monthsBetween = (first: string, month: string): number => indexOf(month) - indexOf(first)

/** The month that is so many months later. */
export const monthAfter = (month: string, months: number): string => monthAt(indexOf(month) + months)
