// The command as the package has it: one module, which loads the engine only when a command needs it.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundleCommand, type CommandBundle } from "../../scripts/bundles/CommandBundle.ts"

/** It had 369 kB when this was written. What it imports by mistake from the engine is more. */
const max_bytes = 650_000

let bundle: CommandBundle
const folder = realpathSync(mkdtempSync(join(tmpdir(), "trunkline-command-")))
const file = join(folder, "Main.mjs")

beforeAll(async () => {
  bundle = await bundleCommand()
  writeFileSync(file, bundle.code)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints each module that is loaded, but for those of Node itself. */
const counter = `import { registerHooks } from "node:module"
registerHooks({ load: (url, context, next) => {
  if (url.startsWith("file:")) process._rawDebug("loaded " + url)
  return next(url, context)
} })`

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: "utf8", timeout: 60_000, env: {} })

describe("the command of the package", () => {
  it("loads one module to print its help, although nothing is installed beside it", () => {
    const hook = `data:text/javascript,${encodeURIComponent(counter)}`
    const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", hook, file, "--help"], {
      encoding: "utf8",
      timeout: 60_000
    })
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^DESCRIPTION\n/)
    assert.deepStrictEqual(stderr.trim().split("\n"), [`loaded ${pathToFileURL(file).href}`])
  })

  it("is small, and has the licences of what is inside", () => {
    assert.isAtMost(Buffer.byteLength(bundle.code), max_bytes)
    assert.notInclude(bundle.code, process.cwd())
    for (const name of ["effect", "@effect/platform-node", "jsonc-parser"])
      assert.match(bundle.licences, new RegExp(`^${name} \\d\\S* \\(MIT\\)`, "m"))
  })

  it("has parts of the engine outside, and they exist", () => {
    assert.includeMembers([...bundle.loads], ["../app/CheckDatabase.js", "../app/ApiDocuments.js"])
    for (const name of bundle.loads) assert.isTrue(existsSync(join("src/cli", name.replace(/\.js$/, ".ts"))), name)
  })

  it("says what is wrong in its own words", () => {
    const { status, stderr, stdout } = run("cal")
    assert.deepStrictEqual([status, stdout], [2, ""])
    assert.match(stderr, /^✗ Command cal does not exist\. Did you mean call\?\n/)
    assert.strictEqual(run("wallet").status, 5)
  })
})
