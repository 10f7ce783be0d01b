// What became of the faults of docs/operations.md in a run of their tests and benchmarks.
import { relative } from "node:path"
import { type BenchRow, verdictOf } from "../../bench/Row.ts"
import { commandOf, type Report } from "../tests/Report.ts"
import type { Fault } from "./FaultPage.ts"

/** What became of the tests of a file, or of a benchmark. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  readonly figures: ReadonlyArray<BenchRow>
}

/** The part of the tests that a file belongs to, by its name (vitest.config.ts). */
export const partOf = (file: string): string => /\.(db|program|e2e)\.(?:test\.)?ts$/.exec(file)?.[1] ?? "unit"

/** How one fault is tried again. */
const commandFor = (name: string): string =>
  name.startsWith("test/") ? [...commandOf(partOf(name)), name].join(" ") : `npm run bench -- ${name}`

/** The outcomes of a report, by file. */
export const outcomesOf = ({ testResults }: Report): ReadonlyMap<string, Outcome> =>
  new Map(
    testResults.map(({ assertionResults, name, status }) => {
      const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length
      return [
        relative(process.cwd(), name),
        {
          passed: count("passed"),
          failed: Math.max(count("failed"), status === "failed" ? 1 : 0),
          seconds: assertionResults.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1_000,
          figures: assertionResults.flatMap(({ meta }) => meta?.figures ?? [])
        }
      ]
    })
  )

/** Whether every test ran and passed, and every benchmark that ran reached its goals. */
export const hasPassed = (fault: Fault, outcomes: ReadonlyMap<string, Outcome>): boolean =>
  fault.tests.every((file) => (outcomes.get(file)?.passed ?? 0) > 0) &&
  [...fault.tests, ...fault.benchmarks].every((name) => (outcomes.get(name)?.failed ?? 0) === 0)

const figureOf = (row: BenchRow): string => {
  const value = row.value.toLocaleString("en", { maximumFractionDigits: row.value < 100 ? 2 : 0 })
  const goal = verdictOf(row)
  return `${row.name}: ${value} ${row.unit}`.trimEnd() + (goal === "" ? "" : ` (${goal})`)
}

/** The table: each fault, whether it passed, what was measured against which goal, and how to try it again. */
export const table = (faults: ReadonlyArray<Fault>, outcomes: ReadonlyMap<string, Outcome>): string => {
  const rows = faults.map((fault) => {
    const names = [...fault.tests, ...fault.benchmarks].filter((name) => outcomes.has(name))
    const measured = names.flatMap((name) => {
      const { failed, figures, passed, seconds } = outcomes.get(name)!
      const tests = `${passed} passed${failed > 0 ? `, ${failed} failed` : ""} in ${seconds.toFixed(1)} s`
      return name.startsWith("test/") ? [tests, ...figures.map(figureOf)] : figures.map(figureOf)
    })
    const again = names.map((name) => `\`${commandFor(name)}\``)
    return `| ${fault.name} | ${hasPassed(fault, outcomes) ? "yes" : "NO"} | ${measured.join("; ")} | ${again.join("<br>")} |`
  })
  return ["| Fault | Passed | Measured | To repeat it |", "|---|---|---|---|", ...rows, ""].join("\n")
}
