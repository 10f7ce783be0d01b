// Every route of customers, with a request that succeeds with the key of the mode whose rows it names.
import { Effect } from "effect"
import type { HttpServer } from "effect/http"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { testCode } from "../../../src/domain/callerids/SpokenCode.ts"
import { digest, untilTrunk } from "../OwnTrunk.ts"
import { proveNumber } from "../ProveNumber.ts"
import { answered, claimed, list, type Mode, offered, placed, post, type Rows, sent } from "./Modes.ts"
import { until } from "../Until.ts"

/**
 * How a route keeps the modes apart: it names a `row`, and that of the other mode does not exist; it is about the `own`
 * mode alone; only `test` mode has it; both modes `share` it; it knows of `none` of them; or it is a `link`.
 */
export type Apart = "row" | "own" | "test" | "shared" | "none" | "link"

/** What a preparation may need. */
type Preparation<A = unknown> = Effect.Effect<A, never, HttpServer.HttpServer>

export interface ModeRoute {
  readonly apart: Apart
  /** Who asks: a key, a signed-in owner, or only a key, of the workspace with its own trunk. */
  readonly by?: "owner" | "trunk"
  /** Makes the rows that the request needs. */
  readonly prepare?: (mode: Mode) => Preparation
  /** By which name of the rows the path's first parameter is found. Default: the part of the path before it. */
  readonly id?: string
  readonly query?: (rows: Rows) => string
  readonly body?: (rows: Rows, mode: Mode) => object
  /** What it answers does not end. */
  readonly endless?: true
}

const row: ModeRoute = { apart: "row" }
const own: ModeRoute = { apart: "own" }
const shared: ModeRoute = { apart: "shared", by: "owner" }
const none: ModeRoute = { apart: "none" }

/** The rows of the mode get a new one under this name. */
const fresh = (id: string, make: (mode: Mode) => Preparation<string>): ModeRoute => ({
  apart: "row",
  id,
  prepare: (mode) => Effect.map(make(mode), (made) => void (mode.rows[id] = made))
})

const freshCallerId = fresh("caller_id", ({ key, strangers: [number] }) =>
  Effect.map(post(key, "/v1/caller-ids", { number }), ({ id }) => String(id))
)
const freshCall = fresh("fresh_call", (mode) => placed(mode, [{ pause: { seconds: 60 } }]))
const freshAnswered = fresh("fresh_call", answered)
/** Its last digits make the simulated chat app refuse the first time. */
const chatNumber = fresh("chat_number", ({ key }) => claimed(key, "?contains=97"))
const kept = (id: string): ModeRoute => ({ apart: "row", id })

const eventsUrl = { events_url: "http://127.0.0.1:9/events" }
const activeTrunk = ({ trunk_key }: Mode) => untilTrunk(trunk_key, ({ status }) => status === "active")
/** Asked with the key of a workspace that has its own trunk, and only an empty wallet. */
const onTrunk = { apart: "own", by: "trunk" } as const

