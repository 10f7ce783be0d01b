// A workspace that has something of everything in both modes, for tests of what keeps the modes apart.
import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { DemoFile } from "../Engine.ts"
import { ask } from "../HttpTester.ts"
import { as, founder } from "../People.ts"
import { until } from "../Until.ts"

type Json = Readonly<Record<string, unknown>>

/** The ids of what a mode has, by the part of the path that comes before them, or by the name of the parameter. */
export type Rows = Record<string, string>

export interface Mode {
  readonly name: "test" | "live"
  /** The number that this mode proves, and the one that it brings. */
  readonly strangers: readonly [proved: string, brought: string]
  /** A key of the workspace that has claimed numbers. */
  readonly key: string
  readonly cookie: string
  /** A key of the workspace that has its own trunk. */
  readonly trunk_key: string
  readonly rows: Rows
}

/** Sends a request that must succeed. */
export const sent = (key: string, method: string, path: string, body?: object) =>
  Effect.map(ask({ path, key, method, ...(body !== undefined && { body }) }), (answer) => {
    assert.isBelow(answer.status, 400, `${method} ${path}: ${answer.text}`)
    return answer.body as Json
  })

export const post = (key: string, path: string, body?: object) => sent(key, "POST", path, body)

export const list = (key: string, path: string) =>
  Effect.map(ask({ path, key }), ({ body }) => body as ReadonlyArray<Json>)

/** Reads a list until it has a row, and returns the row's id. */
const firstOf = (key: string, path: string) =>
  Effect.map(
    until(`row in ${path}`, list(key, path), (rows) => rows.length > 0, { every_ms: 50 }),
    ([row]) => String(row!["id"])
  )

/** A number that can be claimed now. */
export const offered = (key: string, query = "") =>
  Effect.map(list(key, `/v1/numbers/available${query}`), ([item]) => String(item!["inventory_id"]))

/** Claims a number and returns its id. */
export const claimed = (key: string, query = "") =>
  Effect.flatMap(offered(key, query), (id) =>
    Effect.map(post(key, `/v1/numbers/${id}/claim`), (number) => String(number["id"]))
  )

/** Places a call to a number that never hangs up, and returns its id. */
export const placed = ({ key, rows }: Pick<Mode, "key" | "rows">, actions: ReadonlyArray<object>, more: object = {}) =>
  Effect.map(
    post(key, "/v1/calls/originate", { to: "+99900000022", from: rows["number"]!, actions, ...more }),
    (call) => String(call["id"])
  )

/** Places a call and waits until it is answered. */
export const answered = Effect.fnUntraced(function* (mode: Pick<Mode, "key" | "rows">) {
  const id = yield* placed(mode, [{ pause: { seconds: 60 } }])
  yield* until(
    "answered call",
    Effect.map(ask({ path: `/v1/calls/${id}`, key: mode.key }), ({ body }) => (body as Json)["status"]),
    (status) => status === "answered",
    { every_ms: 50 }
  )
  return id
})

/** Waits until something can be read. */
const untilThere = (key: string, path: string) =>
  until(
    path,
    Effect.map(ask({ path, key }), ({ status }) => status),
    (status) => status === 200,
    { every_ms: 50 }
  )

/** Numbers of both modes are on sale whose last digits make the simulated chat app refuse. */
const sellChatNumbers = Effect.gen(function* () {
  const { operator_session } = yield* DemoFile
  const cookie = `session=${operator_session}`
  const prices = [{ currency: "KES", monthly_price_minor: 100, inbound_per_min_minor: 1, outbound_per_min_minor: 2 }]
  const body = { country: "KE", prefix: "+2542090000", start_suffix: 97, end_suffix: 98, suffix_length: 2, prices }
  const series = yield* as(cookie, { path: "/v1/admin/number-series", body: { ...body, capabilities: ["voice"] } })
  const { id } = series.body as { readonly id: string }
  yield* as(cookie, { path: `/v1/admin/number-series/${id}/generate`, body: {} })
})

/** The numbers of the test network are made once somebody looks at them. */
const addTestChatNumber = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`
    INSERT INTO numbers (id, series_id, number, status, source, country, type, locality, capabilities)
    SELECT gen_random_uuid(), series_id, '+99910000097', status, source, country, type, locality, capabilities
    FROM numbers WHERE number LIKE '+999%' AND status = 'available' LIMIT 1`
})

