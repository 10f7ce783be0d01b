import { assert, describe, it } from "@effect/vitest"
import { findingsOf, linesOf, some, type WindowPair } from "../../../bench/compare/Report.ts"
import type { Metric } from "../../../bench/compare/Metrics.ts"

const cpu: Metric = { name: "engine CPU", unit: "µs", judged: true }
const p99: Metric = { name: "p99", unit: "ms", judged: false }

const pairs = (count: number, ratio: (index: number) => number): ReadonlyArray<WindowPair> =>
  Array.from({ length: count }, (_, index) => ({
    before: { "engine CPU": 400, p99: 10 },
    now: { "engine CPU": 400 * ratio(index), p99: 10 * ratio(index) }
  }))

describe("the report of a comparison", () => {
  it("calls a figure that is judged dearer, and judges no times of answers", () => {
    const findings = findingsOf(
      [cpu, p99],
      pairs(6, () => 1.25)
    )
    assert.deepStrictEqual(
      findings.map(({ verdict }) => verdict),
      ["dearer", undefined]
    )
    assert.isTrue(some(findings, "dearer"))
    assert.deepStrictEqual(linesOf(findings, true), [
      "    engine CPU            400       500 µs   x 1.250 [1.25, 1.25]  DEARER",
      "    p99                  10.0      12.5 ms   x 1.250 [1.25, 1.25]"
    ])
  })

  it("says what is undecided where it matters", () => {
    const findings = findingsOf(
      [cpu],
      pairs(8, (index) => (index % 2 === 0 ? 1.3 : 0.95))
    )
    assert.isTrue(some(findings, "undecided"))
    assert.match(linesOf(findings, true)[0] ?? "", /\[0\.95, 1\.30\] {2}undecided$/)
    assert.match(linesOf(findings, false)[0] ?? "", /\[0\.95, 1\.30\]$/)
  })

  it("knows no interval of a few pairs", () => {
    const findings = findingsOf(
      [cpu],
      pairs(5, () => 2)
    )
    assert.isFalse(some(findings, "dearer"))
    assert.match(linesOf(findings, false)[0] ?? "", /x 2\.000 \[fewer than 6 pairs\]$/)
  })

  it("finds nothing dearer in equal checkouts", () => {
    const findings = findingsOf(
      [cpu, p99],
      pairs(8, (index) => 0.97 + index / 100)
    )
    assert.isFalse(some(findings, "dearer"))
    assert.isFalse(some(findings, "undecided"))
  })
})
