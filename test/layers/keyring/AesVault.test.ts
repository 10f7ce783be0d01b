import { assert, describe, it } from "@effect/vitest"
import { makeVault } from "../../../src/layers/keyring/AesVault.ts"

const master = (byte: number) => new Uint8Array(32).fill(byte)

describe("the vault", () => {
  const vault = makeVault([master(1)])

  it("opens what it sealed only for the same owner", () => {
    for (const text of ["whsec_abc", "", "Zoë ☎", "x".repeat(10_000)]) {
      const sealed = vault.seal(text, "table/column/row/workspace")
      assert.strictEqual(vault.open(sealed, "table/column/row/workspace"), text)
      assert.isUndefined(vault.open(sealed, "table/column/row/other"))
      if (text !== "") assert.notInclude(sealed, text)
    }
  })

  it("seals the same text differently each time", () => {
    assert.notStrictEqual(vault.seal("a", "b"), vault.seal("a", "b"))
  })

  it("opens nothing that was altered, cut or invented", () => {
    const sealed = vault.seal("secret", "b")
    const dot = sealed.indexOf(".") + 1
    const bytes = Buffer.from(sealed.slice(dot), "base64url")
    for (let index = 0; index < bytes.length; index++) {
      const touched = Buffer.from(bytes)
      touched[index]! ^= 1
      assert.isUndefined(vault.open(sealed.slice(0, dot) + touched.toString("base64url"), "b"))
    }
    for (let length = 0; length < sealed.length; length++) assert.isUndefined(vault.open(sealed.slice(0, length), "b"))
    for (const text of ["", ".", "..", "x.y", "whsec_abc"]) assert.isUndefined(vault.open(text, "b"))
  })

  it("opens texts sealed with an older key, and seals with the newest", () => {
    const old = vault.seal("secret", "b")
    const rotated = makeVault([master(2), master(1)])
    assert.strictEqual(rotated.open(old, "b"), "secret")
    assert.isUndefined(vault.open(rotated.seal("secret", "b"), "b"))
    assert.isUndefined(makeVault([master(2)]).open(old, "b"))
  })

  it("makes secrets of 32 random bytes", () => {
    const secrets = Array.from({ length: 100 }, vault.newSecret)
    assert.strictEqual(new Set(secrets).size, 100)
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(Buffer.from(secret.slice(6), "base64").length, 32)
    }
  })
})
