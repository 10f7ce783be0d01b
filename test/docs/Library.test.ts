import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

it("the page on the library shows the example that is tested", () => {
  const [, shown] = /```ts\n([^`]*it\.effect[^`]*)```/.exec(readFileSync("docs/library.md", "utf8")) ?? []
  const tested = readFileSync("test/docs/LibraryExample.test.ts", "utf8")
  assert.strictEqual(
    shown,
    tested.replace("../../src/index.ts", "trunkline").replace("../../src/testing.ts", "trunkline/testing")
  )
})
