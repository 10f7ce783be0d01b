import { assert, describe, it as plain, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { Api } from "../../../src/http/api/Api.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"

/**
 * Who opens each endpoint of the contract: keys with this scope (`session`: no key) and members from this role on;
 * `any key`: every key and no member, `signed in`: anybody with a session, `operator`: those who run the platform,
 * `anybody`: it needs nothing.
 */
const doors: Readonly<Record<string, string>> = {
  "POST /v1/calls/originate": "calls.write member",
  "GET /v1/calls": "calls.read viewer",
  "GET /v1/calls/stats": "calls.read viewer",
  "GET /v1/calls/destination-check": "calls.read viewer",
  "GET /v1/calls/:id": "calls.read viewer",
  "GET /v1/calls/:id/events": "calls.read viewer",
  "GET /v1/calls/:id/charge": "calls.read viewer",
  "GET /v1/calls/:id/timeline": "calls.read viewer",
  "GET /v1/calls/:id/stream": "calls.read viewer",
  "POST /v1/calls/:id/terminate": "calls.write member",
  "POST /v1/calls/:id/update": "calls.write member",
  "GET /v1/voice-actions/schema": "calls.read viewer",
  "POST /v1/voice-actions/validate": "calls.read viewer",
  "POST /v1/voice-actions/simulate": "calls.write member",
  "GET /v1/recordings": "recordings.read viewer",
  "GET /v1/conferences": "calls.read viewer",
  "GET /v1/conferences/:id": "calls.read viewer",
  "POST /v1/conferences/:id/participants": "calls.write member",
  "PATCH /v1/conferences/:id/participants/:call_id": "calls.write member",
  "DELETE /v1/conferences/:id/participants/:call_id": "calls.write member",
  "POST /v1/conferences/:id/announce": "calls.write member",
  "POST /v1/conferences/:id/end": "calls.write member",
  "GET /v1/storage": "storage.read viewer",
  "PUT /v1/storage/tier": "storage.write admin",
  "DELETE /v1/storage/tier": "storage.write admin",
  "GET /v1/calls/:id/recording": "recordings.read viewer",
  "GET /v1/calls/:id/recording/download": "recordings.read viewer",
  "DELETE /v1/calls/:id/recording": "recordings.write admin",
  "GET /v1/recordings/:id/audio": "anybody",
  "GET /v1/wallet/balance": "wallet.read viewer",
  "PATCH /v1/wallet": "wallet.write admin",
  "GET /v1/wallet/statements": "wallet.read viewer",
  "GET /v1/wallet/holds": "wallet.read viewer",
  "GET /v1/wallet/auto-topup": "wallet.read viewer",
  "PUT /v1/wallet/auto-topup": "wallet.write admin",
  "DELETE /v1/wallet/card": "wallet.write admin",
  "POST /v1/topups": "wallet.write member",
  "GET /v1/wallet/payin-reference": "wallet.read viewer",
  "POST /v1/sandbox/credits": "wallet.write member",
  "POST /v1/sandbox/payins": "wallet.write member",
  "GET /v1/topups": "wallet.read viewer",
  "GET /v1/topups/:id": "wallet.read viewer",
  "GET /v1/topups/:id/receipt": "wallet.read viewer",
  "GET /v1/topups/:id/receipt/page": "wallet.read viewer",
  "GET /v1/invoices": "wallet.read viewer",
  "GET /v1/invoices/:month": "wallet.read viewer",
  "GET /v1/invoices/:month/page": "wallet.read viewer",
  "GET /v1/lookup/:number": "numbers.read viewer",
  "GET /v1/numbers/available": "numbers.read viewer",
  "GET /v1/numbers": "numbers.read viewer",
  "GET /v1/numbers/:id": "numbers.read viewer",
  "POST /v1/numbers/:id/claim": "numbers.write admin",
  "POST /v1/numbers/:id/release": "numbers.write admin",
  "GET /v1/numbers/:id/routing": "numbers.read viewer",
  "PATCH /v1/numbers/:id/routing": "numbers.write admin",
  "PUT /v1/numbers/:id/routing": "numbers.write admin",
  "POST /v1/numbers/:id/routing/rotate-secret": "numbers.write admin",
  "POST /v1/numbers/byo": "numbers.write admin",
  "DELETE /v1/numbers/byo/:id": "numbers.write admin",
  "POST /v1/caller-ids": "numbers.write admin",
  "GET /v1/caller-ids": "numbers.read viewer",
  "GET /v1/caller-ids/:id": "numbers.read viewer",
  "POST /v1/caller-ids/:id/verify": "numbers.write admin",
  "DELETE /v1/caller-ids/:id": "numbers.write admin",
  "POST /v1/numbers/:id/sip-credentials": "sip_credentials.write admin",
  "GET /v1/numbers/:id/sip-credentials": "sip_credentials.read viewer",
  "POST /v1/numbers/:id/sip-credentials/:credential_id/rotate": "sip_credentials.write admin",
  "POST /v1/numbers/:id/sip-credentials/:credential_id/revoke": "sip_credentials.write admin",
  "DELETE /v1/numbers/:id/sip-credentials/:credential_id": "sip_credentials.write admin",
  "POST /v1/sip-trunk": "sip_trunk.write admin",
  "GET /v1/sip-trunk": "sip_trunk.read viewer",
  "PUT /v1/sip-trunk": "sip_trunk.write admin",
  "DELETE /v1/sip-trunk": "sip_trunk.write admin",
  "POST /v1/webrtc/token": "webrtc.token member",
  "GET /v1/numbers/:id/chatapp/call-settings": "chatapp.read viewer",
  "PUT /v1/numbers/:id/chatapp/call-settings": "chatapp.write admin",
  "GET /v1/numbers/:id/chatapp/trunk": "chatapp.read viewer",
  "POST /v1/numbers/:id/chatapp/trunk": "chatapp.write admin",
  "POST /v1/numbers/:id/chatapp/trunk/retry": "chatapp.write admin",
  "POST /v1/webhooks": "webhooks.write admin",
  "GET /v1/webhooks": "webhooks.read viewer",
  "GET /v1/webhooks/:id": "webhooks.read viewer",
  "PATCH /v1/webhooks/:id": "webhooks.write admin",
  "DELETE /v1/webhooks/:id": "webhooks.write admin",
  "POST /v1/webhooks/:id/rotate-secret": "webhooks.write admin",
  "POST /v1/webhooks/:id/test": "webhooks.write admin",
  "POST /v1/webhooks/:id/doctor": "webhooks.write admin",
  "POST /v1/webhooks/:id/replay": "webhooks.write admin",
  "GET /v1/webhooks/:id/deliveries": "webhooks.read viewer",
  "GET /v1/webhooks/:id/deliveries/:delivery_id": "webhooks.read viewer",
  "POST /v1/webhooks/:id/deliveries/:delivery_id/retry": "webhooks.write admin",
  "POST /v1/workspace": "signed in",
  "GET /v1/workspace": "calls.read viewer",
  "PATCH /v1/workspace": "session admin",
  "POST /v1/workspace/close": "session owner",
  "POST /v1/workspace/rotate-voice-secret": "session admin",
  "GET /v1/workspace/calling-policy": "calls.read viewer",
  "PATCH /v1/workspace/calling-policy": "session admin",
  "GET /v1/events/stream": "calls.read viewer",
  "GET /v1/key": "any key",
  "POST /v1/api-keys": "session admin",
  "GET /v1/api-keys": "session admin",
  "GET /v1/api-keys/:id": "session admin",
  "POST /v1/api-keys/:id/revoke": "session admin",
  "GET /v1/audit": "audit.read admin",
  "GET /v1/audit/verify": "audit.read admin",
  "GET /v1/members": "session viewer",
  "PATCH /v1/members/:user_id": "session member",
  "DELETE /v1/members/:user_id": "session viewer",
  "POST /v1/invitations": "session admin",
  "GET /v1/invitations": "session admin",
  "DELETE /v1/invitations/:id": "session admin",
  "POST /v1/invitations/:id/resend": "session admin",
  "POST /v1/auth/invite/accept": "anybody",
  "GET /v1/auth/idp/start": "anybody",
  "POST /v1/auth/idp/link": "signed in",
  "GET /v1/auth/idp/callback": "anybody",
  "DELETE /v1/auth/idp": "signed in",
  "POST /v1/auth/signup": "anybody",
  "POST /v1/auth/magic-link": "anybody",
  "POST /v1/auth/magic-link/verify": "anybody",
  "POST /v1/auth/logout": "signed in",
  "GET /v1/auth/session": "signed in",
  "PATCH /v1/auth/session": "signed in",
  "GET /v1/auth/sessions": "signed in",
  "DELETE /v1/auth/sessions/:id": "signed in",
  "GET /v1/.well-known/jwks.json": "anybody",
  "POST /v1/admin/providers": "operator",
  "GET /v1/admin/providers": "operator",
  "GET /v1/admin/providers/:id": "operator",
  "PATCH /v1/admin/providers/:id": "operator",
  "DELETE /v1/admin/providers/:id": "operator",
  "POST /v1/admin/number-series": "operator",
  "GET /v1/admin/number-series": "operator",
  "POST /v1/admin/number-series/:id/generate": "operator",
  "POST /v1/admin/number-series/:id/retire": "operator",
  "POST /v1/admin/storage-prices": "operator",
  "GET /v1/admin/storage-prices": "operator",
  "POST /v1/admin/topup-limits": "operator",
  "GET /v1/admin/topup-limits": "operator",
  "POST /v1/admin/workspaces/:id/storage": "operator",
  "POST /v1/admin/prices": "operator",
  "GET /v1/admin/prices": "operator",
  "POST /v1/admin/numbers/:id/reassign": "operator",
  "POST /v1/admin/numbers/:id/retire": "operator",
  "GET /v1/admin/workspaces": "operator",
  "POST /v1/admin/workspaces/:id/suspend": "operator",
  "POST /v1/admin/workspaces/:id/reinstate": "operator",
  "GET /v1/admin/workspaces/:id/policy-ceilings": "operator",
  "PATCH /v1/admin/workspaces/:id/policy-ceilings": "operator",
  "GET /v1/admin/workspaces/:id/caller-ids": "operator",
  "POST /v1/admin/workspaces/:id/caller-ids/:number/approve": "operator",
  "POST /v1/admin/workspaces/:id/caller-ids/:number/revoke": "operator",
  "GET /v1/admin/gateways": "operator",
  "PUT /v1/admin/workspaces/:id/gateway": "operator",
  "POST /v1/admin/rates": "operator",
  "GET /v1/admin/rates": "operator",
  "POST /v1/admin/wallets/:workspace_id/adjustments": "operator",
  "POST /v1/admin/topups/:id/reverse": "operator",
  "GET /v1/admin/payins": "operator",
  "POST /v1/admin/payins/:receipt/release": "operator",
  "POST /v1/admin/sip-trunks/:id/approve": "operator",
  "POST /v1/admin/sip-trunks/:id/reject": "operator"
}

/** Who comes, and what is said to them: by the least role that the door asks of who reads, and of who changes. */
const members = ["viewer", "member-read-only", "member", "admin", "owner"] as const
const unwritten = "accounts.write_denied"
const unadmitted = "accounts.admin_required"
const answers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "reads viewer": ["in", "in", "in", "in", "in"],
  "reads admin": [unadmitted, unadmitted, unadmitted, "in", "in"],
  "writes viewer": ["in", "in", "in", "in", "in"],
  "writes member": [unwritten, unwritten, "in", "in", "in"],
  "writes admin": [unwritten, unwritten, unadmitted, "in", "in"],
  "writes owner": [unwritten, unwritten, "accounts.role_change_denied", "accounts.role_change_denied", "in"]
}

