import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { readFileSync } from "node:fs"
import { parseSignatureHeader } from "../../../src/domain/signing/SignatureHeader.ts"
import { signature, standardHeaders } from "../../../src/layers/http-client/Signatures.ts"
import { type SignedBody, verifySignature } from "../../../src/layers/http-client/VerifySignature.ts"

interface Vector {
  readonly name: string
  readonly secret: string
  readonly previous_secret: string
  readonly delivery_id: string
  readonly timestamp: number
  readonly body: string
  readonly signature: string
  readonly signature_during_rotation: string
  readonly signature_body_hex: string
  readonly webhook_signature: string
  readonly webhook_signature_during_rotation: string
}

/** Signatures that Python's hmac module computed. */
const vectors = JSON.parse(
  readFileSync(new URL("../../vectors/webhooks.json", import.meta.url), "utf8")
) as ReadonlyArray<Vector>

describe("signatures", () => {
  for (const vector of vectors) {
    const { body, delivery_id, previous_secret, secret, timestamp } = vector

    it(`are those of the vector "${vector.name}"`, () => {
      assert.strictEqual(signature("timestamped", [secret], body, timestamp), vector.signature)
      assert.strictEqual(
        signature("timestamped", [secret, previous_secret], body, timestamp),
        vector.signature_during_rotation
      )
      assert.strictEqual(signature("body_hex", [secret, previous_secret], body, timestamp), vector.signature_body_hex)
      assert.deepStrictEqual(standardHeaders(delivery_id, [secret], body, timestamp), {
        "webhook-id": delivery_id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": vector.webhook_signature
      })
      assert.strictEqual(
        standardHeaders(delivery_id, [secret, previous_secret], body, timestamp)["webhook-signature"],
        vector.webhook_signature_during_rotation
      )
    })

    it(`verify for the vector "${vector.name}", with either secret during a rotation`, () => {
      const check = (value: string, key = secret, bytes: string | Uint8Array = body) =>
        verifySignature({ body: bytes, signature: value, secret: key, now_seconds: timestamp })
      assert.deepStrictEqual(check(vector.signature), { ok: true, format: "timestamped" })
      assert.deepStrictEqual(check(vector.signature, secret, Buffer.from(body)), { ok: true, format: "timestamped" })
      assert.deepStrictEqual(check(vector.signature_during_rotation), { ok: true, format: "timestamped" })
      assert.deepStrictEqual(check(vector.signature_during_rotation, previous_secret), {
        ok: true,
        format: "timestamped"
      })
      assert.deepStrictEqual(check(vector.signature_body_hex), { ok: true, format: "body_hex" })
      assert.deepStrictEqual(check(vector.signature, previous_secret), { ok: false, reason: "mismatch" })
    })
  }

  const [vector] = vectors
  const verify = (change: Partial<SignedBody>) =>
    verifySignature({
      body: vector!.body,
      signature: vector!.signature,
      secret: vector!.secret,
      now_seconds: vector!.timestamp,
      ...change
    })

  it("are verified by the Standard Webhooks library, which refuses any change", () => {
    const now = Math.floor(Date.now() / 1_000)
    // The library also parses the body as JSON.
    const documents = vectors.filter(({ body }) => body.trimStart().startsWith("{"))
    assert.isAtLeast(documents.length, 3)
    for (const { body, delivery_id, previous_secret, secret } of documents) {
      const headers = standardHeaders(delivery_id, [secret, previous_secret], body, now)
      for (const key of [secret, previous_secret]) new Webhook(key).verify(body, headers)
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
      assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "other" }))
      assert.throws(() => new Webhook(secret).verify(body, standardHeaders(delivery_id, [secret], body, now - 301)))
    }
  })

  it("are invalid when any byte of the body changes", () => {
    const { body } = vector!
    for (let index = 0; index < body.length; index++) {
      const tampered = body.slice(0, index) + String.fromCharCode(body.charCodeAt(index) ^ 1) + body.slice(index + 1)
      assert.deepStrictEqual(verify({ body: tampered }), { ok: false, reason: "mismatch" })
    }
    assert.deepStrictEqual(verify({ body: `${body} ` }), { ok: false, reason: "mismatch" })
  })

  it("are invalid when any digit of the signature changes", () => {
    const { signature } = vector!
    const from = signature.indexOf("v1=") + 3
    for (let index = from; index < signature.length; index++) {
      const tampered =
        signature.slice(0, index) +
        (Number.parseInt(signature[index]!, 16) ^ 1).toString(16) +
        signature.slice(index + 1)
      assert.deepStrictEqual(verify({ signature: tampered }), { ok: false, reason: "mismatch" })
    }
  })

  it("are invalid when the time in the header changes or is more than 300 seconds off", () => {
    const t = vector!.timestamp
    assert.deepStrictEqual(verify({ signature: vector!.signature.replace(`t=${t}`, `t=${t + 1}`) }), {
      ok: false,
      reason: "mismatch"
    })
    assert.isTrue(verify({ now_seconds: t + 300 }).ok)
    assert.isTrue(verify({ now_seconds: t - 300 }).ok)
    assert.deepStrictEqual(verify({ now_seconds: t + 301 }), { ok: false, reason: "expired" })
    assert.deepStrictEqual(verify({ now_seconds: t - 301 }), { ok: false, reason: "expired" })
  })

  it("are invalid in a format that was not chosen, which would allow a replay", () => {
    const { body, secret, signature, timestamp } = vector!
    const hex = /v1=([0-9a-f]{64})/.exec(signature)![1]!
    const replayed = { body: `${body}.${timestamp}`, signature: hex, secret, now_seconds: timestamp + 86_400 }
    assert.deepStrictEqual(verify(replayed), { ok: true, format: "body_hex" })
    assert.deepStrictEqual(verify({ ...replayed, format: "timestamped" }), { ok: false, reason: "mismatch" })
    assert.deepStrictEqual(verify({ format: "body_hex" }), { ok: false, reason: "mismatch" })
    assert.deepStrictEqual(verify({ format: "timestamped" }), { ok: true, format: "timestamped" })
  })

  it("are malformed if they have neither format", () => {
    const hex = "a".repeat(64)
    for (const value of [
      "",
      "t=1",
      `v1=${hex}`,
      `t=,v1=${hex}`,
      `t=x,v1=${hex}`,
      `t=-1,v1=${hex}`,
      `t=1,t=2,v1=${hex}`,
      "t=1,v1=abc",
      hex.slice(1),
      `${hex}0`,
      hex.toUpperCase(),
      `t=1,v0=${hex}`,
      `t=1;v1=${hex}`,
      `t=1,v1=${hex}${hex}`
    ]) {
      assert.isUndefined(parseSignatureHeader(value), value)
      assert.deepStrictEqual(verify({ signature: value }), { ok: false, reason: "malformed" })
    }
    assert.deepStrictEqual(parseSignatureHeader(` t=1 , v2=later,v1=${hex}`), {
      format: "timestamped",
      t: 1,
      v1: [hex]
    })
  })
})
