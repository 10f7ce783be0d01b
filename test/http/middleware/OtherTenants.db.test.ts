// Whatever of another workspace is asked for answers exactly as what never was.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { Api } from "../../../src/http/api/Api.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { type Answer, ask } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

/**
 * Endpoints whose path names something. Operators' routes, people's own sessions, signed links, the shop window and
 * lookups of any number are apart.
 */
const named: Array<string> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => {
    if (path.includes("/:") && !/^\/v1\/(admin|auth|lookup)\/|\/audio$|\/claim$/.test(path))
      named.push(`${method} ${path}`)
  }
})

/** Bodies that are good, so that nothing but the name can be at fault. */
const bodies: Readonly<Record<string, unknown>> = {
  "POST /v1/calls/:id/update": { mute: true },
  "PATCH /v1/numbers/:id/routing": { ring_timeout_seconds: 20 },
  "PUT /v1/numbers/:id/routing": {},
  "POST /v1/numbers/:id/sip-credentials": { extension: "1234" },
  "POST /v1/caller-ids/:id/verify": { code: "123456" },
  "POST /v1/conferences/:id/participants": { to: "+99900000001", from: "+254700000001" },
  "POST /v1/conferences/:id/announce": { say: { text: "Hello." } },
  "PUT /v1/numbers/:id/chatapp/call-settings": initialSettings,
  "PATCH /v1/webhooks/:id": { description: "mine now" },
  "POST /v1/webhooks/:id/replay": { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", only: "all" },
  "PATCH /v1/members/:user_id": { role: "viewer" }
}

const said = ({ code, status }: Answer): string => `${status} ${code}`

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("another workspace", (it) => {
  it.effect(
    "can neither read nor change a resource by its id, and cannot tell it from one that never existed",
    () =>
      Effect.gen(function* () {
        const { api_key: key, number, other_workspace, owner_session } = yield* DemoFile
        const idOf = ({ body }: Answer) => (body as { readonly id: string }).id
        const mine = { path: "", key }
        const call = yield* ask({
          ...mine,
          path: "/v1/calls/originate",
          body: {
            to: "+99900000003",
            from: number.number,
            voice_callback_url: "http://127.0.0.1:9/voice",
            timeout_seconds: 600
          }
        })
        assert.strictEqual(call.status, 201, call.text)
        const { id: call_id, session_id } = call.body as CallRecord
        const webhook_id = idOf(
          yield* ask({ ...mine, path: "/v1/webhooks", body: { url: "http://127.0.0.1:9/hook", events: ["call.*"] } })
        )
        const credential_id = idOf(
          yield* ask({ ...mine, path: `/v1/numbers/${number.id}/sip-credentials`, body: { extension: "1001" } })
        )
        const api_key_id = idOf(
          yield* ask({
            path: "/v1/api-keys",
            headers: { cookie: `session=${owner_session}` },
            body: { label: "Mine", scopes: ["calls.read"] }
          })
        )
        yield* ask({
          ...mine,
          path: "/v1/calls/originate",
          body: { to: "+99900000001", from: number.number, actions: [{ conference: { name: "mine" } }] }
        })
        const conferences = Effect.map(
          ask({ ...mine, path: "/v1/conferences" }),
          ({ body }) => body as ReadonlyArray<{ readonly id: string }>
        )
        const [conference] = yield* until("conference", conferences, ({ length }) => length > 0)
        assert.isDefined(conference)
        const pool = [call_id, session_id, number.id, webhook_id, credential_id, api_key_id, conference?.id ?? ""]

        const asOther = (door: string, id: string) => {
          const [method, template] = door.split(" ") as [string, string]
          const path = template.replaceAll(/:[a-z_]+/g, id)
          const body = method === "GET" || method === "DELETE" ? {} : { body: bodies[door] ?? {} }
          return ask({ method, path, key: other_workspace.api_key, ...body })
        }
        const watched = ["/v1/webhooks", "/v1/numbers", `/v1/numbers/${number.id}/sip-credentials`]
        const look = Effect.forEach(watched, (path) => Effect.map(ask({ ...mine, path }), ({ text }) => text))
        const before = yield* look

        const same = Effect.fnUntraced(function* (door: string) {
          const unknown = yield* asOther(door, randomUUID())
          if (unknown.code === "api_key.scope_denied") return // for members alone
          assert.include([404, 409], unknown.status, `${door}: ${unknown.text}`)
          // The live stream of a session that nobody knows stays silent: of one that others have as well.
          const names = door.endsWith("/stream") ? pool.filter((id) => id !== session_id) : pool
          const answers = yield* Effect.forEach(names, (id) => asOther(door, id), { concurrency: 8 })
          for (const [index, answer] of answers.entries()) {
            // A session id is not a valid id for most endpoints.
            if (names[index] === session_id && answer.status === 404) continue
            assert.strictEqual(said(answer), said(unknown), `${door} with ${names[index]}`)
          }
        })
        // A live stream waits a while for a call that may be on its way.
        yield* Effect.forEach(named, same, { concurrency: 16, discard: true })
        assert.deepStrictEqual(yield* look, before)
        assert.deepInclude((yield* ask({ ...mine, path: `/v1/calls/${call_id}` })).body, {
          status: "ringing",
          terminating: false
        })
      }),
    90_000
  )
})
