import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Fault, faultsIn } from "../../scripts/campaign/FaultPage.ts"
import { hasPassed, outcomesOf, table } from "../../scripts/campaign/FaultReport.ts"

const faults = faultsIn(readFileSync("docs/operations.md", "utf8"))
const named = (row: (fault: Fault) => ReadonlyArray<string>) => [...new Set(faults.flatMap(row))]

describe("the page of faults", () => {
  it("names for each fault a test that exists, and benchmarks that exist", () => {
    assert.isAbove(faults.length, 10)
    assert.deepStrictEqual(
      faults.filter(({ tests }) => tests.length === 0),
      []
    )
    assert.deepStrictEqual(
      named(({ tests }) => tests).filter((file) => !existsSync(file)),
      []
    )
    const parts = readFileSync("bench/run.ts", "utf8")
    assert.deepStrictEqual(
      named(({ benchmarks }) => benchmarks).filter((name) => !parts.includes(`    ${name}: onFreshDatabase(`)),
      []
    )
  })

  it("names alerts that exist", () => {
    const rules = readFileSync("deploy/prometheus/alerts.yml", "utf8")
    assert.isAbove(named(({ alerts }) => alerts).length, 3)
    assert.deepStrictEqual(
      named(({ alerts }) => alerts).filter((name) => !rules.includes(`- alert: ${name}\n`)),
      []
    )
  })
})

const stop: Fault = { name: "the engine stops", alerts: [], tests: ["test/Stop.program.test.ts"], benchmarks: [] }
const flood: Fault = { name: "a flood", alerts: [], tests: ["test/Flood.test.ts"], benchmarks: ["overload"] }

const reportOf = (file: string, ...statuses: ReadonlyArray<string>) => ({
  testResults: [
    {
      name: join(process.cwd(), file),
      status: statuses.includes("failed") ? "failed" : "passed",
      assertionResults: statuses.map((status) => ({
        ancestorTitles: [],
        title: "a test",
        status,
        duration: 1_500,
        meta: { figures: [{ name: "broken connections", value: 0, unit: "", goal: { most: 0 } }] }
      }))
    }
  ]
})

describe("a campaign of faults", () => {
  it("tells what was measured and how to repeat it", () => {
    const outcomes = outcomesOf(reportOf("test/Stop.program.test.ts", "passed", "passed"))
    assert.include(
      table([stop], outcomes),
      "| the engine stops | yes | 2 passed in 3.0 s; broken connections: 0 (at most 0: reached); "
    )
    assert.include(table([stop], outcomes), "| `npx vitest run --project program test/Stop.program.test.ts` |")
  })

  it.each([
    { what: "a test failed", outcomes: outcomesOf(reportOf("test/Flood.test.ts", "passed", "failed")) },
    { what: "no test ran", outcomes: outcomesOf(reportOf("test/Flood.test.ts", "skipped")) },
    { what: "its file is not in the report", outcomes: outcomesOf(reportOf("test/Stop.program.test.ts", "passed")) },
    {
      what: "a benchmark missed a goal",
      outcomes: new Map([
        ...outcomesOf(reportOf("test/Flood.test.ts", "passed")),
        ["overload", { passed: 3, failed: 1, seconds: 1, figures: [] }] as const
      ])
    }
  ])("fails a fault if $what", ({ outcomes }) => {
    assert.isFalse(hasPassed(flood, outcomes))
    assert.include(table([flood], outcomes), "| a flood | NO |")
  })

  it("passes a fault whose benchmark was not run", () => {
    assert.isTrue(hasPassed(flood, outcomesOf(reportOf("test/Flood.test.ts", "passed"))))
  })
})
