// Shows that the tests of docs/security.md prove what the page says: `npm run test:holes [-- TEXT …]`. In a copy of the
// tree it first runs the named tests, which must pass. Then it plants one hole after another (scripts/holes/Holes.ts),
// whose test must fail. With TEXT, only the holes whose threat or file contains it. Exits with 1 if a test stays green.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Hole, holes } from "./holes/Holes.ts"

const root = join(import.meta.dirname, "..")
/** A run that a hole makes wait for ever ends after this time. */
const run_ms = 300_000

interface Report {
  readonly testResults?: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly title: string; readonly status: string }>
  }>
}

/** Titles of tables have placeholders: `%s`. */
const patternOf = (title: string): string =>
  title
    .split("%s")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*")

const projectOf = (test: string): string => /\.(db|program)\.test\.ts$/.exec(test)?.[1] ?? "unit"

const copyOf = (to: string): void => {
  const parts = ["src", "test", "scripts", "docs", "console", "deploy", "examples"]
  const files = [
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "vitest.config.ts",
    "README.md",
    "CHANGELOG.md"
  ]
  for (const part of [...parts, ...files]) cpSync(join(root, part), join(to, part), { recursive: true })
  for (const part of ["node_modules", "dist"]) symlinkSync(join(root, part), join(to, part))
}

type Results = ReadonlyArray<{ readonly title: string; readonly status: string }>

/** The results of test files of one project. None if they could not be run. */
const run = (folder: string, tests: ReadonlyArray<string>, ...options: ReadonlyArray<string>): Results => {
  const report = join(folder, "report.json")
  rmSync(report, { force: true })
  const vitest = ["vitest", "run", "--project", projectOf(tests[0] ?? ""), ...tests, ...options]
  spawnSync("npx", [...vitest, "--reporter", "json", "--outputFile", report], { cwd: folder, timeout: run_ms })
  if (!existsSync(report)) return []
  const { testResults = [] } = JSON.parse(readFileSync(report, "utf8")) as Report
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

/** How often a test passed and failed; neither if it did not run. */
const countOf = (results: Results, title: string): { readonly passed: number; readonly failed: number } => {
  const pattern = new RegExp(`^${patternOf(title)}$`)
  const count = (status: string) => results.filter((one) => pattern.test(one.title) && one.status === status).length
  return { passed: count("passed"), failed: count("failed") }
}

/** What is wrong with a hole: undefined if its test passes without it, and fails with it. */
const faultOf = (folder: string, hole: Hole, without: Results): string | undefined => {
  const { file, guard, test, title } = hole
  const path = join(folder, file)
  const text = readFileSync(path, "utf8")
  if (text.split(guard).length !== 2) return `${file} does not have the guard once`
  const before = countOf(without, title)
  if (before.passed === 0 || before.failed > 0) return "the test does not pass without the hole"
  try {
    writeFileSync(
      path,
      text.replace(guard, () => hole.without)
    )
    const { failed } = countOf(run(folder, [test], "-t", `${patternOf(title)}$`), title)
    return failed > 0 ? undefined : "the test does not fail with the hole"
  } finally {
    writeFileSync(path, text)
  }
}

const words = process.argv.slice(2)
const chosen = holes.filter(
  ({ file, threat }) => words.length === 0 || words.some((word) => threat.includes(word) || file.includes(word))
)
if (chosen.length === 0) throw new Error("No hole has this text.")
const folder = mkdtempSync(join(tmpdir(), "trunkline-holes-"))
let faults = 0
try {
  copyOf(folder)
  const tests = [...new Set(chosen.map(({ test }) => test))]
  const without = Object.values(Object.groupBy(tests, projectOf)).flatMap((ofProject = []) => run(folder, ofProject))
  for (const hole of chosen) {
    const fault = faultOf(folder, hole, without)
    if (fault !== undefined) faults++
    console.log(`${fault === undefined ? "ok    " : "WRONG "} ${hole.threat}: ${hole.file}`)
    if (fault !== undefined) console.log(`       ${fault}: ${hole.test} "${hole.title}"`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${chosen.length - faults} of ${chosen.length} planted holes are found`)
process.exit(faults === 0 ? 0 : 1)
