import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import {
  type VerificationCheck,
  verifyWebhook,
  webhookHandler,
  WebhookVerificationError
} from "../../src/client/Webhooks.ts"

interface Vector {
  readonly name: string
  readonly secret: string
  readonly previous_secret: string
  readonly timestamp: number
  readonly body: string
  readonly signature: string
  readonly signature_during_rotation: string
  readonly signature_body_hex: string
}

const vectors = JSON.parse(readFileSync("test/vectors/webhooks.json", "utf8")) as ReadonlyArray<Vector>
const [vector] = vectors as [Vector]
const at = (timestamp: number) => ({ now: () => timestamp * 1000 })
const signed = ({ body, signature }: Pick<Vector, "body" | "signature">) => ({
  headers: { "X-Service-Signature": signature },
  body
})

const checkOf = async (verifying: Promise<unknown>): Promise<VerificationCheck> => {
  try {
    await verifying
  } catch (error) {
    assert.instanceOf(error, WebhookVerificationError)
    assert.match(error.message, /\.$/)
    return error.check
  }
  return assert.fail("It verified")
}

/** What a body is made of that is JSON; the vectors also have bodies that are not. */
const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("a webhook", () => {
  for (const each of vectors) {
    it(`verifies with its secret, before and after a rotation, in both formats: ${each.name}`, async () => {
      const { body, previous_secret, secret, signature_body_hex, signature_during_rotation, timestamp } = each
      const verify = async (verifying: Promise<unknown>) =>
        isJson(body)
          ? assert.deepStrictEqual(await verifying, JSON.parse(body))
          : assert.strictEqual(await checkOf(verifying), "not_json")
      await verify(verifyWebhook(signed(each), secret, at(timestamp)))
      const rotating = signed({ body, signature: signature_during_rotation })
      await verify(verifyWebhook(rotating, secret, at(timestamp)))
      await verify(verifyWebhook(rotating, previous_secret, at(timestamp)))
      await verify(verifyWebhook(signed(each), [previous_secret, secret], at(timestamp)))
      await verify(verifyWebhook(signed({ body, signature: signature_body_hex }), secret, { format: "body_hex" }))
    })
  }

  it("is refused with the reason, whatever is wrong with it", async () => {
    const { body, secret, signature, signature_body_hex, timestamp } = vector
    const now = at(timestamp)
    const other = "whsec_b3RoZXI="
    const used = new Request("http://a.test", { method: "POST", body, headers: { "x-service-signature": signature } })
    await used.text()
    const cases: ReadonlyArray<readonly [VerificationCheck, () => Promise<unknown>]> = [
      ["secret_malformed", () => verifyWebhook(signed(vector), "eyJhbGciOi", now)],
      ["secret_malformed", () => verifyWebhook(signed(vector), ` ${secret}`, now)],
      ["secret_malformed", () => verifyWebhook(signed(vector), [], now)],
      ["header_missing", () => verifyWebhook({ headers: {}, body }, secret, now)],
      ["header_malformed", () => verifyWebhook(signed({ body, signature: "t=1" }), secret, now)],
      ["header_malformed", () => verifyWebhook(signed({ body, signature: `${signature},t=2` }), secret, now)],
      ["format_refused", () => verifyWebhook(signed({ body, signature: signature_body_hex }), secret, now)],
      ["format_refused", () => verifyWebhook(signed(vector), secret, { ...now, format: "body_hex" })],
      ["body_parsed", () => verifyWebhook({ ...signed(vector), body: JSON.parse(body) }, secret, now)],
      ["body_used", () => verifyWebhook(used, secret, now)],
      ["signature_mismatch", () => verifyWebhook(signed(vector), other, now)],
      ["signature_mismatch", () => verifyWebhook(signed({ body: `${body} `, signature }), secret, now)],
      [
        "signature_mismatch",
        () => verifyWebhook(signed({ body, signature: signature.replace(/t=\d+/, `t=${timestamp + 1}`) }), secret, now)
      ],
      ["too_old", () => verifyWebhook(signed(vector), secret, at(timestamp + 301))],
      ["too_new", () => verifyWebhook(signed(vector), secret, at(timestamp - 301))]
    ]
    for (const [check, verify] of cases) assert.strictEqual(await checkOf(verify()), check)
    for (const seconds of [-300, 300]) await verifyWebhook(signed(vector), secret, at(timestamp + seconds))
    await verifyWebhook(signed(vector), secret, { ...at(timestamp + 900), tolerance: 1_000 })
  })

  it("is read from any headers, and leaves the body of a request to be read", async () => {
    const { body, secret, signature, timestamp } = vector
    const request = new Request("http://a.test", {
      method: "POST",
      body,
      headers: { "X-Service-Signature": signature }
    })
    assert.deepStrictEqual(await verifyWebhook(request, secret, at(timestamp)), JSON.parse(body))
    assert.strictEqual(await request.text(), body)
    const bytes = new TextEncoder().encode(body)
    await verifyWebhook({ headers: { "x-service-signature": [signature] }, body: bytes }, secret, at(timestamp))
    await verifyWebhook(
      { headers: new Headers({ "x-service-signature": signature }), body: Buffer.from(body) },
      secret,
      at(timestamp)
    )
  })
})

describe("a handler of webhooks", () => {
  const secret = "whsec_c2VjcmV0"
  const post = (event: object, delivery = "d-1", sign = secret) => {
    const body = JSON.stringify(event)
    const t = Math.floor(Date.now() / 1000)
    const v1 = createHmac("sha256", sign).update(`${body}.${t}`).digest("hex")
    const headers = { "x-service-signature": `t=${t},v1=${v1}`, "x-service-idempotency-key": delivery }
    return new Request("http://a.test/hooks", { method: "POST", body, headers })
  }

  it("does what is asked for the kind, once for each delivery, and answers with the failed check", async () => {
    const billed: Array<number | null> = []
    const known = new Set<string>()
    const handle = webhookHandler({
      secrets: secret,
      on: {
        "call.completed": ({ cost_minor }, event) => {
          billed.push(cost_minor)
          known.add("d-1")
          assert.strictEqual(event.event_kind, "call.completed")
        }
      },
      seen: (delivery) => known.has(delivery)
    })
    const completed = { id: "e", event_kind: "call.completed", payload: { cost_minor: 300 } }
    assert.strictEqual((await handle(post(completed))).status, 204)
    assert.strictEqual((await handle(post(completed))).status, 204)
    assert.strictEqual((await handle(post({ id: "f", event_kind: "call.new", payload: {} }, "d-2"))).status, 204)
    assert.deepStrictEqual(billed, [300])
    const forged = await handle(post(completed, "d-3", "whsec_other"))
    assert.deepStrictEqual([forged.status, await forged.text()], [400, "signature_mismatch"])
  })
})
