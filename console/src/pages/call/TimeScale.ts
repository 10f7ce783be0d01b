// Time to place and back. Quiet time is folded: a gap of more than 3 s keeps a little at its ends and shows the rest as
// a band of fixed width. Between folds the scale is linear, so that lengths can be compared.

export interface Fold {
  /** Milliseconds since the start. */
  readonly from: number
  readonly to: number
}

export interface TimeScale {
  /** From milliseconds to 0 … 1. */
  readonly at: (ms: number) => number
  /** From 0 … 1 to milliseconds. */
  readonly back: (place: number) => number
  readonly folds: ReadonlyArray<Fold>
}

const foldedFrom_ms = 3_000
const keptBefore_ms = 620
const keptAfter_ms = 380
/** What a fold is as wide as. */
const foldWidth_ms = 820

interface Part extends Fold {
  readonly start: number
  readonly end: number
  readonly folded: boolean
}

const partsOf = (stops: ReadonlyArray<number>, fold: boolean): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let width = 0
  const put = (from: number, to: number, wide: number, folded: boolean) => {
    if (to <= from) return
    parts.push({ from, to, start: width, end: width + wide, folded })
    width += wide
  }
  for (let index = 1; index < stops.length; index++) {
    const [from = 0, to = 0] = [stops[index - 1], stops[index]]
    if (fold && to - from > foldedFrom_ms) {
      put(from, from + keptBefore_ms, keptBefore_ms, false)
      put(from + keptBefore_ms, to - keptAfter_ms, foldWidth_ms, true)
      put(to - keptAfter_ms, to, keptAfter_ms, false)
    } else put(from, to, to - from, false)
  }
  return parts
}

/** The first part that satisfies, in which a value lies; the parts are in order. */
const partAt = (parts: ReadonlyArray<Part>, isBefore: (part: Part) => boolean): Part | undefined => {
  let [low, high] = [0, parts.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const part = parts[middle]
    if (part !== undefined && isBefore(part)) low = middle + 1
    else high = middle
  }
  return parts[low]
}

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))

/** `instants`: whatever happens, in milliseconds. `last`: the end of the axis. */
export const timeScale = (instants: Iterable<number>, last: number, fold: boolean): TimeScale => {
  const end = Math.max(last, 1)
  const within = [...instants].filter((instant) => instant >= 0 && instant <= end)
  const stops = [...new Set([0, ...within, end])].sort((a, b) => a - b)
  const parts = partsOf(stops, fold)
  const width = parts.at(-1)?.end ?? 1
  return {
    at: (ms) => {
      const part = partAt(parts, ({ to }) => to < ms)
      if (part === undefined) return 0
      const share = (between(ms, part.from, part.to) - part.from) / (part.to - part.from)
      return (part.start + share * (part.end - part.start)) / width
    },
    back: (place) => {
      const wide = between(place, 0, 1) * width
      const part = partAt(parts, (each) => each.end < wide)
      if (part === undefined) return 0
      return part.from + ((wide - part.start) / (part.end - part.start)) * (part.to - part.from)
    },
    folds: parts.filter(({ folded }) => folded)
  }
}
