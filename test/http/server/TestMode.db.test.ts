// No live row can be reached with a test key, and no row of test mode with a live key, on any route of the contract.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { Api } from "../../../src/http/api/Api.ts"
import { layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { as, founder } from "../../support/People.ts"
import { until } from "../../support/Until.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

const routes: Array<readonly [method: string, path: string]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => void routes.push([method, path])
})

type Json = Readonly<Record<string, unknown>>

type Rows = Readonly<Record<string, string>>

/** Reads a list until it has a row. */
const firstOf = (key: string, path: string) =>
  Effect.map(
    until(
      `row in ${path}`,
      Effect.map(ask({ path, key }), ({ body }) => body as ReadonlyArray<Json>),
      (rows) => rows.length > 0,
      { every_ms: 100 }
    ),
    ([row]) => String(row!["id"])
  )

/**
 * A new workspace with a key of each mode. In both modes it has money, a number with a credential, a subscription with
 * a delivery, a top-up, a recorded call that has ended, and a call in a conference.
 */
const prepare = Effect.gen(function* () {
  const { cookie } = yield* founder("modes@example.com")
  const mint = (env: string) =>
    Effect.map(
      as(cookie, { path: "/v1/api-keys", body: { label: env, scopes: Scope.literals, env } }),
      ({ body }) => (body as { readonly key: string }).key
    )
  const fill = Effect.fnUntraced(function* (key: string) {
    const post = (path: string, body?: object) =>
      Effect.map(ask({ path, key, method: "POST", ...(body && { body }) }), (answer) => {
        assert.isBelow(answer.status, 300, `${path}: ${answer.text}`)
        return answer.body as Json
      })
    const topup = yield* post("/v1/topups", { provider: "card", amount_minor: 1_000_000, currency: "KES" })
    const balance = Effect.map(ask({ path: "/v1/wallet/balance", key }), ({ body }) =>
      Number((body as Json)["balance_minor"])
    )
    yield* until("money in the wallet", balance, (minor) => minor !== 0, { every_ms: 100 })
    const [offer] = (yield* ask({ path: "/v1/numbers/available", key })).body as ReadonlyArray<Json>
    const number = yield* post(`/v1/numbers/${String(offer!["inventory_id"])}/claim`)
    const credential = yield* post(`/v1/numbers/${String(number["id"])}/sip-credentials`, { extension: "1001" })
    const webhook = yield* post("/v1/webhooks", { url: "http://127.0.0.1:9/hook", events: ["*"] })
    const originate = (actions: ReadonlyArray<object>, more: object = {}) =>
      post("/v1/calls/originate", { to: "+99900000022", from: number["number"], actions, ...more })
    const call = yield* originate([{ pause: { seconds: 1 } }, { hangup: {} }], { record: "record-from-answer" })
    yield* originate([{ conference: { name: "team" } }])
    const rows: Rows = {
      topups: String(topup["topup_id"]),
      numbers: String(number["id"]),
      credential_id: String(credential["id"]),
      webhooks: String(webhook["id"]),
      delivery_id: yield* firstOf(key, `/v1/webhooks/${String(webhook["id"])}/deliveries`),
      calls: String(call["id"]),
      conferences: yield* firstOf(key, "/v1/conferences"),
      recordings: yield* firstOf(key, "/v1/recordings")
    }
    return { key, rows, objects: [call, webhook] }
  })
  const keys = [yield* mint("test"), yield* mint("live")] as const
  const [test, live] = yield* Effect.all([fill(keys[0]), fill(keys[1])], { concurrency: 2 })
  return { test, live }
})

/** The rows that the parameters of a path name: the first is that of its kind. A month is nobody's row. */
const pathTo = (template: string, of: Rows, withinOf = of): string => {
  const kind = template.split("/")[2]!
  return template
    .replace(":month", "2026-01")
    .replace(/:call_id/, of["calls"]!)
    .replace(/:(credential_id|delivery_id)/, (_, name: string) => of[name]!)
    .replace(/:[a-z_]+/, withinOf[kind] ?? withinOf["calls"]!)
}

const namesRowOf = (rows: Rows, path: string): boolean => Object.values(rows).some((id) => path.includes(id))

/** Where each row is read in its own mode: it is still there when the other mode has tried everything. */
const ownPaths = {
  topups: ({ topups }: Rows) => `/v1/topups/${topups}`,
  numbers: ({ numbers }: Rows) => `/v1/numbers/${numbers}`,
  credential_id: ({ numbers }: Rows) => `/v1/numbers/${numbers}/sip-credentials`,
  webhooks: ({ webhooks }: Rows) => `/v1/webhooks/${webhooks}`,
  delivery_id: ({ delivery_id, webhooks }: Rows) => `/v1/webhooks/${webhooks}/deliveries/${delivery_id}`,
  calls: ({ calls }: Rows) => `/v1/calls/${calls}`,
  conferences: ({ conferences }: Rows) => `/v1/conferences/${conferences}`,
  recordings: () => "/v1/recordings"
}

suite("the two modes of a workspace", (it) => {
  it.effect(
    "share no row on any route",
    () =>
      Effect.gen(function* () {
        const { live, test } = yield* prepare
        assert.isTrue(live.objects.every(({ livemode }) => livemode === true))
        assert.isTrue(test.objects.every(({ livemode }) => livemode === false))
        const seen: Array<string> = []
        for (const [method, template] of routes) {
          if (template.startsWith("/v1/admin") || template.startsWith("/v1/auth")) continue
          // Streams do not end: test/http/stream follows them in both modes.
          if (template.endsWith("/stream")) continue
          const named = template.includes(":") && !template.includes(":month")
          if (!named && method !== "GET") continue
          for (const [mine, other] of [
            [test, live],
            [live, test]
          ] as const) {
            const paths = new Set([pathTo(template, other.rows), pathTo(template, other.rows, mine.rows)])
            // A path that names rows of this mode alone is no attempt.
            for (const path of [...paths].filter((path) => !named || namesRowOf(other.rows, path))) {
              const { status, text } = yield* ask({
                method,
                path,
                key: mine.key,
                ...(method !== "GET" && method !== "DELETE" && { body: {} })
              })
              const where = `${method} ${path} with a ${mine === test ? "test" : "live"} key`
              if (named) assert.isAtLeast(status, 400, where)
              // An error may repeat the path.
              const told = Object.values(other.rows).filter((id) => !path.includes(id) && text.includes(id))
              assert.deepStrictEqual(told, [], where)
              seen.push(where)
            }
          }
        }
        assert.isAbove(seen.length, 120)
        for (const { key, rows } of [live, test]) {
          for (const [kind, id] of Object.entries(rows)) {
            const path = ownPaths[kind as keyof typeof ownPaths](rows)
            const { status, text } = yield* ask({ path, key })
            assert.strictEqual(status, 200, `${path}: ${text}`)
            assert.include(text, id, path)
          }
        }
      }),
    60_000
  )
})
