// When something happened of late: instants in ascending order, of which only the end is asked for. Adding one and
// asking for the nth last cost the same however many there are.

export interface RecentTimes {
  /**
   * Shared with the values that came before and after: what a value has of it is never changed, and the value that has
   * all of it may put another instant behind.
   */
  readonly shared: Array<number>
  readonly from: number
  readonly to: number
}

export const noTimes: RecentTimes = { shared: [], from: 0, to: 0 }

/** The nth last instant, from 1; undefined if there are fewer. */
export const nthLast = ({ from, shared, to }: RecentTimes, n: number): number | undefined =>
  n <= to - from ? shared[to - n] : undefined

export const countOf = ({ from, to }: RecentTimes): number => to - from

/** So many instants that are not kept any more may stay in the shared array. */
const spare = 16

/** Adds the instant `at`. Keeps those after `since`, and of them the latest `max`. */
export const withTime = (times: RecentTimes, at: number, since: number, max: number): RecentTimes => {
  const { shared, to } = times
  let from = Math.max(times.from, to + 1 - max)
  while (from < to && (shared[from] ?? at) <= since) from++
  const latest = from < to ? shared[to - 1] : undefined
  // The clock was set back.
  if (latest !== undefined && latest > at) {
    const sorted = [...shared.slice(from, to), at].sort((a, b) => a - b)
    return { shared: sorted, from: 0, to: sorted.length }
  }
  const kept = to - from
  const own = to > 0 && shared.length === to && shared.length < 2 * kept + spare
  const next = own ? shared : shared.slice(from, to)
  next.push(at)
  return own ? { shared, from, to: to + 1 } : { shared: next, from: 0, to: next.length }
}
