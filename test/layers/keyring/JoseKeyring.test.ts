import { createPublicKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { base64url, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose"
import type { ApiKeyGrant } from "../../../src/domain/access/ApiKeyClaims.ts"
import { Keyring } from "../../../src/domain/ports/engine/Keyring.ts"
import { JoseKeyring, type KeyringOptions } from "../../../src/layers/keyring/JoseKeyring.ts"
import { apiKeyId, workspaceId } from "../../support/Ids.ts"

const newKey = async (): Promise<JWK> => exportJWK((await generateKeyPair("ES256", { extractable: true })).privateKey)
const [ours, older, theirs] = await Promise.all([newKey(), newKey(), newKey()])
const kidOf = (key: JWK) => calculateJwkThumbprint(key)

const issuer = "https://voice.example"
const audience = "trunkline-api"
const now_seconds = 1_790_000_000
const grant: ApiKeyGrant = {
  key_id: apiKeyId("01890a5d-ac96-774b-bcce-b302099a8057"),
  workspace_id: workspaceId("01890a5d-ac96-774b-bcce-b302099a8059"),
  scopes: ["calls.read", "calls.write"],
  env: "live",
  expires_at: (now_seconds + 3600) * 1000
}
const good = {
  iss: issuer,
  aud: audience,
  sub: grant.key_id,
  jti: grant.key_id,
  workspace_id: grant.workspace_id,
  scopes: grant.scopes,
  env: "live",
  iat: now_seconds,
  exp: now_seconds + 3600
}

const keyring = (options: Partial<KeyringOptions> = {}) =>
  Effect.provide(Effect.service(Keyring), JoseKeyring({ issuer, audience, current: ours, ...options }))

/** A token as anybody could make it, signed by `key`. */
const forge = (
  claims: Readonly<Record<string, unknown>>,
  header: { kid?: string; alg?: string } = {},
  key: JWK = ours
) =>
  Effect.promise(async () =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: await kidOf(ours), ...header })
      .sign(await importJWK(key, header.alg ?? "ES256"))
  )

const verdict = (keys: Keyring["Service"], token: string) =>
  keys
    .verify(Redacted.make(token))
    .pipe(Effect.match({ onSuccess: () => "accepted", onFailure: (failure) => failure._tag }))

const startClock = TestClock.setTime(now_seconds * 1000)
const without = (name: keyof typeof good) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
const part = (value: unknown) => base64url.encode(JSON.stringify(value))

/** An ES256 signature (r, s) is as good as (r, n - s); SEC 2 names n, the order of P-256. */
const otherForm = (token: string): string => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const [header, payload, signature] = token.split(".") as [string, string, string]
  const bytes = Buffer.from(signature, "base64url")
  const s = order - BigInt(`0x${bytes.subarray(32).toString("hex")}`)
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, "0"), "hex")])
  return `${header}.${payload}.${other.toString("base64url")}`
}

describe("mint and verify", () => {
  it.effect("returns the granted claims", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const token = yield* keys.mint(grant)
      assert.deepStrictEqual(yield* keys.verify(token), good)
      assert.notInclude(String(token), "ey")
      const { unlimited } = yield* keys.verify(yield* keys.mint({ ...grant, unlimited: true }))
      assert.strictEqual(unlimited, true)
    })
  )

  it.effect("accepts every genuine token until its expiry, to the second", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const token = Redacted.value(yield* keys.mint(grant))
      yield* TestClock.adjust("3599 seconds")
      assert.strictEqual(yield* verdict(keys, token), "accepted")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* verdict(keys, token), "api_key.expired")
    })
  )
})

