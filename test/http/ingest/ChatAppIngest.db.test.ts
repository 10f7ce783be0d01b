import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { createHmac } from "node:crypto"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import type { NumberId } from "../../../src/domain/BrandedIds.ts"

const secret = "app-secret"
const path = "/v1/ingest/chatapp"
const sign = (body: string, key = secret) => `sha256=${createHmac("sha256", key).update(body).digest("hex")}`

/** The bytes as they are: what a JSON client would send may have other blanks than what was signed. */
const post = (body: string, signature: string | undefined = sign(body)) =>
  ask({
    path,
    body,
    headers: { "content-type": "application/json", ...(signature && { "x-hub-signature-256": signature }) }
  })

const document = (phone_number_id: string, id: string, at: number, response = "accept") =>
  JSON.stringify(
    {
      object: "whatsapp_business_account",
      entry: [
        {
          id: "77",
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id, display_phone_number: phone_number_id },
                messages: [
                  {
                    id,
                    from: "254711000001",
                    timestamp: String(Math.floor(at / 1_000)),
                    type: "interactive",
                    interactive: { type: "call_permission_reply", call_permission_reply: { response } }
                  }
                ]
              }
            }
          ]
        }
      ]
    },
    null,
    1
  )

const told = (number_id: NumberId) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql<{ readonly payload: { readonly permission: unknown } & Readonly<Record<string, unknown>> }>`
    SELECT payload FROM events WHERE subject_id = ${number_id} AND kind = 'chatapp.permission_changed' ORDER BY sequence`
  )

layer(layerWith({ GRAPH_APP_SECRET: secret, GRAPH_VERIFY_TOKEN: "verify-me", RATE_LIMITS: "off" }), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("the ingest of the chat-app provider", (it) => {
  it.effect("confirms its address to a request with the verify token", () =>
    Effect.gen(function* () {
      const greet = (query: string) => ask({ path: `${path}?${query}` })
      const greeted = yield* greet("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=verify-me")
      assert.deepStrictEqual(
        [greeted.status, greeted.text, greeted.headers.get("content-type")],
        [200, "1158201444", "text/plain"]
      )
      for (const query of [
        "",
        "hub.mode=subscribe&hub.challenge=1&hub.verify_token=other",
        "hub.mode=subscribe&hub.challenge=1",
        "hub.challenge=1&hub.verify_token=verify-me",
        "hub.mode=subscribe&hub.verify_token=verify-me",
        "hub.mode=subscribe&hub.challenge=%3Cscript%3E&hub.verify_token=verify-me"
      ])
        assert.strictEqual((yield* greet(query)).code, "not_found", query)
    })
  )

  it.effect(
    "publishes each permission once to the workspace of the number, and accepts notices about unknown numbers",
    () =>
      Effect.gen(function* () {
        const { api_key: key, number, other_workspace } = yield* DemoFile
        const now = yield* Clock.currentTimeMillis
        const taken = (id: string, at = now, response?: string, to = number.number) =>
          Effect.map(post(document(to, id, at, response)), ({ body, status }) => ({ body, status }))
        const yes = { status: 200, body: { taken: 1 } }

        // Nobody uses the number there yet.
        assert.deepStrictEqual(yield* taken("wamid.0"), yes)
        const wrote = yield* ask({
          method: "PUT",
          path: `/v1/numbers/${number.id}/chatapp/call-settings`,
          key,
          body: { ...initialSettings, status: "ENABLED" }
        })
        assert.strictEqual(wrote.status, 200)
        const since = yield* Clock.currentTimeMillis
        for (const id of ["wamid.1", "wamid.1"]) assert.deepStrictEqual(yield* taken(id, since), yes)
        assert.deepStrictEqual(yield* taken("wamid.2", since, "reject"), yes)
        yield* Effect.all(
          Array.from({ length: 5 }, () => taken("wamid.3", since)),
          { concurrency: 5 }
        )
        // A notice from before the number was theirs, one for an unknown number, one for another workspace's number.
        assert.deepStrictEqual(yield* taken("wamid.4", now - 3_600_000), yes)
        assert.deepStrictEqual(yield* taken("wamid.5", since, "accept", "+254799999999"), yes)
        assert.deepStrictEqual(yield* taken("wamid.6", since, "accept", other_workspace.number.number), yes)

        const rows = yield* told(number.id)
        const permission = {
          user: "+254711000001",
          permanent: false,
          expires_at: null,
          source: "user",
          replied_at: new Date(Math.floor(since / 1_000) * 1_000).toISOString()
        }
        assert.deepStrictEqual(
          rows.map(({ payload }) => payload.permission),
          ["granted", "denied", "granted"].map((status) => ({ ...permission, status }))
        )
        assert.deepInclude(rows[0]!.payload, {
          kind: "chatapp.permission_changed",
          number_id: number.id,
          number: number.number
        })
        assert.lengthOf(yield* told(other_workspace.number.id), 0)
      })
  )

  it.effect("is not found if the body is not signed with the app's secret", () =>
    Effect.gen(function* () {
      const { number } = yield* DemoFile
      const body = document(number.number, "wamid.9", yield* Clock.currentTimeMillis)
      const before = (yield* told(number.id)).length
      for (const signature of [
        "",
        "sha256=",
        sign(body, "other"),
        sign(`${body} `),
        sign(body).toUpperCase(),
        sign(body).slice(7),
        `sha1=${"0".repeat(40)}`
      ]) {
        const answer = yield* post(body, signature)
        assert.deepStrictEqual([answer.status, answer.code], [404, "not_found"], signature)
      }
      assert.lengthOf(yield* told(number.id), before)
    })
  )

  it.effect("refuses signed bodies that are not notices or are too long", () =>
    Effect.gen(function* () {
      for (const body of ["{", "[]", "{}", '{"object":"page","entry":[]}'])
        assert.strictEqual((yield* post(body)).code, "validation.bad_request", body)
      assert.deepStrictEqual((yield* post('{"object":"whatsapp_business_account","entry":[]}')).body, { taken: 0 })
      assert.strictEqual((yield* post(" ".repeat(3 * 1024 * 1024 + 1))).code, "validation.payload_too_large")
      assert.strictEqual((yield* ask({ path, method: "PUT", body: {} })).headers.get("allow"), "GET, POST")
    })
  )
})

layer(layerWith({}), { excludeTestServices: true, timeout: "60 seconds" })(
  "the ingest of a deployment without the app's secret",
  (it) => {
    it.effect("is closed, even for a body signed with an empty secret", () =>
      Effect.gen(function* () {
        const body = '{"object":"whatsapp_business_account","entry":[]}'
        for (const signature of [sign(body, ""), sign(body, "undefined"), undefined])
          assert.strictEqual((yield* post(body, signature)).code, "not_found")
        assert.strictEqual(
          (yield* ask({ path: `${path}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=` })).code,
          "not_found"
        )
      })
    )
  }
)
