import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

it("docs/library.md shows the example that is tested", () => {
  const [, shown] = /```ts\n([^`]*it\.effect[^`]*)```/.exec(readFileSync("docs/library.md", "utf8")) ?? []
  const tested = readFileSync("examples/engine-in-a-test/Greeting.test.ts", "utf8")
  assert.strictEqual(shown, tested)
})

it("docs/library.md installs Effect in the versions of the engine", () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const page = readFileSync("docs/library.md", "utf8")
  for (const name of ["effect", "@effect/platform-node"]) assert.include(page, ` ${name}@${dependencies[name]}`)
})
