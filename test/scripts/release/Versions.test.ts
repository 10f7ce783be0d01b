import { assert, describe, it } from "@effect/vitest"
import { type Change, newest, nextVersion, partsOf, refusal } from "../../../scripts/release/Versions.ts"

describe("the next version", () => {
  it.each([
    ["0.1.0", "none", "0.1.1"],
    ["0.1.0", "addition", "0.1.1"],
    ["0.1.0", "breaking", "0.2.0"],
    ["0.9.3", "breaking", "0.10.0"],
    ["1.4.2", "none", "1.4.3"],
    ["1.4.2", "addition", "1.5.0"],
    ["1.4.2", "breaking", "2.0.0"]
  ] as const)("after %s with the change '%s' is %s", (released, change, next) => {
    assert.strictEqual(nextVersion(released, change), next)
  })
})

describe("a version", () => {
  it.each([
    ["0.1.0", [], "breaking", undefined],
    ["0.1.1", ["0.1.0"], "none", undefined],
    ["0.2.0", ["0.1.0"], "none", undefined],
    ["1.0.0", ["0.9.0", "0.10.0"], "breaking", undefined],
    ["0.1.0", ["0.1.0"], "none", /^0\.1\.0 has been released$/],
    ["0.1.0", ["0.2.0", "0.1.0"], "none", /has been released/],
    ["0.0.9", ["0.1.0"], "none", /^0\.0\.9 is older than 0\.1\.0/],
    ["0.9.0", ["0.10.0"], "none", /^0\.9\.0 is older than 0\.10\.0/],
    ["0.1.1", ["0.1.0"], "breaking", /^0\.1\.1 is too small: .* breaks clients of 0\.1\.0, which takes 0\.2\.0$/],
    ["1.1.0", ["1.0.0"], "breaking", /which takes 2\.0\.0$/],
    ["1.0.1", ["1.0.0"], "addition", /^1\.0\.1 is too small: .* new parts since 1\.0\.0, which takes 1\.1\.0$/],
    ["v1.0.0", [], "none", /is no version/],
    ["1.0", [], "none", /is no version/],
    ["1.0.0-rc.1", [], "none", /is no version/],
    ["01.0.0", [], "none", /is no version/]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<string>, Change, RegExp | undefined]>)(
    "%s after %j with the change '%s' is refused for %s",
    (version, released, change, expected) => {
      const reason = refusal({ version, released, change })
      if (expected === undefined) assert.isUndefined(reason)
      else assert.match(reason ?? "", expected)
    }
  )

  it("is ordered by its numbers", () => {
    assert.strictEqual(newest(["0.9.0", "0.10.0", "0.2.11"]), "0.10.0")
    assert.isUndefined(newest([]))
    assert.deepStrictEqual(partsOf("10.20.30"), [10, 20, 30])
  })
})
