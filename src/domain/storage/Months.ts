// Storage is paid by the month of the calendar, in UTC. Instants are epoch milliseconds.

const monthAfter = (at: number, months: number): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** The 1st, 00:00, of the month after. */
export const nextMonth = (at: number): number => monthAfter(at, 1)

const secondsBetween = (from: number, to: number): bigint => BigInt(Math.floor((to - from) / 1000))

/** What the rest of a month costs at so much more a month: to the second, rounded down. */
export const prorated_minor = (more_minor: number, at: number): number => {
  const end = nextMonth(at)
  return Number((BigInt(more_minor) * secondsBetween(at, end)) / secondsBetween(monthAfter(at, 0), end))
}
