import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { ApiKeyClaims } from "../../../src/domain/access/ApiKeyClaims.ts"
import { authorize, principalOf } from "../../../src/domain/access/Principal.ts"
import { Scope } from "../../../src/domain/access/Scope.ts"

const claims: ApiKeyClaims = {
  iss: "https://voice.example",
  aud: "api",
  sub: "01890a5d-ac96-774b-bcce-b302099a8057",
  jti: "01890a5d-ac96-774b-bcce-b302099a8058",
  workspace_id: "01890a5d-ac96-774b-bcce-b302099a8059",
  scopes: ["calls.write", "numbers.read"],
  env: "test",
  iat: 1_700_000_000,
  exp: 1_800_000_000
}
const decode = Schema.decodeUnknownResult(ApiKeyClaims)

describe("authorize", () => {
  it("lets a principal do what its key lists and nothing else", () => {
    const principal = principalOf(claims)
    for (const scope of Scope.literals) {
      assert.strictEqual(Result.isSuccess(authorize(principal, scope)), claims.scopes.includes(scope), scope)
    }
  })

  it("says which scope is missing", () => {
    const denied = Result.getOrThrow(Result.flip(authorize(principalOf(claims), "calls.read")))
    assert.strictEqual(denied._tag, "api_key.scope_denied")
    assert.include(denied.message, "calls.read")
  })
})

describe("principalOf", () => {
  it("is the key and its workspace", () => {
    assert.deepStrictEqual(principalOf(claims), {
      kind: "api_key",
      key_id: claims.sub,
      workspace_id: claims.workspace_id,
      scopes: claims.scopes,
      env: "test",
      unlimited: false
    })
  })
})

describe("ApiKeyClaims", () => {
  it("requires every claim", () => {
    assert.isTrue(Result.isSuccess(decode(claims)))
    for (const name of Object.keys(claims)) {
      const { [name as keyof ApiKeyClaims]: _, ...rest } = claims
      assert.isTrue(Result.isFailure(decode(rest)), name)
    }
  })

  it.each([
    { scopes: ["calls.*"] },
    { scopes: "calls.read" },
    { workspace_id: "w" },
    { workspace_id: "" },
    { env: "prod" },
    { exp: "1800000000" },
    { iat: 1.5 },
    { aud: ["api", "other"] }
  ])("refuses %o", (claim) => {
    assert.isTrue(Result.isFailure(decode({ ...claims, ...claim })))
  })
})

describe("Scope", () => {
  it("has twenty members", () => {
    assert.strictEqual(new Set(Scope.literals).size, 20)
  })
})
