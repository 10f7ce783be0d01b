/** One figure of a benchmark. */
export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The target of the figure; `most` if less is better. */
  readonly goal?: { readonly least: number } | { readonly most: number }
}

/** What the goal says of the figure, or nothing without a goal. */
export const verdictOf = ({ goal, value }: BenchRow): string => {
  if (goal === undefined) return ""
  const isReached = "least" in goal ? value >= goal.least : value <= goal.most
  return `${"least" in goal ? `at least ${goal.least}` : `at most ${goal.most}`}: ${isReached ? "reached" : "MISSED"}`
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2
}

export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
