import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { bundleWeb } from "../../scripts/bundles/WebBundle.ts"
import { version } from "../../src/web/Version.ts"

const max_bytes = 65_000

describe("the bundle of the browser client", () => {
  it("is one ES module of at most 65 kB compressed, with the licences of what is inside", async () => {
    const { code, licences } = await bundleWeb()
    assert.isAtMost(gzipSync(code, { level: 9 }).length, max_bytes)
    assert.notMatch(code, /^import\b|\bimport\s*["'{*]|\brequire\("/m)
    assert.match(code, /export\s*\{[^}]*\bas Client\b/)
    assert.match(code, /INVITE/)
    assert.notMatch(code, /effect\/|node:/)
    assert.include(licences, "jssip 3.13.8 (MIT)")
    for (const name of ["debug", "events", "sdp-transform"]) assert.match(licences, new RegExp(`^${name} \\d`, "m"))
    assert.notInclude(code, import.meta.dirname)
  })

  it("has the version of the package", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }
    assert.strictEqual(version, manifest.version)
  })
})