describe("a forged token", () => {
  const refused: Readonly<Record<string, Effect.Effect<string>>> = {
    "of another key under our kid": forge(good, {}, theirs),
    "of another key under its own kid": Effect.flatMap(
      Effect.promise(() => kidOf(theirs)),
      (kid) => forge(good, { kid }, theirs)
    ),
    "of our key under an unknown kid": forge(good, { kid: "nobody" }),
    "without a kid": Effect.promise(async () =>
      new SignJWT(good).setProtectedHeader({ alg: "ES256" }).sign(await importJWK(ours, "ES256"))
    ),
    "with another issuer": forge({ ...good, iss: "https://elsewhere.example" }),
    "issued in the future": forge({ ...good, iat: now_seconds + 61 }),
    "for another audience": forge({ ...good, aud: "webrtc" }),
    "for several audiences": forge({ ...good, aud: [audience, "webrtc"] }),
    "not valid yet": forge({ ...good, nbf: now_seconds + 60 }),
    "with an unknown scope": forge({ ...good, scopes: ["everything"] }),
    "with a workspace that is no id": forge({ ...good, workspace_id: "*" }),
    "expired and for another audience": forge({ ...good, aud: "webrtc", exp: now_seconds - 1 }),
    ...Object.fromEntries(
      (Object.keys(good) as Array<keyof typeof good>).map((name) => [`without ${name}`, forge(without(name))])
    )
  }

  for (const [name, token] of Object.entries(refused)) {
    it.effect(`${name} is refused`, () =>
      Effect.gen(function* () {
        yield* startClock
        const keys = yield* keyring()
        assert.strictEqual(yield* verdict(keys, yield* token), "api_key.invalid")
      })
    )
  }

  it.effect("would pass if it were not forged", () =>
    Effect.gen(function* () {
      yield* startClock
      assert.strictEqual(yield* verdict(yield* keyring(), yield* forge(good)), "accepted")
    })
  )

  it.effect("is expired only when it is genuine", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const old = { ...good, exp: now_seconds }
      assert.strictEqual(yield* verdict(keys, yield* forge(old)), "api_key.expired")
      assert.strictEqual(yield* verdict(keys, yield* forge(old, {}, theirs)), "api_key.invalid")
    })
  )

  it.effect("with alg none is refused", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const kid = yield* Effect.promise(() => kidOf(ours))
      for (const alg of ["none", "None", "NONE", "nOnE"]) {
        const unsigned = `${part({ alg, kid })}.${part(good)}`
        for (const signature of ["", ".", ".AA"]) {
          assert.strictEqual(yield* verdict(keys, unsigned + signature), "api_key.invalid")
        }
      }
    })
  )

  it.effect("with HS256 under our public key is refused", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const kid = yield* Effect.promise(() => kidOf(ours))
      const key = createPublicKey({ key: { ...ours }, format: "jwk" })
      const published = keys.jwks.keys[0]
      for (const secret of [
        key.export({ type: "spki", format: "pem" }),
        key.export({ type: "spki", format: "der" }),
        JSON.stringify(published)
      ]) {
        const token = yield* Effect.promise(() =>
          new SignJWT(good).setProtectedHeader({ alg: "HS256", kid }).sign(Buffer.from(secret))
        )
        assert.strictEqual(yield* verdict(keys, token), "api_key.invalid")
      }
    })
  )

  it.effect("that contains its own key is refused", () =>
    Effect.gen(function* () {
      yield* startClock
      const { d: _, ...jwk } = theirs
      const token = yield* Effect.promise(async () =>
        new SignJWT(good).setProtectedHeader({ alg: "ES256", jwk }).sign(await importJWK(theirs, "ES256"))
      )
      assert.strictEqual(yield* verdict(yield* keyring(), token), "api_key.invalid")
    })
  )

  it.effect("made by altering a genuine one is refused, even right after the genuine one was accepted", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const token = Redacted.value(yield* keys.mint(grant))
      assert.strictEqual(yield* verdict(keys, token), "accepted")
      const [header, , signature] = token.split(".") as [string, string, string]
      const richer = part({ ...good, workspace_id: "01890a5d-ac96-774b-bcce-b302099a8060" })
      const blank = base64url.encode(new Uint8Array(64))
      for (const text of [
        `${header}.${richer}.${signature}`,
        `${part({ alg: "ES256", kid: "nobody" })}.${part(good)}.${signature}`,
        `${header}.${part(good)}.${blank}`,
        `${header}.${part(good)}.${signature.slice(0, 80)}`,
        `${header}.${part(good)}.`
      ]) {
        assert.strictEqual(yield* verdict(keys, text), "api_key.invalid")
        assert.strictEqual(yield* verdict(keys, text), "api_key.invalid", "and is not remembered as good")
      }
    })
  )

  it.effect("with the second valid form of its signature is the same key, so revocation by jti applies", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const token = Redacted.value(yield* keys.mint(grant))
      const twin = otherForm(token)
      assert.notStrictEqual(twin, token)
      assert.strictEqual((yield* keys.verify(Redacted.make(twin))).jti, (yield* keys.verify(Redacted.make(token))).jti)
    })
  )

  it.effect("that is not a token is refused", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const garbage = [
        "",
        ".",
        "..",
        "...",
        "x.y.z",
        "null",
        "Bearer x",
        "é.é.é",
        "e30.e30.e30",
        `${part([])}.${part(1)}.AA`
      ]
      for (const text of [...garbage, "a".repeat(10_240), `${part({ alg: "ES256" })}.${"a".repeat(10_240)}.AA`]) {
        assert.strictEqual(yield* verdict(keys, text), "api_key.invalid", text.slice(0, 40))
      }
    })
  )

  it.effect("that is too long is refused, genuine or not", () =>
    Effect.gen(function* () {
      yield* startClock
      const long = yield* forge({ ...good, padding: "a".repeat(10_240) })
      assert.strictEqual(yield* verdict(yield* keyring(), long), "api_key.invalid")
    })
  )
})

