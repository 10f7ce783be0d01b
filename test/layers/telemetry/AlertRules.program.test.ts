// The alert rules as Prometheus' own promtool judges them, and the runbook of each alert.
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { alertRules } from "../../support/Promql.ts"

const root = join(import.meta.dirname, "../../..")
const text = (path: string) => readFileSync(join(root, path), "utf8")
const rules = text("deploy/prometheus/alerts.yml")

/** Where scripts/e2e/promtool puts it, or where the system has it. */
const promtool = [join(root, ".cache/prometheus/usr/bin/promtool"), "promtool"].find((path) =>
  path.startsWith("/") ? existsSync(path) : spawnSync(path, ["--version"]).status === 0
)

/** What stands under the heading of a runbook. */
const runbookOf = (alert: string): string =>
  new RegExp(`^### ${alert}\n\n([^\n]+)\n`, "m").exec(text("docs/operations.md"))?.[1] ?? ""

describe("the alert rules", () => {
  it("pass the tests of promtool", () => {
    if (promtool === undefined) {
      process.stderr.write("NOT TESTED: there is no promtool here. Get it by scripts/e2e/promtool.\n")
      return
    }
    const run = (...args: ReadonlyArray<string>) =>
      execFileSync(promtool, args, { cwd: join(root, "deploy/prometheus"), encoding: "utf8" })
    assert.include(run("check", "rules", "alerts.yml"), `${alertRules.size} rules found`)
    assert.include(run("test", "rules", "alerts.test.yml"), "SUCCESS")
  })

  it("have a test in which each alert fires", () => {
    const tests = text("deploy/prometheus/alerts.test.yml")
    for (const alert of alertRules.keys()) assert.include(tests, `'{alertname="${alert}"}'`, alert)
  })

  it("name a runbook that says what to do, and whether somebody is woken", () => {
    const severities = [...rules.matchAll(/- alert: (\w+)[^]*?severity: (\w+)/g)]
    assert.lengthOf(severities, alertRules.size)
    for (const [, alert = "", severity = ""] of severities) {
      assert.include(rules, `runbook: "docs/operations.md#${alert.toLowerCase()}"`)
      const runbook = runbookOf(alert)
      assert.isTrue(runbook.startsWith(`\`${severity}\`. `), `${alert}: ${runbook}`)
      assert.isAbove(runbook.split(". ").length, 2, alert)
    }
  })
})