/** Gives a mode money with a saved card, a number with a credential, a subscription, calls and a conference. */
const fill = Effect.fnUntraced(function* (key: string) {
  const payment = { provider: "card", amount_minor: 1_000_000, currency: "KES", save_card: true }
  const topup = yield* post(key, "/v1/topups", payment)
  yield* untilThere(key, `/v1/topups/${String(topup["topup_id"])}/receipt`)
  const number = yield* post(key, `/v1/numbers/${yield* offered(key)}/claim`)
  const numbers = String(number["id"])
  const credential = yield* post(key, `/v1/numbers/${numbers}/sip-credentials`, { extension: "1001" })
  const webhook = yield* post(key, "/v1/webhooks", { url: "http://127.0.0.1:9/hook", events: ["*"] })
  const rows: Rows = { number: String(number["number"]), numbers, topups: String(topup["topup_id"]) }
  const mode = { key, rows }
  const recorded = yield* placed(mode, [{ pause: { seconds: 1 } }, { hangup: {} }], { record: "record-from-answer" })
  const guest = yield* placed(mode, [{ conference: { name: "team" } }])
  yield* placed(mode, [{ conference: { name: "team" } }])
  yield* until(
    "participants",
    list(key, "/v1/conferences"),
    ([conference]) => conference?.["participant_count"] === 2,
    { every_ms: 50 }
  )
  yield* untilThere(key, `/v1/calls/${recorded}/recording`)
  yield* untilThere(key, `/v1/calls/${recorded}/charge`)
  const link = yield* sent(key, "GET", `/v1/calls/${recorded}/recording`)
  return Object.assign(rows, {
    credential_id: String(credential["id"]),
    webhooks: String(webhook["id"]),
    delivery_id: yield* firstOf(key, `/v1/webhooks/${String(webhook["id"])}/deliveries`),
    calls: recorded,
    call_id: guest,
    conferences: yield* firstOf(key, "/v1/conferences"),
    recordings: yield* firstOf(key, "/v1/recordings"),
    token: new URL(String(link["download_url"])).searchParams.get("token") ?? ""
  })
})

/**
 * Gives the workspace with a trunk an entry of a month that has ended, so that it has an invoice. The entry that a
 * sandbox has from its start is moved there.
 */
const oldEntry = Effect.fnUntraced(function* ({ rows, trunk_key }: Mode) {
  const sql = yield* PgClient.PgClient
  const { id } = yield* sent(trunk_key, "GET", "/v1/workspace")
  const at = new Date(Date.now() - 40 * 86_400_000)
  const [first] = yield* sql<{ readonly id: string }>`
    SELECT id FROM ledger_entries WHERE workspace_id = ${String(id)} AND sequence = 1`
  rows["month"] = at.toISOString().slice(0, 7)
  rows["old_entry"] = first?.id ?? randomUUID()
  if (first === undefined)
    return yield* sql`
      INSERT INTO ledger_entries (id, workspace_id, sequence, kind, amount_minor, balance_after_minor, currency,
        reference_type, reference_id, description, created_at, actor, metadata)
      VALUES (${rows["old_entry"]}, ${String(id)}, 1, 'manual_credit', 500, 500, 'KES', 'adjustment', 'r', '',
        ${at}, '{}', '{}')`
  // Triggers keep the ledger append-only.
  yield* sql.withTransaction(
    Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      sql`UPDATE ledger_entries SET created_at = ${at} WHERE id = ${first.id}`
    )
  )
})

/** Two workspaces of two people, one of which has its own trunk, with a key of each mode. */
export const makeModes = Effect.gen(function* () {
  yield* sellChatNumbers
  const { cookie } = yield* founder("modes@example.com")
  const { cookie: trunk_cookie } = yield* founder("trunk@example.com")
  const make = Effect.fnUntraced(function* (name: Mode["name"], strangers: Mode["strangers"]) {
    const mint = (cookie: string) =>
      Effect.map(
        as(cookie, { path: "/v1/api-keys", body: { label: name, scopes: Scope.literals, env: name } }),
        (made) => String((made.body as Json)["key"])
      )
    const key = yield* mint(cookie)
    const mode: Mode = { name, strangers, key, cookie, trunk_key: yield* mint(trunk_cookie), rows: {} }
    return mode
  })
  const test = yield* make("test", ["+99911600001", "+99911600002"])
  const live = yield* make("live", ["+254711600001", "+254711600002"])
  yield* Effect.forEach([test, live], (mode) => Effect.map(fill(mode.key), (rows) => Object.assign(mode.rows, rows)), {
    concurrency: 2
  })
  yield* Effect.forEach([test, live], oldEntry)
  yield* addTestChatNumber
  return { test, live }
})
