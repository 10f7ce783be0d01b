import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { cutChangelog, toldAsBreaking, unreleased } from "../../../scripts/release/Changelog.ts"

const text = `# Changelog

## Unreleased

### Added

- New.

### Breaking

- \`GET /v1/calls\` and \`POST /v1/calls/originate\` have changed.

### Fixed

- \`GET /v1/numbers\` answers.

## 0.1.0 - 2026-11-28

- \`GET /v1/old\`
`

describe("the changelog of a release", () => {
  it("gets the version and the day, below an empty section for what comes next", () => {
    const cut = cutChangelog(text, "0.2.0", "2026-12-24")
    assert.include(cut, "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-24\n\n### Added\n\n- New.\n")
    assert.strictEqual(cut.replace("## 0.2.0 - 2026-12-24\n\n", ""), text)
    assert.strictEqual(unreleased(cut), "")
  })

  it.each([
    ["without the section", "# Changelog\n\n## 0.1.0 - 2026-11-28\n", /no section "Unreleased"/],
    ["with nothing in it", "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-28\n\n- Old.\n", /says nothing/],
    ["with nothing after it", "# Changelog\n\n## Unreleased\n", /says nothing/],
    ["with the version", text.replace("0.1.0", "0.2.0"), /has 0\.2\.0 already/]
  ])("is not cut %s", (_, changelog, reason) => {
    assert.throws(() => cutChangelog(changelog, "0.2.0", "2026-12-24"), reason)
  })

  it("names what breaks in a section of its own", () => {
    assert.deepStrictEqual([...toldAsBreaking(text)], ["GET /v1/calls", "POST /v1/calls/originate"])
    assert.deepStrictEqual([...toldAsBreaking("# Changelog\n\n## Unreleased\n\n- `GET /v1/calls`\n")], [])
  })

  it("can be cut as it is now", () => {
    assert.isDefined(unreleased(readFileSync("CHANGELOG.md", "utf8")))
  })
})
