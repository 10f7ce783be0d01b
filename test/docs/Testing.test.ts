import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

it("docs/testing.md shows the code that is tested", () => {
  const page = readFileSync("docs/testing.md", "utf8")
  const tested = readFileSync("examples/test-your-application/Reminders.test.ts", "utf8")
  const blocks = [...page.matchAll(/```ts\n([^`]*(?:`[^`]+)*?)```/g)].map(([, block = ""]) => block)
  assert.strictEqual(blocks.length, 11)
  for (const block of blocks) assert.include(tested, block)
})