/** In an order in which each request succeeds. */
export const modeRoutes: Readonly<Record<string, ModeRoute>> = {
  "POST /v1/calls/originate": {
    ...row,
    body: ({ number }) => ({ to: "+99900000022", from: number, actions: [{ hangup: {} }] })
  },
  "GET /v1/calls": own,
  "GET /v1/calls/stats": own,
  "GET /v1/calls/destination-check": {
    ...row,
    query: ({ number = "" }) => `?to=%2B99900000001&from=${encodeURIComponent(number)}`
  },
  "GET /v1/calls/:id": row,
  "GET /v1/calls/:id/events": row,
  "GET /v1/calls/:id/charge": row,
  "GET /v1/calls/:id/timeline": row,
  "GET /v1/calls/:id/stream": { ...freshCall, endless: true },
  "POST /v1/calls/:id/update": { ...freshAnswered, body: () => ({ metadata: { seen: "yes" } }) },
  "POST /v1/calls/:id/terminate": { ...freshCall, body: () => ({ reason: "done" }) },
  "GET /v1/events/stream": { ...own, endless: true, query: () => "?kinds=call.*" },
  "GET /v1/voice-actions/schema": none,
  "POST /v1/voice-actions/validate": { ...none, body: () => [{ hangup: {} }] },
  "POST /v1/voice-actions/simulate": { ...row, body: ({ number }) => ({ from: number, actions: [{ hangup: {} }] }) },
  "GET /v1/conferences": own,
  "GET /v1/conferences/:id": row,
  "POST /v1/conferences/:id/participants": { ...row, body: ({ number }) => ({ to: "+99900000003", from: number }) },
  "PATCH /v1/conferences/:id/participants/:call_id": { ...row, body: () => ({ muted: true }) },
  "POST /v1/conferences/:id/announce": { ...row, body: ({ call_id }) => ({ say: { text: "Hello." }, call_id }) },
  "DELETE /v1/conferences/:id/participants/:call_id": row,
  "POST /v1/conferences/:id/end": row,
  "GET /v1/recordings": own,
  "GET /v1/recordings/:id/audio": { apart: "link", query: ({ token = "" }) => `?token=${encodeURIComponent(token)}` },
  "GET /v1/calls/:id/recording": row,
  "GET /v1/calls/:id/recording/download": row,
  "DELETE /v1/calls/:id/recording": row,
  "GET /v1/storage": own,
  "PUT /v1/storage/tier": { ...own, body: () => ({ tier_gb: 10 }) },
  "DELETE /v1/storage/tier": own,
  "GET /v1/wallet/balance": own,
  "PATCH /v1/wallet": { ...own, body: () => ({ low_balance_threshold_minor: 1_000 }) },
  "GET /v1/wallet/statements": own,
  "GET /v1/wallet/holds": own,
  "GET /v1/wallet/auto-topup": own,
  "PUT /v1/wallet/auto-topup": {
    ...own,
    by: "owner",
    body: () => ({ enabled: true, threshold_minor: 10_000, amount_minor: 50_000, monthly_ceiling_minor: 100_000 })
  },
  "DELETE /v1/wallet/card": own,
  "GET /v1/wallet/payin-reference": own,
  "POST /v1/topups": { ...own, body: () => ({ provider: "card", amount_minor: 50_000, currency: "KES" }) },
  "GET /v1/topups": own,
  "GET /v1/topups/:id": row,
  "GET /v1/topups/:id/receipt": row,
  "GET /v1/topups/:id/receipt/page": row,
  "GET /v1/invoices": onTrunk,
  "GET /v1/invoices/:month": onTrunk,
  "GET /v1/invoices/:month/page": onTrunk,
  "POST /v1/sandbox/credits": { apart: "test", body: () => ({ amount_minor: 1_000 }) },
  "POST /v1/sandbox/payins": {
    apart: "test",
    prepare: ({ key, rows }) =>
      Effect.map(sent(key, "GET", "/v1/wallet/payin-reference"), (reference) => {
        rows["account_ref"] = String(reference["mobilemoney_account_ref"])
      }),
    body: ({ account_ref }) => ({ account_ref, amount_minor: 1_000 })
  },
  "GET /v1/numbers/available": own,
  "GET /v1/lookup/:number": own,
  "GET /v1/numbers": own,
  "GET /v1/numbers/:id": row,
  "GET /v1/numbers/:id/routing": row,
  "PATCH /v1/numbers/:id/routing": { ...row, body: () => eventsUrl },
  "PUT /v1/numbers/:id/routing": { ...row, body: () => eventsUrl },
  "POST /v1/numbers/:id/routing/rotate-secret": row,
  "POST /v1/numbers/:id/claim": fresh("offered", ({ key }) => offered(key)),
  "POST /v1/numbers/:id/release": fresh("released", ({ key }) => claimed(key)),
  "GET /v1/numbers/:id/chatapp/call-settings": row,
  "PUT /v1/numbers/:id/chatapp/call-settings": { ...row, body: () => ({ ...initialSettings, status: "ENABLED" }) },
  "POST /v1/numbers/:id/chatapp/trunk": chatNumber,
  "GET /v1/numbers/:id/chatapp/trunk": kept("chat_number"),
  "POST /v1/numbers/:id/chatapp/trunk/retry": {
    ...kept("chat_number"),
    prepare: ({ key, rows }) =>
      until(
        "failed trunk of the chat app",
        sent(key, "GET", `/v1/numbers/${rows["chat_number"]}/chatapp/trunk`),
        ({ status }) => status === "failed"
      )
  },
  "GET /v1/numbers/:id/sip-credentials": row,
  "POST /v1/webrtc/token": { ...row, body: ({ numbers }) => ({ number_id: numbers }) },
  "POST /v1/numbers/:id/sip-credentials": { ...row, body: () => ({ extension: "1002" }) },
  "POST /v1/numbers/:id/sip-credentials/:credential_id/rotate": row,
  "POST /v1/numbers/:id/sip-credentials/:credential_id/revoke": row,
  "DELETE /v1/numbers/:id/sip-credentials/:credential_id": {
    ...row,
    prepare: ({ key, rows }) =>
      Effect.map(post(key, `/v1/numbers/${rows["numbers"]}/sip-credentials`, { extension: "1003" }), ({ id }) => {
        rows["credential_id"] = String(id)
      })
  },
  "POST /v1/caller-ids": { ...own, body: (_, { strangers: [number] }) => ({ number }) },
  "GET /v1/caller-ids": own,
  "GET /v1/caller-ids/:id": freshCallerId,
  "POST /v1/caller-ids/:id/verify": { ...kept("caller_id"), body: () => ({ code: testCode }) },
  "DELETE /v1/caller-ids/:id": kept("caller_id"),
  "POST /v1/sip-trunk": { ...onTrunk, body: () => digest },
  "GET /v1/sip-trunk": { ...onTrunk, prepare: activeTrunk },
  "PUT /v1/sip-trunk": { ...onTrunk, body: () => ({ ...digest, username: "v" }) },
  "POST /v1/numbers/byo": {
    ...onTrunk,
    prepare: (mode) => Effect.andThen(activeTrunk(mode), proveNumber(mode.trunk_key, mode.strangers[1])),
    body: (_, { strangers }) => ({ number: strangers[1] })
  },
  "DELETE /v1/numbers/byo/:id": {
    ...fresh("brought", ({ trunk_key }) =>
      Effect.map(list(trunk_key, "/v1/numbers"), ([number]) => String(number!["id"]))
    ),
    by: "trunk"
  },
  "DELETE /v1/sip-trunk": onTrunk,
  "POST /v1/webhooks": { ...own, body: () => ({ url: "http://127.0.0.1:9/more", events: ["call.completed"] }) },
  "GET /v1/webhooks": own,
  "GET /v1/webhooks/:id": row,
  "PATCH /v1/webhooks/:id": { ...row, body: () => ({ description: "Changed." }) },
  "POST /v1/webhooks/:id/rotate-secret": row,
  "POST /v1/webhooks/:id/test": row,
  "POST /v1/webhooks/:id/doctor": row,
  "POST /v1/webhooks/:id/replay": {
    ...row,
    body: () => ({ from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() })
  },
  "GET /v1/webhooks/:id/deliveries": row,
  "GET /v1/webhooks/:id/deliveries/:delivery_id": row,
  "POST /v1/webhooks/:id/deliveries/:delivery_id/retry": row,
  "DELETE /v1/webhooks/:id": row,
  "GET /v1/workspace": own,
  "GET /v1/workspace/calling-policy": own,
  "PATCH /v1/workspace/calling-policy": { ...own, by: "owner", body: () => ({ max_concurrent_calls: 3 }) },
  "POST /v1/workspace/rotate-voice-secret": { ...own, by: "owner" },
  "GET /v1/key": onTrunk,
  "GET /v1/audit": own,
  "GET /v1/audit/verify": own,
  "POST /v1/workspace": shared,
  "PATCH /v1/workspace": shared,
  "POST /v1/workspace/close": shared,
  "POST /v1/api-keys": shared,
  "GET /v1/api-keys": shared,
  "GET /v1/api-keys/:id": shared,
  "POST /v1/api-keys/:id/revoke": shared,
  "GET /v1/members": shared,
  "PATCH /v1/members/:user_id": shared,
  "DELETE /v1/members/:user_id": shared,
  "POST /v1/invitations": shared,
  "GET /v1/invitations": shared,
  "DELETE /v1/invitations/:id": shared,
  "POST /v1/invitations/:id/resend": shared,
  "GET /v1/.well-known/jwks.json": none
}
