// The file that the command runs first: which Node it accepts.
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly engines: { readonly node: string } }
const [major = 0, minor = 0] = engines.node.replace(">=", "").split(".").map(Number)

/** Runs the command in a Node that says it is of the given version. */
const runIn = (node: string) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } })`
  const args = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, "src/cli/Entry.ts", "--version"]
  return spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 })
}

describe("the command", () => {
  it("refuses a Node that package.json excludes, in one sentence and before it loads anything", () => {
    for (const node of ["20.20.2", `${major}.${minor - 1}.7`]) {
      const { status, stderr, stdout } = runIn(node)
      assert.deepStrictEqual(
        [status, stdout, stderr],
        [2, "", `✗ trunkline needs Node ${major}.${minor} or newer; this is Node ${node}.\n`]
      )
    }
  })

  it("runs in the oldest Node that package.json allows, and in newer ones", () => {
    for (const node of [`${major}.${minor}.0`, `${major + 1}.0.0`]) assert.strictEqual(runIn(node).status, 0, node)
  })
})
