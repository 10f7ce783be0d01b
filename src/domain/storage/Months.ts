// Storage is paid by the calendar month in UTC. Instants are epoch milliseconds.

const monthAfter = (at: number, months: number): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** 00:00 on the 1st of the next month. */
export const nextMonth = (at: number): number => monthAfter(at, 1)

const secondsBetween = (from: number, to: number): bigint => BigInt(Math.floor((to - from) / 1000))

/** The cost of the rest of the month if a month costs `more_minor`: to the second, rounded down. */
export const prorated_minor = (more_minor: number, at: number): number => {
  const end = nextMonth(at)
  return Number((BigInt(more_minor) * secondsBetween(at, end)) / secondsBetween(monthAfter(at, 0), end))
}