describe("rotation", () => {
  it.effect("accepts keys of the previous signing key until it is removed", () =>
    Effect.gen(function* () {
      yield* startClock
      const old = Redacted.value(yield* (yield* keyring({ current: older })).mint(grant))
      const { d: _, ...publicOlder } = older
      for (const previous of [older, publicOlder]) {
        const rotated = yield* keyring({ previous })
        assert.strictEqual(yield* verdict(rotated, old), "accepted")
        assert.strictEqual(yield* verdict(rotated, Redacted.value(yield* rotated.mint(grant))), "accepted")
      }
      assert.strictEqual(yield* verdict(yield* keyring(), old), "api_key.invalid")
    })
  )

  it.effect("publishes both public keys and nothing private", () =>
    Effect.gen(function* () {
      const { jwks } = yield* keyring({ previous: older })
      const kids = yield* Effect.promise(() => Promise.all([ours, older].map(kidOf)))
      assert.deepStrictEqual(
        jwks.keys.map((key) => key.kid),
        kids
      )
      for (const key of jwks.keys) {
        assert.deepStrictEqual(Object.keys(key).toSorted(), ["alg", "crv", "kid", "kty", "use", "x", "y"])
      }
    })
  )

  it.effect("starts with usable keys or not at all", () =>
    Effect.gen(function* () {
      const { d: _, ...publicOnly } = ours
      const rsa = yield* Effect.promise(async () =>
        exportJWK((await generateKeyPair("RS256", { extractable: true })).privateKey)
      )
      for (const current of [publicOnly, rsa, { kty: "oct", k: "AAAA", d: "x" }]) {
        assert.strictEqual((yield* Effect.exit(keyring({ current })))._tag, "Failure")
      }
    })
  )
})

describe("the cache", () => {
  it.effect("accepts a verified token without checking its signature again", () =>
    Effect.gen(function* () {
      yield* startClock
      const keys = yield* keyring()
      const token = yield* keys.mint(grant)
      const claims = yield* keys.verify(token)
      // A signature check is asynchronous; the cached answer is the very object, at once.
      assert.strictEqual(yield* keys.verify(Redacted.make(Redacted.value(token))), claims)
      yield* TestClock.adjust("61 seconds")
      const again = yield* keys.verify(token)
      assert.notStrictEqual(again, claims)
      assert.deepStrictEqual(again, claims)
    })
  )
})
