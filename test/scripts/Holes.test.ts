import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type Hole, holes } from "../../scripts/holes/Holes.ts"
import { hasTest } from "../support/TestTitles.ts"
import { threatRowsOf } from "../support/ThreatRows.ts"

const rows = threatRowsOf(readFileSync("docs/security.md", "utf8"))

const complaintsOf = ({ file, guard, test, threat, title, without }: Hole): ReadonlyArray<string> => {
  const row = rows.find((row) => row.threat === threat)
  const times = readFileSync(file, "utf8").split(guard).length - 1
  return [
    ...(row === undefined ? ["docs/security.md has no such row"] : []),
    ...(row?.tests.some((proof) => proof.path === test && proof.title === title) === false ? ["no proof of it"] : []),
    ...(times === 1 ? [] : [`the guard is ${times} times in ${file}`]),
    ...(guard === without ? ["nothing is taken away"] : []),
    ...(hasTest(test, title) ? [] : ["no such test"])
  ].map((complaint) => `${threat}: ${complaint}`)
}

// `npm run test:holes` plants them. This test holds the table to the tree in the meantime.
describe("the planted holes", () => {
  it("each remove what a row of the threat model names, and fail a proof of that row", () => {
    assert.isAtLeast(holes.length, 20)
    assert.deepStrictEqual(holes.flatMap(complaintsOf), [])
  })
})
