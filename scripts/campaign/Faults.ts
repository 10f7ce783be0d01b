// Runs the tests and benchmarks of every fault of docs/operations.md, and tells of each what was measured:
//   npm run campaign -- faults             all, at full depth
//   npm run campaign -- faults --quick     the tests alone, as often as CI repeats them
//   npm run campaign -- faults --reports D nothing is run: D has the reports of a run (TEST_REPORTS of scripts/test)
// It prints a table, keeps it as Markdown in the folder of --keep, and ends with status 1 if a fault failed.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BenchRow, verdictOf } from "../../bench/Row.ts"
import { commandOf, readReport } from "../tests/Report.ts"
import { type Fault, faultsIn } from "./FaultPage.ts"
import { hasPassed, type Outcome, outcomesOf, partOf, table } from "./FaultReport.ts"

const page = "docs/operations.md"

const run = (command: ReadonlyArray<string>, depth: string): void => {
  const [program = "", ...args] = command
  spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, TEST_DEPTH: depth } })
}

const runTests = (faults: ReadonlyArray<Fault>, folder: string, depth: string): void => {
  const files = [...new Set(faults.flatMap(({ tests }) => tests))]
  for (const [part, own] of Map.groupBy(files, partOf)) {
    const output = join(folder, `${part}.json`)
    run([...commandOf(part), ...own, "--reporter=default", "--reporter=json", `--outputFile.json=${output}`], depth)
  }
}

const runBenchmarks = (faults: ReadonlyArray<Fault>, folder: string): ReadonlyMap<string, Outcome> => {
  const outcomes = new Map<string, Outcome>()
  for (const name of new Set(faults.flatMap(({ benchmarks }) => benchmarks))) {
    const output = join(folder, `bench-${name}.json`)
    const began = performance.now()
    run(["npm", "run", "--silent", "bench", "--", name, "--json", output], "full")
    const seconds = (performance.now() - began) / 1_000
    if (!existsSync(output)) {
      outcomes.set(name, { passed: 0, failed: 1, seconds, figures: [] })
      continue
    }
    const { results } = JSON.parse(readFileSync(output, "utf8")) as {
      readonly results: Readonly<Record<string, ReadonlyArray<BenchRow>>>
    }
    const figures = results[name] ?? []
    const failed = figures.filter((row) => verdictOf(row).endsWith("MISSED")).length
    outcomes.set(name, { passed: figures.length - failed, failed, seconds, figures })
  }
  return outcomes
}

/** `reports`: a folder with the reports of a run. Without it, everything is run. Returns whether all have passed. */
export const tryFaults = (options: {
  readonly quick: boolean
  readonly reports: string | undefined
  readonly keep: string
}): boolean => {
  const faults = faultsIn(readFileSync(page, "utf8"))
  const folder = options.reports ?? mkdtempSync(join(tmpdir(), "trunkline-faults-"))
  if (options.reports === undefined) runTests(faults, folder, options.quick ? "quick" : "full")
  const reports = ["unit", "db", "program", "e2e"].flatMap((part) => readReport(join(folder, `${part}.json`)) ?? [])
  const outcomes = new Map(reports.flatMap((report) => [...outcomesOf(report)]))
  if (options.reports === undefined && !options.quick)
    for (const [name, outcome] of runBenchmarks(faults, folder)) outcomes.set(name, outcome)
  const text = table(faults, outcomes)
  mkdirSync(options.keep, { recursive: true })
  writeFileSync(join(options.keep, "faults.md"), text)
  console.log(text)
  return faults.every((fault) => hasPassed(fault, outcomes))
}
