import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

interface Row {
  readonly threat: string
  /** The files that stop it. */
  readonly checks: ReadonlyArray<string>
  readonly tests: ReadonlyArray<{ readonly path: string; readonly title: string }>
}

/** The rows of the tables with three columns: what is tried, which file stops it, which test proves that. */
const rowsOf = (text: string): ReadonlyArray<Row> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What"))
    .map((line) => {
      const [, threat = "", stops = "", proof = ""] = line.split("|")
      return {
        threat: threat.trim(),
        checks: [...stops.matchAll(/`((?:src|scripts)\/[^`]+)`/g)].map(([, path = ""]) => path),
        tests: [...proof.matchAll(/`(test\/[^`]+)` "([^"]+)"/g)].map(([, path = "", title = ""]) => ({ path, title }))
      }
    })

/** A title is a string in quotes, followed by the body of its test. */
const hasTest = (path: string, title: string): boolean =>
  existsSync(path) && readFileSync(path, "utf8").includes(`"${title}",`)

const complaintsOf = ({ checks, tests, threat }: Row): ReadonlyArray<string> => [
  ...(checks.length === 0 ? [`"${threat}" names no file`] : []),
  ...(tests.length === 0 ? [`"${threat}" names no test`] : []),
  ...checks.filter((path) => !existsSync(path)).map((path) => `${path} does not exist`),
  ...tests.filter(({ path, title }) => !hasTest(path, title)).map(({ path, title }) => `${path} has no test "${title}"`)
]

describe("the threat model", () => {
  it("names for each threat a file that stops it and a test, and both exist", () => {
    const rows = rowsOf(readFileSync("docs/security.md", "utf8"))
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
    assert.deepStrictEqual(rowsOf(row).flatMap(complaintsOf), [complaint])
  })
})
