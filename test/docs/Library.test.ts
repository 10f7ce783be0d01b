import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

it("docs/library.md shows the example that is tested", () => {
  const [, shown] = /```ts\n([^`]*it\.effect[^`]*)```/.exec(readFileSync("docs/library.md", "utf8")) ?? []
  const tested = readFileSync("examples/engine-in-a-test/Greeting.test.ts", "utf8")
  assert.strictEqual(shown, tested)
})
