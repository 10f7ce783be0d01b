import { assert, describe, it } from "@effect/vitest"
import { advisoriesOf, refusedLicences, secretsIn } from "../../scripts/security/Scan.ts"

/** Built from parts, so that this file holds no secret itself. */
const planted: ReadonlyArray<readonly [string, string]> = [
  ["a private key", `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${"A".repeat(64)}`],
  ["an AWS access key", `key = AKIA${"B2".repeat(8)}`],
  ["a GitHub token", `ghp_${"c".repeat(36)}`],
  ["a Slack token", `xoxb-${"1".repeat(12)}`],
  ["a Google API key", `AIza${"d".repeat(35)}`],
  ["a Stripe live key", `sk_live_${"e".repeat(24)}`],
  ["an npm token", `npm_${"f".repeat(36)}`],
  ["a signed token", `eyJ${"g".repeat(20)}.eyJ${"h".repeat(20)}.${"i".repeat(43)}`],
  ["a webhook secret", `whsec_${"j".repeat(43)}=`]
]

describe("the search for secrets", () => {
  it.each(planted)("finds %s and does not repeat it", (name, secret) => {
    const found = secretsIn({ path: "src/a.ts", text: `first line\nconst x = "${secret}"\n` })
    assert.deepStrictEqual(found, [`src/a.ts:2 holds ${name}`])
  })

  it("ignores the published test vectors and ordinary text", () => {
    const secret = `whsec_${"j".repeat(43)}=`
    assert.deepStrictEqual(secretsIn({ path: "test/vectors/webhooks.json", text: secret }), [])
    assert.deepStrictEqual(
      secretsIn({ path: "docs/a.md", text: "Its secret begins with whsec_, its key with eyJ." }),
      []
    )
  })
})

describe("the licences of shipped packages", () => {
  it("are refused unless they are on the list", () => {
    const packages = {
      "": {},
      "node_modules/a": { license: "MIT" },
      "node_modules/b": { license: "GPL-3.0" },
      "node_modules/a/node_modules/c": {},
      "node_modules/d": { license: "GPL-3.0", dev: true }
    }
    assert.deepStrictEqual(refusedLicences({ packages }), [
      "b has no allowed licence: GPL-3.0",
      "c has no allowed licence: none"
    ])
  })
})

describe("the report of npm audit", () => {
  it("fails the check for high and critical advisories only", () => {
    const vulnerabilities = { a: { severity: "high" }, b: { severity: "moderate" }, c: { severity: "critical" } }
    assert.deepStrictEqual(advisoriesOf(JSON.stringify({ vulnerabilities })), {
      _tag: "Known",
      serious: ["a has an advisory of severity high", "c has an advisory of severity critical"]
    })
  })

  it("is missing where the registry gives none, without its address", () => {
    const report = JSON.stringify({ message: "405 Method Not Allowed - POST https://registry.test/audit" })
    assert.deepStrictEqual(advisoriesOf(report), {
      _tag: "Unknown",
      reason: "405 Method Not Allowed - POST the registry"
    })
    assert.strictEqual(advisoriesOf("")._tag, "Unknown")
  })
})
