import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { ApiKeyClaims } from "../../../src/domain/access/ApiKeyClaims.ts"
import { type Access, authorize, principalOf } from "../../../src/domain/access/Principal.ts"
import type { Role } from "../../../src/domain/access/Role.ts"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { apiKeyId, userId, workspaceId } from "../../support/Ids.ts"

const claims: ApiKeyClaims = {
  iss: "https://voice.example",
  aud: "api",
  sub: apiKeyId("01890a5d-ac96-774b-bcce-b302099a8057"),
  jti: apiKeyId("01890a5d-ac96-774b-bcce-b302099a8058"),
  workspace_id: workspaceId("01890a5d-ac96-774b-bcce-b302099a8059"),
  scopes: ["calls.write", "numbers.read"],
  env: "test",
  iat: 1_700_000_000,
  exp: 1_800_000_000
}
const sandbox = workspaceId("01890a5d-ac96-774b-bcce-b302099a805a")
const decode = Schema.decodeUnknownResult(ApiKeyClaims)

describe("authorize", () => {
  it("allows only what the scopes of the key list", () => {
    const principal = principalOf(claims, claims.workspace_id)
    for (const scope of Scope.literals) {
      assert.strictEqual(
        Result.isSuccess(authorize(principal, { scope, mutates: false })),
        claims.scopes.includes(scope),
        scope
      )
    }
  })

  it("names the missing scope", () => {
    const denied = Result.getOrThrow(
      Result.flip(authorize(principalOf(claims, claims.workspace_id), { scope: "calls.read", mutates: false }))
    )
    assert.strictEqual(denied._tag, "api_key.scope_denied")
    assert.include(denied.message, "calls.read")
  })
})

describe("a route that names no scope", () => {
  it("is refused for every key", () => {
    const key = principalOf({ ...claims, scopes: Scope.literals }, claims.workspace_id)
    const denied = Result.getOrThrow(Result.flip(authorize(key, { role: "viewer", mutates: false })))
    assert.strictEqual(denied._tag, "api_key.scope_denied")
    assert.include(denied.resolution, "Sign in")
  })
})

describe("a signed-in member", () => {
  const session = {
    kind: "session",
    session_id: "s",
    user_id: userId("u"),
    email: "u@example.com",
    workspace_id: workspaceId("w"),
    account_id: workspaceId("w")
  } as const
  const comes = (who: Role | "read_only", access: Access) => {
    const [role, read_only] = who === "read_only" ? (["member", true] as const) : ([who, false] as const)
    return Result.match(authorize({ ...session, role, read_only }, access), {
      onSuccess: () => "in",
      onFailure: ({ _tag }) => _tag
    })
  }
  const denied = "accounts.write_denied"
  const admin = "accounts.admin_required"

  it.each([
    ["reads", { mutates: false }, ["in", "in", "in", "in", "in"]],
    ["reads what admins read", { mutates: false, role: "admin" }, [admin, admin, admin, "in", "in"]],
    ["works", { mutates: true, role: "member" }, [denied, denied, "in", "in", "in"]],
    ["changes", { mutates: true }, [denied, denied, admin, "in", "in"]],
    [
      "may do what needs the role owner",
      { mutates: true, role: "owner" },
      [denied, denied, "accounts.role_change_denied", "accounts.role_change_denied", "in"]
    ],
    ["changes what is their own", { mutates: true, role: "viewer" }, ["in", "in", "in", "in", "in"]]
  ] as const)("%s only if the role is sufficient", (_, access, expected) => {
    const answers = (["viewer", "read_only", "member", "admin", "owner"] as const).map((who): string =>
      comes(who, access)
    )
    assert.deepStrictEqual(answers, [...expected])
  })
})

describe("principalOf", () => {
  it("has the key, where it acts, and its workspace", () => {
    assert.deepStrictEqual(principalOf(claims, sandbox), {
      kind: "api_key",
      key_id: claims.sub,
      workspace_id: sandbox,
      account_id: claims.workspace_id,
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
