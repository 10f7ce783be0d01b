// The verifier of the console: it names the mistake for which a signature does not match.
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { findMistake } from "../../console/src/pages/webhooks/FindMistake.ts"

const secret = "whsec_c2VjcmV0LW9mLWV4YW1wbGU"
const body = '{"id":"01981d5e","event_kind":"call.completed","payload":{"name":"Zoë ☎"}}'
const time = 1_790_856_000
const now = () => time * 1000 + 5_000

const hmac = (key: string | Buffer, message: string) => createHmac("sha256", key).update(message).digest("hex")
const signature = `t=${time},v1=${hmac(secret, `${body}.${time}`)}`
const right = { signature, body, secret, computed: "" }

const whatOf = async (change: Partial<typeof right>) => (await findMistake({ ...right, ...change }, now)).what

describe("the check of a signature", () => {
  it("says that a right one is right, with blanks around what was pasted", async () => {
    assert.deepStrictEqual(await findMistake({ ...right, signature: ` ${signature}\n`, secret: `${secret} ` }, now), {
      good: true,
      what: "The signature is right.",
      advice: ""
    })
    assert.strictEqual(await whatOf({ signature: hmac(secret, body) }), "The signature is right.")
    const both = `t=${time},v1=${"0".repeat(64)},v1=${hmac(secret, `${body}.${time}`)}`
    assert.strictEqual(await whatOf({ signature: both }), "The signature is right.")
  })

  it("finds how the pasted body differs from the signed one", async () => {
    assert.match(await whatOf({ body: JSON.stringify(JSON.parse(body), null, 2) }), /parsed and written again/)
    assert.match(await whatOf({ body: `${body}\n` }), /at its end/)
    assert.match(await whatOf({ body: `\uFEFF${body}` }), /byte order mark/)
  })

  it("names the mistake by which a program came to what it computed", async () => {
    const cases: ReadonlyArray<readonly [computed: string, what: RegExp]> = [
      [hmac(secret, `${time}.${body}`), /the time before the body/],
      [hmac(secret, body), /without the time/],
      [hmac(secret, `${body}${time}`), /leaves out the dot/],
      [hmac(secret, `${JSON.stringify(JSON.parse(body), null, 2)}.${time}`), /parsed and written again/],
      [hmac(secret.slice(6), `${body}.${time}`), /leaves whsec_ out/],
      [hmac(Buffer.from(secret.slice(6), "base64"), `${body}.${time}`), /decodes the secret from base64/],
      [hmac(`${secret}\n`, `${body}.${time}`), /ends in a line break/]
    ]
    for (const [computed, what] of cases) {
      assert.match(await whatOf({ computed: computed.toUpperCase() }), what)
    }
  })

  it("tells a wrong secret, a malformed header and an old request apart", async () => {
    assert.match(await whatOf({ secret: "whsec_other" }), /another body or another secret/)
    assert.match(await whatOf({ secret: "other" }), /begins with whsec_/)
    assert.match(await whatOf({ signature: "v1=abc" }), /is neither/)
    const old = await findMistake(right, () => now() + 600_000)
    assert.deepStrictEqual([old.good, /older than five minutes/.test(old.what)], [true, true])
  })
})
