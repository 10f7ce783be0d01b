// No live row can be reached with a test key, and no row of test mode with a live key, on any route of the contract.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { Api } from "../../../src/http/api/Api.ts"
import { layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { as, founder } from "../../support/People.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

const routes: Array<readonly [method: string, path: string]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => void routes.push([method, path])
})

type Json = Readonly<Record<string, unknown>>

/** A new workspace with a key of each mode, money, a number, a subscription, a call and a top-up in both modes. */
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
    while ((yield* balance) === 0) yield* Effect.sleep("200 millis")
    const [offer] = (yield* ask({ path: "/v1/numbers/available", key })).body as ReadonlyArray<Json>
    const number = yield* post(`/v1/numbers/${String(offer!["inventory_id"])}/claim`)
    const webhook = yield* post("/v1/webhooks", { url: "http://127.0.0.1:9/hook", events: ["*"] })
    const call = yield* post("/v1/calls/originate", {
      to: "+99900000003",
      from: number["number"],
      voice_callback_url: "http://127.0.0.1:9/voice"
    })
    return {
      key,
      ids: { topups: topup["topup_id"], numbers: number["id"], webhooks: webhook["id"], calls: call["id"] },
      objects: [call, webhook]
    }
  })
  const keys = [yield* mint("test"), yield* mint("live")] as const
  const [test, live] = yield* Effect.all([fill(keys[0]), fill(keys[1])], { concurrency: 2 })
  return { test, live }
})

suite("the two modes of a workspace", (it) => {
  it.effect("share no row on any route", () =>
    Effect.gen(function* () {
      const { live, test } = yield* prepare
      assert.isTrue(live.objects.every(({ livemode }) => livemode === true))
      assert.isTrue(test.objects.every(({ livemode }) => livemode === false))
      const seen: Array<string> = []
      for (const [method, template] of routes) {
        if (template.startsWith("/v1/admin") || template.startsWith("/v1/auth")) continue
        for (const [mine, other] of [
          [test, live],
          [live, test]
        ] as const) {
          const kind = template.split("/")[2] as keyof typeof mine.ids
          // What the other mode owns, by every route that names a row.
          const path = template
            .replace(/:[a-z_]+/, String(other.ids[kind] ?? other.ids.calls))
            .replaceAll(/:[a-z_]+/g, "x")
          // Streams do not end: test/http/stream follows them in both modes.
          if (template.endsWith("/stream")) continue
          const named = template.includes(":")
          if (!named && method !== "GET") continue
          const { status, text } = yield* ask({
            method,
            path,
            key: mine.key,
            ...(method !== "GET" && method !== "DELETE" && { body: {} })
          })
          const where = `${method} ${template} with a ${mine === test ? "test" : "live"} key`
          if (named) assert.isAtLeast(status, 400, where)
          // The path itself repeats an id; no answer has any other of the rows.
          for (const id of Object.values(other.ids)) assert.notInclude(text, String(id), where)
          seen.push(where)
        }
      }
      assert.isAbove(seen.length, 100)
    })
  )
})
