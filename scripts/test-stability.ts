// `npm run test:stability -- [--times N] [--part PART]… [FILE]…`: runs parts of the tests (unit, db, program, e2e; all
// if none is named) N times (default: 3) beside one busy process per core, and lists which tests failed and how often.
// What vitest printed stays in a folder. Exit status 1: something failed. Ctrl-C ends the load and the tests.
import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream, mkdtempSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { commandOf, failuresOf, readReport, shown } from "./tests/Report.ts"

const { positionals, values } = parseArgs({
  options: { times: { type: "string", default: "3" }, part: { type: "string", multiple: true } },
  allowPositionals: true
})
const times = Number(values.times)
const parts = values.part ?? ["unit", "db", "program", "e2e"]
if (!Number.isInteger(times) || times < 1) throw new Error(`--times takes a number of runs, not ${values.times}`)

/** Keeps a core busy in slices, so that it notices when this process has gone, however it ended. */
const busy = `
  process.on("disconnect", () => process.exit())
  const spin = () => {
    const until = Date.now() + 50
    while (Date.now() < until);
    setImmediate(spin)
  }
  spin()`
const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ["--eval", busy], { stdio: ["ignore", "ignore", "inherit", "ipc"] })
)

/** The group of the tests that run, and whether Ctrl-C has ended them. */
let running: ChildProcess | undefined
let stopped = false

/** Signals the tests and what they started in their process group, whether anything of it is left or not. */
const signalAll = (child: ChildProcess, signal: NodeJS.Signals) => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // Nothing of the group is left.
  }
}

const stop = () => {
  if (running !== undefined) {
    const child = running
    signalAll(child, stopped ? "SIGKILL" : "SIGINT")
    // Tests that end take their databases and engines down; they get 20 s for it.
    setTimeout(() => signalAll(child, "SIGKILL"), 20_000).unref()
  }
  stopped = true
}
process.on("SIGINT", stop)
process.on("SIGTERM", stop)

const logs = mkdtempSync(join(tmpdir(), "trunkline-stability-"))

/** Runs a part once. Returns what failed: tests, files, or the part itself if the failure belongs to no file. */
const run = async (part: string, turn: number): Promise<ReadonlyArray<string>> => {
  const name = join(logs, `${part}-${turn}`)
  const [command = "", ...args] = [
    ...commandOf(part),
    ...positionals,
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${name}.json`
  ]
  const log = createWriteStream(`${name}.log`)
  const child = spawn(command, args, { detached: true, stdio: ["ignore", "pipe", "pipe"] })
  running = child
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve))
  signalAll(child, "SIGKILL")
  running = undefined
  log.end()
  if (code === 77) console.log(`${part} was skipped: ${name}.log says why`)
  if (code === 0 || code === 77) return []
  const report = readReport(`${name}.json`)
  const failed = report === undefined ? [] : failuresOf(report).map(shown)
  return failed.length > 0 ? [...new Set(failed)] : [`${part}, outside any file`]
}

const failures = new Map<string, number>()
try {
  for (let turn = 1; turn <= times; turn++) {
    for (const part of parts) {
      if (stopped) continue
      const began = performance.now()
      const failed = await run(part, turn)
      if (stopped) continue
      for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1)
      const seconds = Math.round((performance.now() - began) / 1_000)
      console.log(`${part}, ${turn} of ${times}: ${failed.length} failed, ${seconds} s`)
    }
  }
} finally {
  for (const child of load) child.kill("SIGKILL")
}
const often = [...failures].sort(([, a], [, b]) => b - a)
console.log(["", ...often.map(([name, count]) => `failed ${count} of ${times}: ${name}`)].join("\n"))
console.log(`${stopped ? "Stopped early: " : ""}${failures.size} unstable or failing; logs: ${logs}`)
process.exitCode = stopped ? 130 : failures.size > 0 ? 1 : 0
