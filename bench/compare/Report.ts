// What a comparison found, in words and as a verdict.
import { compared, type Pair, type Verdict, verdictOf, ratiosOf } from "./Ratios.ts"
import type { Figures, Metric } from "./Metrics.ts"

/** The figures of one window of each engine. */
export interface WindowPair {
  readonly before: Figures
  readonly now: Figures
}

/** A ratio above it is too dear. */
export const limit = 1.1

export interface Finding {
  readonly metric: Metric
  readonly pairs: ReadonlyArray<Pair>
  /** Absent for a figure that is not judged. */
  readonly verdict: Verdict | undefined
}

export const findingsOf = (
  metrics: ReadonlyArray<Metric>,
  windows: ReadonlyArray<WindowPair>
): ReadonlyArray<Finding> =>
  metrics.map((metric) => {
    const { judged, name } = metric
    const pairs = windows.map(({ before, now }) => ({ before: before[name] ?? 0, now: now[name] ?? 0 }))
    return { metric, pairs, verdict: judged ? verdictOf(ratiosOf(pairs), limit) : undefined }
  })

/** Whether one of them has this verdict. */
export const some = (findings: ReadonlyArray<Finding>, verdict: Verdict): boolean =>
  findings.some((finding) => finding.verdict === verdict)

const digits = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)

const remark = (verdict: Verdict | undefined, gate: boolean): string =>
  verdict === "dearer" ? "  DEARER" : verdict === "undecided" && gate ? "  undecided" : ""

/** One line for each figure. `gate`: whether it is judged, so that what is undecided is worth a word. */
export const linesOf = (findings: ReadonlyArray<Finding>, gate: boolean): ReadonlyArray<string> =>
  findings.map(({ metric, pairs, verdict }) => {
    const { before, interval, now, ratio } = compared(pairs)
    const spread =
      interval === undefined ? "[fewer than 6 pairs]" : `[${interval.low.toFixed(2)}, ${interval.high.toFixed(2)}]`
    return [
      `    ${metric.name.padEnd(15)}`,
      digits(before).padStart(9),
      digits(now).padStart(9),
      metric.unit.padEnd(4),
      `x ${ratio.toFixed(3)} ${spread}${remark(verdict, gate)}`
    ].join(" ")
  })
