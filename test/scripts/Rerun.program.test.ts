// scripts/rerun-failed and `npm run test:stability` on a small project of their own: one test fails always, one the
// first time only, one never; one file cannot be loaded the first time, and one has an error outside its test then.
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const rerun = join(root, "scripts/tests/RerunFailed.ts")
const stability = join(root, "scripts/test-stability.ts")

const tests = `
import { existsSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
const isFirst = (name) => {
  if (existsSync(name)) return false
  writeFileSync(name, "")
  return true
}
describe("a (group) of tests", () => {
  it("fails always, at 100 % [+1.5]", () => assert.fail("always"))
  it("fails the first time? $1", () => assert.isFalse(isFirst("first-test")))
  it("passes", () => {})
})
`
const untouched = `
import { writeFileSync } from "node:fs"
import { it } from "vitest"
it("passes", () => writeFileSync("ran-untouched", "", { flag: "a" }))
`
// The second test needs the first, and fails in the first run; the third fails in the second run alone.
const shared = `
import { existsSync, writeFileSync } from "node:fs"
import { assert, it } from "vitest"
let made = false
it("makes", () => { made = true })
it("needs what was made", () => {
  assert.isTrue(made)
  const isFirst = !existsSync("first-shared")
  writeFileSync("first-shared", "")
  assert.isFalse(isFirst)
})
it("fails the second time", () => {
  const isSecond = existsSync("second-shared")
  writeFileSync("second-shared", "")
  assert.isFalse(isSecond)
})
`
const stray = `
import { existsSync, writeFileSync } from "node:fs"
import { it } from "vitest"
it("passes beside an error", async () => {
  if (existsSync("first-error")) return
  writeFileSync("first-error", "")
  setTimeout(() => { throw new Error("outside") })
  await new Promise((resolve) => setTimeout(resolve, 50))
})
`
const broken = `
import { existsSync, writeFileSync } from "node:fs"
import { it } from "vitest"
if (!existsSync("first-load")) {
  writeFileSync("first-load", "")
  throw new Error("not yet")
}
it("is loaded", () => {})
`

const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" }

const run = (cwd: string, script: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    env: environment,
    encoding: "utf8",
    timeout: 120_000
  })
  return { status, stderr, lines: stdout.trim().split("\n") }
}

/** Runs files of the project, which writes report.json, and returns what is printed. */
const firstRun = (cwd: string, ...files: ReadonlyArray<string>): string => {
  const reporters = ["--reporter=default", "--reporter=json", "--outputFile.json=report.json"]
  const args = ["node_modules/vitest/vitest.mjs", "run", ...files, ...reporters]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd, env: environment, encoding: "utf8" })
  assert.strictEqual(status, 1)
  return stdout + stderr
}

describe("scripts on failed tests", () => {
  let folder = ""

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trunkline-rerun-test-"))
    mkdirSync(join(folder, "test"))
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
    writeFileSync(
      join(folder, "vitest.config.js"),
      `export default { test: { projects: [{ test: { name: "unit", include: ["test/*.test.js"] } }] } }`
    )
    writeFileSync(join(folder, "test/some.test.js"), tests)
    writeFileSync(join(folder, "test/broken.test.js"), broken)
    writeFileSync(join(folder, "test/stray.test.js"), stray)
    writeFileSync(join(folder, "test/shared.test.js"), shared)
    writeFileSync(join(folder, "test/untouched.test.js"), untouched)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it("tells what fails again from what was unstable, and runs no other file", { timeout: 120_000 }, () => {
    firstRun(folder, "some", "broken", "untouched")
    rmSync(join(folder, "ran-untouched"))
    const { lines, status } = run(folder, rerun, "unit", "report.json")
    assert.strictEqual(status, 1)
    assert.strictEqual(lines.at(-1), "2 unstable, 1 failed")
    assert.deepStrictEqual(lines.slice(-4, -1).sort(), [
      "failed: test/some.test.js > a (group) of tests > fails always, at 100 % [+1.5]",
      "unstable: test/broken.test.js",
      "unstable: test/some.test.js > a (group) of tests > fails the first time? $1"
    ])
    assert.isFalse(existsSync(join(folder, "ran-untouched")))
  })

  it("runs a failed test with those that it needs, and tells what else fails then", { timeout: 120_000 }, () => {
    firstRun(folder, "shared")
    const { lines, status } = run(folder, rerun, "unit", "report.json")
    assert.deepStrictEqual(
      [lines.slice(-3), status],
      [
        [
          "unstable, passed before: test/shared.test.js > fails the second time",
          "unstable: test/shared.test.js > needs what was made",
          "1 unstable, 0 failed"
        ],
        0
      ]
    )
  })

  it("runs a file again in which an error was outside any test", { timeout: 120_000 }, () => {
    writeFileSync(join(folder, "run.log"), firstRun(folder, "stray"))
    const { lines, status } = run(folder, rerun, "unit", "report.json", "run.log")
    assert.deepStrictEqual([lines.slice(-2), status], [["unstable: test/stray.test.js", "1 unstable, 0 failed"], 0])
  })

  it("counts a part as failed whose failure belongs to no file", () => {
    const { lines, status } = run(folder, rerun, "unit", "report-that-is-missing.json")
    assert.deepStrictEqual([lines, status], [["failed: unit, outside any file", "0 unstable, 1 failed"], 1])
  })

  it("counts how often each test failed under load", { timeout: 120_000 }, () => {
    const { lines, status } = run(folder, stability, "--times", "2", "--part", "unit", "some", "broken")
    assert.strictEqual(status, 1)
    assert.deepStrictEqual(lines.filter((line) => line.startsWith("failed ")).sort(), [
      "failed 1 of 2: test/broken.test.js",
      "failed 1 of 2: test/some.test.js > a (group) of tests > fails the first time? $1",
      "failed 2 of 2: test/some.test.js > a (group) of tests > fails always, at 100 % [+1.5]"
    ])
    const logs = lines.at(-1)?.split("logs: ")[1] ?? ""
    assert.match(logs, /trunkline-stability-/)
    rmSync(logs, { recursive: true })
  })
})
