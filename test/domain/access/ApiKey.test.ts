import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type ApiKey, decideApiKey, emptyApiKey, evolveApiKey, planApiKey } from "../../../src/domain/access/ApiKey.ts"
import { recordApiKey } from "../../../src/domain/access/RecordApiKey.ts"
import { restoreApiKey } from "../../../src/domain/access/StoredApiKey.ts"
import type { ApiKeyCommand } from "../../../src/domain/access/ApiKeyCommand.ts"
import type { ApiKeyRequest } from "../../../src/domain/access/ApiKeyRecord.ts"
import { parseApiKeyRequest } from "../../../src/domain/access/ParseApiKeyRequest.ts"
import type { Origin } from "../../../src/domain/access/Origin.ts"
import { apiKeyId, workspaceId } from "../../support/Ids.ts"

const now = Date.parse("2026-11-20T12:00:00.000Z")
const day_ms = 86_400_000
const origin: Origin = {
  actor: { type: "user", id: "u1", label: "ann@example.com" },
  ip: "192.0.2.1",
  user_agent: null,
  request_id: "r1"
}

describe("parseApiKeyRequest", () => {
  const request: ApiKeyRequest = { label: " CRM ", scopes: ["wallet.read", "calls.read", "calls.read"] }

  it("makes a live key that is valid for a year by default", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseApiKeyRequest(request, now)), {
      label: "CRM",
      scopes: ["calls.read", "wallet.read"],
      env: "live",
      allowed_ips: [],
      expires_at: now + 365 * day_ms
    })
    const whole: ApiKeyRequest = {
      ...request,
      env: "test",
      allowed_ips: ["192.0.2.0/24"],
      expires_at: "2026-11-21T12:00:00Z"
    }
    assert.deepInclude(Result.getOrThrow(parseApiKeyRequest(whole, now)), {
      env: "test",
      allowed_ips: ["192.0.2.0/24"],
      expires_at: now + day_ms
    })
  })

  it.each([
    [{ label: undefined }, "api_key.name_required", "/label"],
    [{ label: "  " }, "api_key.name_required", "/label"],
    [{ scopes: undefined }, "api_key.scope_invalid", undefined],
    [{ scopes: [] }, "api_key.scope_invalid", undefined],
    [{ scopes: ["calls.read", "calls.*"] }, "api_key.scope_invalid", "/scopes/1"],
    [{ expires_at: "tomorrow" }, "validation.bad_request", "/expires_at"],
    [{ expires_at: "2026-02-31" }, "validation.bad_request", "/expires_at"],
    [{ expires_at: "2026-11-20T12:00:00Z" }, "validation.bad_request", "/expires_at"],
    [{ expires_at: "2028-11-20T12:00:01Z" }, "validation.bad_request", "/expires_at"],
    [{ allowed_ips: ["192.0.2.1", "192.0.2.1/24"] }, "validation.bad_request", "/allowed_ips/1"]
  ] as const)("rejects %o", (change, code, field) => {
    const { label, ...rest } = { ...request, ...change } as ApiKeyRequest
    const { _tag, details } = Result.getOrThrow(
      Result.flip(parseApiKeyRequest({ ...rest, ...(label !== undefined && { label }) }, now))
    )
    assert.deepStrictEqual([_tag, details?.[0]?.field], [code, field])
  })
})

describe("an API key", () => {
  const facts = {
    workspace_id: workspaceId("w1"),
    label: "CRM",
    scopes: ["calls.read"],
    env: "live",
    allowed_ips: [],
    created_by: "u1",
    created_at: now,
    expires_at: now + day_ms,
    prefix: "eyJhbGciOiJF"
  } as const
  const create = { _tag: "Create", facts, origin, sealed: "sealed" } as const
  const revoke = { _tag: "Revoke", origin, last_used_at: null } as const
  const decided = (key: ApiKey, command: Extract<ApiKeyCommand, { readonly _tag: "Create" | "Revoke" }>) => {
    const { events, reply } = Result.getOrThrow(decideApiKey(key, command, now))
    return { events, reply, key: events.reduce(evolveApiKey, key) }
  }
  const made = decided(emptyApiKey(apiKeyId("k1")), create)
  const revoked = decided(made.key, revoke)

  it("is created once, and its stored state holds no token", () => {
    assert.deepInclude(made.reply, { id: apiKeyId("k1"), revoked: false, created_at: "2026-11-20T12:00:00.000Z" })
    assert.deepStrictEqual(decided(made.key, create).events, [])
    assert.notInclude(JSON.stringify(recordApiKey(made.key, made.events)), "sealed")
  })

  it("is revoked once; a second revocation fails and changes nothing", () => {
    assert.deepInclude(revoked.reply, { revoked: true, revoked_at: "2026-11-20T12:00:00.000Z" })
    assert.strictEqual(
      Result.getOrThrow(Result.flip(decideApiKey(revoked.key, revoke, now + 1)))._tag,
      "api_key.already_revoked"
    )
    assert.strictEqual(
      Result.getOrThrow(Result.flip(decideApiKey(emptyApiKey(apiKeyId("k2")), revoke, now)))._tag,
      "api_key.not_found"
    )
  })

  it("writes an audit entry for its creation and for its revocation", () => {
    const lines = [...recordApiKey(made.key, made.events).audit, ...recordApiKey(revoked.key, revoked.events).audit]
    assert.deepStrictEqual(
      lines.map(({ action_kind, actor, ip, target_id }) => [action_kind, JSON.parse(actor).label, ip, target_id]),
      [
        ["api_key.created", "ann@example.com", "192.0.2.1", "k1"],
        ["api_key.revoked", "ann@example.com", "192.0.2.1", "k1"]
      ]
    )
  })
})

describe("the expiry of an API key", () => {
  const facts = (life_days: number) =>
    ({
      workspace_id: workspaceId("w1"),
      label: "CRM",
      scopes: ["calls.read"],
      env: "live",
      allowed_ips: [],
      created_by: "u1",
      created_at: now,
      expires_at: now + life_days * day_ms,
      prefix: "eyJhbGciOiJF"
    }) as const
  const made = (life_days: number): ApiKey => ({
    id: apiKeyId("k"),
    facts: facts(life_days),
    revoked_at: null,
    warned: false
  })

  it("is announced once, fourteen days before, unless the key lives no longer or is revoked", () => {
    assert.deepStrictEqual(
      planApiKey(made(365)).map((work) => work.at),
      [now + 351 * day_ms]
    )
    assert.deepStrictEqual(planApiKey(made(14)), [])
    assert.deepStrictEqual(planApiKey({ id: apiKeyId("k"), facts: facts(365), revoked_at: now, warned: false }), [])
    assert.deepStrictEqual(planApiKey(emptyApiKey(apiKeyId("k"))), [])
    const { events } = Result.getOrThrow(decideApiKey(made(365), { _tag: "Warned" }, now))
    const warned = events.reduce(evolveApiKey, made(365))
    assert.deepStrictEqual(planApiKey(warned), [])
    assert.deepStrictEqual(Result.getOrThrow(decideApiKey(warned, { _tag: "Warned" }, now)).events, [])
    const { audit, state } = recordApiKey(warned, events)
    assert.deepStrictEqual(audit, [])
    assert.deepStrictEqual(
      restoreApiKey({ version: 2, workspace_id: workspaceId("w1"), state, alarm: null, holds: [] }, "k"),
      warned
    )
  })
})
