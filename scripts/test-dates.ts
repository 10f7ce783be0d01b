// Runs the tests under a faked system clock:
//   npm run test:dates [-- --date "2026-12-31 23:58:30 Europe/Berlin"] [--part db] [FILE …]
// --date and --part may be repeated; files go to vitest. Every part starts at the date, and its processes are in that
// time zone. It prints a table, says where the logs are, and exits with 1 if a test failed. Exit status 77: the library
// that fakes the clock (Debian's package `datefudge`) is missing and could not be installed, and no test was run.
//
// It is not `faketime`, under which a signal handler that interrupts poll() reads the real clock: PostgreSQL's timeouts
// of statements and locks, which look at the clock in theirs, never come.
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { parseArgs } from "node:util"

/** Moments at which a day, a month, a year or an hour of the clock is special. The last word is the time zone. */
const everyDate = [
  "2026-12-24 18:30:00 America/New_York",
  "2026-12-31 23:58:30 UTC",
  "2027-01-01 00:00:05 UTC",
  "2027-02-28 12:00:00 UTC",
  "2027-03-31 23:59:00 UTC",
  "2027-05-01 00:00:00 UTC",
  "2027-10-31 02:59:30 Europe/Berlin",
  "2028-02-29 23:30:00 UTC"
]
const everyPart = ["unit", "db", "program"]

const root = join(import.meta.dirname, "..")

const { positionals: files, values } = parseArgs({
  allowPositionals: true,
  options: { date: { type: "string", multiple: true }, part: { type: "string", multiple: true } }
})

const unavailable = (why: string): never => {
  console.error(`test:dates: ${why}; no test was run`)
  process.exit(77)
}

const findLibrary = (): string | undefined => {
  const architectures = existsSync("/usr/lib") ? readdirSync("/usr/lib") : []
  return ["", ...architectures]
    .map((architecture) => join("/usr/lib", architecture, "datefudge/datefudge.so"))
    .find((path) => existsSync(path))
}

const install = (): void => {
  console.log("test:dates: installing datefudge")
  const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"]
  const apt = (...args: ReadonlyArray<string>) => {
    const [command = "", ...rest] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args]
    return spawnSync(command, rest, { stdio: ["ignore", "ignore", "inherit"] }).status === 0
  }
  if (apt("update")) apt("install", "-y", "--no-install-recommends", "datefudge")
}

if (findLibrary() === undefined) install()
const library = findLibrary() ?? unavailable("datefudge could not be installed (apt-get install datefudge)")

interface Start {
  readonly at: number
  readonly zone: string
}

/** Reads "2026-12-31 23:58:30 Europe/Berlin". Without a zone it is UTC. Of an hour that comes twice it is the first. */
const startOf = (date: string): Start => {
  const [, day, time = "00:00:00", zone = "UTC"] = /^(\S+)(?:[ T]([\d:]+))?(?: (\S+))?$/.exec(date) ?? []
  const script = `process.stdout.write(String(new Date("${day}T${time}").getTime()))`
  const at = Number(execFileSync(process.execPath, ["-e", script], { env: { TZ: zone }, encoding: "utf8" }))
  if (Number.isNaN(at)) throw new Error(`"${date}" is no date such as "2026-12-31 23:58:30 Europe/Berlin"`)
  return { at, zone }
}

/**
 * The environment of a process whose clock shows the given instant now. The clock is ahead of the real one by a number
 * of seconds, which is the same for every process, whenever it starts. The monotonic clock, and timers with it, stay.
 */
const environmentAt = ({ at, zone }: Start): NodeJS.ProcessEnv => ({
  ...process.env,
  TZ: zone,
  LD_PRELOAD: library,
  DATEFUDGE: String(Math.round((Date.now() - at) / 1_000)),
  NODE_OPTIONS: `--import=${new URL("test-dates/ChildClock.ts", import.meta.url).href}`
})

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
}

const failuresOf = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, name, status }) => {
    const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName)
    const file = relative(root, name)
    // A file that could not be loaded has no tests.
    return status === "failed" && failed.length === 0 ? [file] : failed.map((test) => `${file}: ${test}`)
  })

const folder = mkdtempSync(join(tmpdir(), "trunkline-dates-"))

const run = (part: string, start: Start, name: string): Promise<number | null> =>
  new Promise((resolve) => {
    const log = createWriteStream(join(folder, `${name}.log`))
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", part, "--passWithNoTests"]
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${join(folder, `${name}.json`)}`]
    const child = spawn(process.execPath, [...vitest, ...reporters, ...files], {
      cwd: root,
      env: environmentAt(start),
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    child.on("close", (code) => log.end(() => resolve(code)))
  })

console.log(`test:dates: logs are in ${folder}`)
const rows: Array<Record<string, string | number>> = []
for (const date of values.date ?? everyDate) {
  const start = startOf(date)
  for (const part of values.part ?? everyPart) {
    const name = `${date} ${part}`.replaceAll(/[^\w]+/g, "-")
    const began = performance.now()
    const code = await run(part, start, name)
    const path = join(folder, `${name}.json`)
    const report = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Report) : undefined
    const failures = report === undefined ? [`vitest ended with ${code}; see ${name}.log`] : failuresOf(report)
    rows.push({
      date,
      part,
      passed: report?.numPassedTests ?? 0,
      failed: code === 0 ? 0 : Math.max(1, failures.length),
      seconds: Math.round((performance.now() - began) / 1_000)
    })
    console.log(`${date}, ${part}: ${failures.length === 0 && code === 0 ? "passed" : "failed"}`)
    for (const failure of failures) console.log(`  ${failure}`)
  }
}
console.table(rows)
process.exitCode = rows.some(({ failed }) => failed !== 0) ? 1 : 0
