// Runs once more, without the others, what failed in a part of the tests: scripts/rerun-failed has the arguments.
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

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** Files of errors outside any test: the report leaves them out, vitest prints them. */
const filesOfErrors = (): ReadonlyArray<Failed> => {
  if (log === undefined || !existsSync(log)) return []
  const text = stripVTControlCharacters(readFileSync(log, "utf8"))
  return [...text.matchAll(/This error originated in "([^"]+)" test file/g)].map(([, file = ""]) => ({
    file,
    title: undefined
  }))
}

/** The failures that remain when those of one file are run again. */
const failAgain = (file: string, of: ReadonlyArray<Failed>): ReadonlyArray<Failed> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-rerun-"))
  try {
    const output = join(folder, "report.json")
    const titles = of.flatMap(({ title }) => (title === undefined ? [] : [escaped(title)]))
    const whole = titles.length < of.length
    const [command = "", ...args] = [
      ...commandOf(part),
      file,
      ...(whole ? [] : ["--testNamePattern", `^(?:${titles.join("|")})$`]),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${output}`
    ]
    const { status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] })
    const report = readReport(output)
    if (report === undefined) return of
    const again = of.filter(({ title }) => (title === undefined ? status !== 0 : !passed(report, title)))
    // An error outside any test fails the whole run, so nothing is known to have passed.
    return status === 0 || again.length > 0 ? again : of
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
  const again = failAgain(file, each)
  failed += again.length
  for (const one of each) lines.push(`${again.includes(one) ? "failed" : "unstable"}: ${shown(one)}`)
}
const unstable = lines.length - failed
console.log([...lines, `${unstable} unstable, ${failed} failed`].join("\n"))
process.exitCode = failed > 0 ? 1 : 0
