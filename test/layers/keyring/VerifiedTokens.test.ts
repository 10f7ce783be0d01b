import { assert, describe, it } from "@effect/vitest"
import type { ApiKeyClaims } from "../../../src/domain/access/ApiKeyClaims.ts"
import { VerifiedTokens } from "../../../src/layers/keyring/VerifiedTokens.ts"
import { apiKeyId, workspaceId } from "../../support/Ids.ts"

const claims = (exp: number): ApiKeyClaims => ({
  iss: "i",
  aud: "a",
  sub: apiKeyId("s"),
  jti: apiKeyId("j"),
  workspace_id: workspaceId("w"),
  scopes: [],
  env: "live",
  iat: 0,
  exp
})
const lasting = claims(1_000_000)

describe("VerifiedTokens", () => {
  it("contains the added tokens only", () => {
    const tokens = new VerifiedTokens(10)
    tokens.add("good", lasting, 0)
    assert.strictEqual(tokens.get("good", 1), lasting)
    assert.strictEqual(tokens.get("goo", 1), undefined)
    assert.strictEqual(tokens.get("", 1), undefined)
  })

  it("forgets a token after a minute, however often it is used", () => {
    const tokens = new VerifiedTokens(10)
    tokens.add("t", lasting, 5_000)
    for (let now_ms = 5_000; now_ms < 65_000; now_ms += 1_000) assert.strictEqual(tokens.get("t", now_ms), lasting)
    assert.strictEqual(tokens.get("t", 65_000), undefined)
  })

  it("forgets a token when it expires", () => {
    const tokens = new VerifiedTokens(10)
    tokens.add("t", claims(30), 0)
    assert.isDefined(tokens.get("t", 29_999))
    assert.isUndefined(tokens.get("t", 30_000))
  })

  it("holds at most twice its capacity, and keeps what is in use", () => {
    const tokens = new VerifiedTokens(10)
    tokens.add("busy", lasting, 0)
    for (let n = 0; n < 1_000; n++) {
      tokens.add(`idle ${n}`, lasting, 0)
      assert.strictEqual(tokens.get("busy", 0), lasting, `after ${n} others`)
    }
    let held = 0
    for (let n = 0; n < 1_000; n++) if (tokens.get(`idle ${n}`, 0) !== undefined) held++
    assert.isAtMost(held, 20)
    assert.isAtLeast(held, 1)
  })
})
