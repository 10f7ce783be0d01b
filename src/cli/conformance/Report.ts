// How the results of a run are told: to people, and to a build server.
import type { Result } from "./Run.ts"

const count = (results: ReadonlyArray<Result>, status: Result["status"]): number =>
  results.filter((result) => result.status === status).length

const counted = (number: number, word: string): string => (number === 0 ? "" : `, ${number} ${word}`)

/** One line for each area, the broken promises with what was seen, and why others were skipped. */
export const linesOf = (results: ReadonlyArray<Result>, took_ms: number): ReadonlyArray<string> => {
  const areas = [...Map.groupBy(results, ({ area }) => area)]
  const width = Math.max(...areas.map(([area]) => area.length))
  const ofAreas = areas.map(([area, of]) => {
    const [broken, skipped] = [count(of, "broken"), count(of, "skipped")]
    const mark = broken > 0 ? "✗" : skipped === of.length ? "–" : "✓"
    const kept = `${count(of, "kept")} of ${of.length} kept`
    return `${mark} ${area.padEnd(width)}  ${kept}${counted(broken, "broken")}${counted(skipped, "skipped")}`
  })
  const broken = results
    .filter(({ status }) => status === "broken")
    .flatMap(({ id, seen, sentence }) => [`✗ ${id}  ${sentence}`, `  ${seen}`])
  const reasons = [
    ...Map.groupBy(
      results.filter(({ status }) => status === "skipped"),
      ({ seen }) => seen
    )
  ]
  const skipped = reasons.map(([reason, of]) => `– ${of.length} skipped: ${reason}`)
  const sum = `${count(results, "kept")} of ${results.length} promises kept${counted(count(results, "broken"), "broken")}${counted(count(results, "skipped"), "skipped")} in ${Math.round(took_ms / 1000)} s`
  return [...ofAreas, ...broken, ...skipped, sum]
}

const xml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, "?")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

const caseOf = ({ area, id, seen, sentence, status }: Result): string => {
  const begin = `    <testcase classname="${xml(area)}" name="${xml(`${id} ${sentence}`)}"`
  if (status === "kept") return `${begin}/>`
  const tag = status === "broken" ? "failure" : "skipped"
  return `${begin}><${tag} message="${xml(seen ?? "")}"/></testcase>`
}

/** JUnit XML, which build servers read. Each area is a suite. */
export const junitOf = (results: ReadonlyArray<Result>): string => {
  const suites = [...Map.groupBy(results, ({ area }) => area)].flatMap(([area, of]) => [
    `  <testsuite name="${xml(area)}" tests="${of.length}" failures="${count(of, "broken")}" skipped="${count(of, "skipped")}">`,
    ...of.map(caseOf),
    "  </testsuite>"
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="conformance">',
    ...suites,
    "</testsuites>",
    ""
  ].join("\n")
}
