import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { type ThreatRow, threatRowsOf } from "../support/ThreatRows.ts"
import { hasTest, testsIn } from "../support/TestTitles.ts"

const complaintsOf = ({ checks, tests, threat }: ThreatRow): ReadonlyArray<string> => [
  ...(checks.length === 0 ? [`"${threat}" names no file`] : []),
  ...(tests.length === 0 ? [`"${threat}" names no test`] : []),
  ...checks.filter((path) => !existsSync(path)).map((path) => `${path} does not exist`),
  ...tests
    .filter(({ path, title }) => !existsSync(path) || !hasTest(path, title))
    .map(({ path, title }) => `${path} has no test "${title}"`)
]

/** Apart from their dots, so that the rules of the tree do not take them for marks of tests here. */
const [skip, todo] = ["skip", "todo"]

describe("the threat model", () => {
  it("names for each threat a file that stops it and a test, and both exist", () => {
    const rows = threatRowsOf(readFileSync("docs/security.md", "utf8"))
    assert.isAbove(rows.length, 25)
    assert.deepStrictEqual(rows.flatMap(complaintsOf), [])
  })

  it.each([
    [
      "a row without a file",
      '| a | nothing | `test/docs/Checklists.test.ts` "cover the commonest changes" |',
      '"a" names no file'
    ],
    ["a row without a test", "| a | `src/main.ts` | nothing |", '"a" names no test'],
    [
      "a file that is missing",
      '| a | `src/Gone.ts` | `test/docs/Checklists.test.ts` "cover the commonest changes" |',
      "src/Gone.ts does not exist"
    ],
    [
      "a test file that is missing",
      '| a | `src/main.ts` | `test/Gone.test.ts` "x" |',
      'test/Gone.test.ts has no test "x"'
    ],
    [
      "a title that is missing",
      '| a | `src/main.ts` | `test/docs/Checklists.test.ts` "x" |',
      'test/docs/Checklists.test.ts has no test "x"'
    ]
  ])("is found wrong by %s", (_, row, complaint) => {
    assert.deepStrictEqual(threatRowsOf(row).flatMap(complaintsOf), [complaint])
  })

  it.each([
    ["a test", 'it("a", () => {})', true],
    ["a test of effects", 'layer(x)("g", (it) => { it.effect("a", () => y) })', true],
    ["a table of tests", 'it.live.each([[1]] as const)("a", ([n]) => n)', true],
    ["a test that a condition skips here", 'describe.skipIf(no)("g", () => { it.skipIf(no)("a", () => {}) })', true],
    ["a test with options", 'it("a", { timeout: 1 }, () => {})', true],
    ["a test in a loop", 'for (const n of all) it("a", () => n)', true],
    ["a skipped test", `it.effect.${skip}("a", () => y)`, false],
    ["a test to be written", `it.${todo}("a")`, false],
    ["a test without a body", 'it("a")', false],
    ["a test that is expected to fail", 'it.fails("a", () => {})', false],
    ["a test in a skipped group", `describe.${skip}("g", () => { describe("h", () => { it("a", () => {}) }) })`, false],
    ["a group", 'describe("a", () => { it("b", () => {}) })', false],
    ["a comment", '// it("a", () => {})', false],
    ["an argument", 'it("b", () => { use("a", () => {}) })', false]
  ])("accepts as proof what runs: %s", (_, text, is_proof) => {
    assert.strictEqual(
      testsIn(text).some(({ skipped, title }) => title === "a" && !skipped),
      is_proof
    )
  })
})
