// What README.md says of Node: which installs, which runs the scripts, and which a program with the library needs.
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { delimiter, join } from "node:path"

const readme = readFileSync("README.md", "utf8")
const { devDependencies, engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly devDependencies: { readonly node: string }
  readonly engines: { readonly node: string }
}
const library = engines.node.replace(/^>=(\d+\.\d+)\.0$/, "$1")
const installed = devDependencies.node

/** The search path of a terminal: without the folders that npm puts before it, in which the installed Node is. */
const path = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join("node_modules", ".bin")))
  .join(delimiter)

const printed = (command: string, args: ReadonlyArray<string>): string => {
  const env = { PATH: path, HOME: process.env["HOME"] }
  const { status, stderr, stdout } = spawnSync(command, args, { env, encoding: "utf8", timeout: 60_000 })
  assert.strictEqual(status, 0, stderr)
  return stdout.trim()
}

describe("README.md", () => {
  it("says once each which Node installs, runs the scripts and runs the library, as package.json does", () => {
    assert.match(library, /^\d+\.\d+$/)
    const said = [...readme.matchAll(/\bNode\s+(\d[\d.]*\d)/g)].map(([, version]) => version)
    assert.deepStrictEqual(said, ["20", installed.split(".")[0], library])
    assert.include(readFileSync("docs/library.md", "utf8"), `Node ${library} or newer`)
  })

  it("is right that npm runs scripts, that of an install among them, on the installed Node, whatever Node the terminal has", () => {
    assert.strictEqual(printed("npm", ["exec", "--call", "node --version"]), `v${installed}`)
    assert.strictEqual(printed("npx", ["node", "--version"]), `v${installed}`)
  })

  it("shows the commands that start and test the engine in full, each alone on a line", () => {
    const lines = readme.split("\n")
    assert.include(lines, "npm ci && npm start")
    assert.include(lines, "npm ci && npm test")
  })
})
