// What vitest's JSON report says of failures.
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import type { BenchRow } from "../../bench/Row.ts"

/** A test that failed, or a whole file: one that could not be loaded, or whose failure belongs to none of its tests. */
export interface Failed {
  readonly file: string
  /** "SUITE > TEST", as `vitest --testNamePattern` reads it. `undefined`: the whole file. */
  readonly title: string | undefined
}

interface Test {
  readonly ancestorTitles: ReadonlyArray<string>
  readonly title: string
  readonly status: string
  /** Milliseconds. */
  readonly duration?: number
  readonly meta?: { readonly figures?: ReadonlyArray<BenchRow> }
}

export interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<Test>
  }>
}

const titleOf = ({ ancestorTitles, title }: Test): string => [...ancestorTitles, title].join(" > ")

/** How people read it: "FILE > SUITE > TEST", or the file. */
export const shown = ({ file, title }: Failed): string => (title === undefined ? file : `${file} > ${title}`)

/** The report in the file, or `undefined` if vitest died before it wrote one. */
export const readReport = (path: string): Report | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report
  } catch {
    return undefined
  }
}

/** What failed, by the files of the report. */
export const failuresOf = ({ testResults }: Report): ReadonlyArray<Failed> =>
  testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ assertionResults, name }): ReadonlyArray<Failed> => {
      const file = relative(process.cwd(), name)
      const tests = assertionResults.filter(({ status }) => status === "failed")
      return tests.length === 0 ? [{ file, title: undefined }] : tests.map((test) => ({ file, title: titleOf(test) }))
    })

/** Whether tests with this title ran, and all of them passed. */
export const passed = ({ testResults }: Report, title: string): boolean => {
  const tests = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((test) => titleOf(test) === title)
  )
  return tests.length > 0 && tests.every(({ status }) => status === "passed")
}

/** The command that runs a part of the tests. */
export const commandOf = (part: string): ReadonlyArray<string> =>
  part === "e2e" ? ["scripts/e2e/run"] : ["npx", "vitest", "run", "--project", part]