interface Credential {
  readonly key?: string
  readonly session?: string
}

/**
 * The code of whoever is refused at the door; `in` where it opens. An id that is none makes the room behind it empty.
 */
const knock = (door: string, { key, session }: Credential) => {
  const [method, template] = door.split(" ") as [string, string]
  // The stream of a workspace would not end.
  const path = template.replaceAll(/:[a-z_]+/g, "x").replace("/events/stream", "/events/stream?kinds=none")
  const headers = { ...(session !== undefined && { cookie: `session=${session}` }) }
  return Effect.map(
    ask({
      method,
      path,
      headers,
      ...(key !== undefined && { key }),
      ...(method !== "GET" && method !== "DELETE" && { body: "{" })
    }),
    ({ code, status }) => (status === 401 || status === 403 ? `${status} ${code}` : "in")
  )
}

const said = (code: string): string => (code === "in" ? "in" : `403 ${code}`)

describe("the list of endpoints", () => {
  plain("has every endpoint of the contract", () => {
    const endpoints: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => void endpoints.push(`${method} ${path}`)
    })
    assert.deepStrictEqual(endpoints.toSorted(), Object.keys(doors).toSorted())
  })
})

layer(fakeEngine)("every endpoint", (it) => {
  for (const [door, who] of Object.entries(doors)) {
    const [scope, role] = who.split(" ") as [string, string]
    const mutates = !door.startsWith("GET ")
    const keys = Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      return {
        all: yield* mint(),
        but: yield* mint({ scopes: Scope.literals.filter((other) => other !== scope) }),
        only: yield* mint({ scopes: Scope.literals.filter((other) => other === scope) }),
        suspended: yield* mint({ workspace_id: workspaces.suspended })
      }
    })

    it.effect(`${door}: ${who}`, () =>
      Effect.gen(function* () {
        const { all, but, only, suspended } = yield* keys
        // So that the wrong credentials of all endpoints together are not too many from one address.
        yield* TestClock.adjust("2 seconds")
        const tell = (credential: Credential, expected: string, name: string) =>
          Effect.map(knock(door, credential), (answer) => assert.strictEqual(answer, expected, name))
        if (who === "anybody") return yield* tell({}, "in", "nobody")
        if (who === "signed in" || who === "operator") {
          yield* tell({}, "401 auth.session_invalid", "nobody")
          yield* tell({ key: all }, "401 auth.session_invalid", "a key")
          yield* tell({ session: "unknown" }, "401 auth.session_invalid", "a session that is none")
          yield* tell({ session: "owner" }, who === "operator" ? "403 auth.admin_required" : "in", "an owner")
          return yield* tell({ session: "operator" }, "in", "an operator")
        }
        yield* tell({}, "401 api_key.missing", "nobody")
        yield* tell({ key: "a.b.c" }, "401 api_key.invalid", "a forged key")
        if (who === "any key") {
          yield* tell({ key: but }, "in", "a key")
          return yield* tell({ session: "owner" }, "401 api_key.missing", "an owner")
        }
        yield* tell({ key: but }, "403 api_key.scope_denied", "a key without the scope")
        yield* tell(
          { key: scope === "session" ? all : only },
          scope === "session" ? "403 api_key.scope_denied" : "in",
          "a key"
        )
        yield* tell({ session: "unknown" }, "401 auth.session_invalid", "a session that is none")
        yield* tell({ session: "newcomer" }, "403 auth.no_workspace", "a newcomer")
        const closed = mutates ? "403 account.suspended" : "in"
        if (scope !== "session") yield* tell({ key: suspended }, closed, "a key of a suspended workspace")
        yield* tell({ session: "suspended-owner" }, closed, "the owner of a suspended workspace")
        for (const [index, member] of members.entries()) {
          yield* tell({ session: member }, said(answers[`${mutates ? "writes" : "reads"} ${role}`]![index]!), member)
        }
      })
    )
  }
})
