// Runs once more the files that hold what failed in a part of the tests: scripts/rerun-failed has the arguments. The
// tests of a file share an engine, and some need what earlier ones made, so each is run with the others of its file.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { commandOf, type Failed, failuresOf, passed, readReport, shown } from "./Report.ts"

const [part, path, log] = process.argv.slice(2)
if (part === undefined || path === undefined) {
  console.error("usage: scripts/rerun-failed unit|db|program|e2e REPORT [LOG]")
  process.exit(2)
}

/** Files of errors outside any test: the report leaves them out, vitest prints them. */
const filesOfErrors = (): ReadonlyArray<Failed> => {
  if (log === undefined || !existsSync(log)) return []
  const text = stripVTControlCharacters(readFileSync(log, "utf8"))
  return [...text.matchAll(/This error originated in "([^"]+)" test file/g)].map(([, file = ""]) => ({
    file,
    title: undefined
  }))
}

/** What failed in a file is run again: the failures that remain, and what passed before and fails now. */
const runAgain = (file: string, before: ReadonlyArray<Failed>) => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-rerun-"))
  try {
    const output = join(folder, "report.json")
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`]
    const [command = "", ...args] = [...commandOf(part), file, ...reporters]
    const { status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] })
    const report = readReport(output)
    if (report === undefined) return { remaining: before, others: [] }
    const others = failuresOf(report).filter((one) => !before.some((other) => shown(other) === shown(one)))
    const remaining = before.filter(({ title }) => (title === undefined ? status !== 0 : !passed(report, title)))
    // An error outside any test fails the whole run, so nothing is known to have passed.
    const isExplained = status === 0 || remaining.length > 0 || others.some(({ title }) => title !== undefined)
    return { remaining: isExplained ? remaining : before, others }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const report = readReport(path)
const failures = [...(report === undefined ? [] : failuresOf(report)), ...filesOfErrors()]
const byFile = Map.groupBy(failures, ({ file }) => file)
const lines: Array<string> = []
let failed = 0
if (byFile.size === 0) {
  lines.push(`failed: ${part}, outside any file`)
  failed++
}
for (const [file, of] of byFile) {
  const each = [...new Map(of.map((one) => [shown(one), one])).values()]
  const { others, remaining } = runAgain(file, each)
  failed += remaining.length
  for (const one of each) lines.push(`${remaining.includes(one) ? "failed" : "unstable"}: ${shown(one)}`)
  // They passed in the run that is judged, so they are told and not counted.
  for (const one of others) console.log(`unstable, passed before: ${shown(one)}`)
}
const unstable = lines.length - failed
console.log([...lines, `${unstable} unstable, ${failed} failed`].join("\n"))
process.exitCode = failed > 0 ? 1 : 0
