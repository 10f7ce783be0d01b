import { assert, describe, it } from "@effect/vitest"
import { namesTag, takesGzip } from "../../../src/http/pages/FixedPage.ts"

describe("takesGzip", () => {
  for (const [header, expected] of [
    [undefined, false],
    ["", false],
    ["gzip", true],
    ["GZIP", true],
    ["deflate, gzip;q=0.5, br", true],
    ["gzip;q=0", false],
    ["gzip ; q=0.0, *", false],
    ["*", true],
    ["*;q=0", false],
    ["identity", false],
    ["br", false],
    ["gzip;q=x", false]
  ] as const)
    it(`${header}: ${expected}`, () => assert.strictEqual(takesGzip(header), expected))
})

describe("namesTag", () => {
  for (const [header, expected] of [
    [undefined, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"x", "b"', true],
    ["*", true],
    ['"x"', false],
    ["a", false]
  ] as const)
    it(`${header}: ${expected}`, () => assert.strictEqual(namesTag(header, ['"a"', '"b"']), expected))
})
