import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import type { CallStats } from "../../../src/domain/calls/views/CallStats.ts"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { CallNotFound } from "../../../src/domain/errors/CallErrors.ts"
import { Api } from "../../../src/http/api/Api.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask, origin } from "../../support/HttpTester.ts"
import { bodyTo, busy, eventually, never, originate, unrated } from "../../support/EngineRequests.ts"
import { toSessionId } from "../../../src/domain/BrandedIds.ts"

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("the API over the engine", (it) => {
  it.effect(
    "places a call that only its workspace can read, list, follow and end",
    () =>
      Effect.gen(function* () {
        const { api_key: key, other_workspace } = yield* DemoFile
        const before = (yield* ask({ path: "/v1/wallet/balance", key })).body as {
          balance_minor: number
          held_minor: number
        }
        const placed = yield* originate(never, { client_reference: "ref-1", metadata: { a: "b" } })
        assert.strictEqual(placed.status, 201)
        const call = placed.body as CallRecord
        assert.deepInclude(call, {
          status: "ringing",
          to: never,
          client_reference: "ref-1",
          direction: "outbound",
          currency: "KES"
        })
        assert.strictEqual(placed.headers.get("location"), `/v1/calls/${call.id}`)

        const held = (yield* ask({ path: "/v1/wallet/balance", key })).body as typeof before & {
          available_minor: number
        }
        assert.strictEqual(held.held_minor, before.held_minor + call.rate_per_min_minor)
        assert.strictEqual(held.available_minor, held.balance_minor - held.held_minor)

        const read = (yield* ask({ path: placed.headers.get("location")!, key })).body as CallRecord & {
          events: Array<{ kind: string }>
        }
        assert.strictEqual(read.id, call.id)
        assert.strictEqual(read.events[0]!.kind, "call.ringing")
        for (const query of ["client_reference=ref-1", "status=ringing", `to=${encodeURIComponent(never)}`]) {
          const listed = (yield* ask({ path: `/v1/calls?${query}`, key })).body as Array<CallRecord>
          assert.deepStrictEqual(
            listed.map(({ id }) => id),
            [call.id],
            query
          )
        }
        const stats = (yield* ask({ path: "/v1/calls/stats?group_by=direction", key })).body as CallStats
        assert.deepInclude(stats.totals, { calls: 1, answered: 0, asr: 0, partial: true })
        assert.deepInclude(stats.buckets[0]!, { direction: "outbound", calls: 1 })

        for (const path of ["", "/events"]) {
          const foreign = yield* ask({ path: `/v1/calls/${call.id}${path}`, key: other_workspace.api_key })
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "calls.not_found"])
        }
        const theirs = yield* ask({
          path: `/v1/calls/${call.id}/terminate`,
          method: "POST",
          key: other_workspace.api_key
        })
        assert.deepStrictEqual([theirs.status, theirs.code], [404, "calls.not_found"])
        assert.deepStrictEqual((yield* ask({ path: "/v1/calls", key: other_workspace.api_key })).body, [])

        const ended = yield* ask({ path: `/v1/calls/${call.session_id}/terminate`, method: "POST", key })
        assert.deepInclude(ended.body as object, { id: call.id, termination: "requested" })
        const again = yield* ask({ path: `/v1/calls/${call.id}/terminate`, method: "POST", key })
        assert.strictEqual(again.status, 200)
        assert.oneOf((again.body as { termination: string }).termination, ["already_requested", "already_ended"])
      }),
    15_000
  )

  it.effect(
    "places one call for many concurrent requests with the same Idempotency-Key",
    () =>
      Effect.gen(function* () {
        const { api_key: key } = yield* DemoFile
        const headers = { "idempotency-key": "double" }
        const doubles = yield* Effect.all(
          Array.from({ length: 16 }, () => originate(never, { client_reference: "double" }, headers)),
          { concurrency: "unbounded" }
        )
        const placed = doubles.filter(({ status }) => status === 201)
        assert.isAtLeast(placed.length, 1)
        for (const { code, status } of doubles)
          if (status !== 201) assert.deepStrictEqual([status, code], [409, "idempotency.in_progress"])
        const replayed = yield* originate(never, { client_reference: "double" }, headers)
        assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
        for (const { headers, text } of placed) {
          assert.strictEqual(text, replayed.text)
          assert.strictEqual(headers.get("location"), replayed.headers.get("location"))
        }
        const conflict = yield* originate(busy, {}, headers)
        assert.deepStrictEqual([conflict.status, conflict.code], [409, "idempotency.conflict"])
        const calls = (yield* ask({ path: "/v1/calls?client_reference=double", key })).body as Array<CallRecord>
        assert.lengthOf(calls, 1)

        const end = {
          path: `/v1/calls/${calls[0]!.id}/terminate`,
          method: "POST",
          key,
          headers: { "idempotency-key": "end" }
        }
        const first = yield* ask(end)
        assert.strictEqual((yield* ask(end)).text, first.text)
      }),
    15_000
  )

  it.effect("refuses valid requests that cannot be carried out with the right code", () =>
    Effect.gen(function* () {
      const { other_workspace, api_key: key, number } = yield* DemoFile
      const cases = [
        [bodyTo(unrated, number.number), 422, "calls.destination_refused"],
        [bodyTo("nobody", number.number), 422, "calls.invalid_destination"],
        [bodyTo(never, other_workspace.number.number), 404, "numbers.not_found"],
        [{ ...bodyTo(never, number.number), voice_callback_url: "ftp://x/" }, 422, "calls.invalid_callback_url"]
      ] as const
      for (const [body, status, code] of cases) {
        const refused = yield* ask({ path: "/v1/calls/originate", key, body })
        assert.deepStrictEqual([refused.status, refused.code], [status, code])
      }
    })
  )

  it.effect(
    "streams a call live until its end",
    () =>
      Effect.gen(function* () {
        const { api_key: key } = yield* DemoFile
        const placed = yield* originate(busy)
        const base = yield* origin
        const { id } = placed.body as CallRecord
        const text = yield* Effect.promise(async () =>
          (
            await fetch(`${base}/v1/calls/${id}/stream`, {
              headers: { authorization: `Bearer ${key}`, "last-event-id": "0" }
            })
          ).text()
        )
        const kinds = [...text.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind)
        assert.strictEqual(kinds[0], "call.ringing")
        assert.deepStrictEqual(kinds.slice(-2), ["call.busy", "end"])
        const sequences = [...text.matchAll(/^id: (\d+)$/gm)].map(([, sequence]) => Number(sequence))
        assert.deepStrictEqual(
          sequences,
          sequences.map((_, index) => index + 1)
        )
      }),
    15_000
  )

  it.effect("lists numbers and wallet entries", () =>
    Effect.gen(function* () {
      const { api_key: key, number, other_workspace } = yield* DemoFile
      const [mine] = (yield* ask({ path: "/v1/numbers", key })).body as Array<{
        id: string
        number: string
        status: string
      }>
      assert.deepInclude(mine!, { id: number.id, number: number.number, status: "active" })
      assert.strictEqual(
        (yield* ask({ path: `/v1/numbers/${number.id}`, key: other_workspace.api_key })).code,
        "numbers.not_found"
      )
      const entries = (yield* ask({ path: "/v1/wallet/statements?kind=manual_credit", key })).body as Array<{
        amount_minor: number
      }>
      assert.isAbove(entries[0]!.amount_minor, 0)
      assert.deepStrictEqual((yield* ask({ path: "/v1/wallet/statements?kind=refund", key })).body, [])
    })
  )

  it.effect(
    "sends responses that the typed client can decode",
    () =>
      Effect.gen(function* () {
        const { api_key, number } = yield* DemoFile
        const baseUrl = yield* origin
        const client = yield* HttpApiClient.make(Api, {
          baseUrl,
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(api_key))
        })
        const {
          body: call,
          headers: { location }
        } = yield* client.calls.originate({ headers: {}, payload: bodyTo(never, number.number) })
        assert.strictEqual(location, `/v1/calls/${call.id}`)
        const params = { id: call.id }
        assert.isNotEmpty((yield* client.calls.get({ params, query: {} })).events)
        assert.isNotEmpty((yield* client.calls.events({ params, query: {} })).body)
        assert.isNotEmpty(
          (yield* client.calls.list({ query: { limit: "1", from: number.number } })).headers["x-next-cursor"]
        )
        assert.strictEqual(
          (yield* client.calls.terminate({ params, headers: {}, payload: {} })).termination,
          "requested"
        )
        assert.isNotEmpty((yield* client.wallet.statements({ query: {} })).body)
        assert.strictEqual((yield* client.wallet.balance()).currency, "KES")
        assert.isTrue((yield* client.calls.destinationCheck({ query: { from: number.number, to: never } })).rated)
        assert.isFalse((yield* client.workspace.callingPolicy()).allow_high_risk)
        assert.isNotEmpty((yield* client.numbers.list({ query: {} })).body)
        const {
          body: { id }
        } = yield* client.webhooks.create({
          headers: {},
          payload: { url: "http://127.0.0.1:9/hook", events: ["wallet.*"] }
        })
        assert.strictEqual((yield* client.webhooks.get({ params: { id } })).id, id)
        assert.isNotEmpty(yield* client.webhooks.list())
        assert.isEmpty((yield* client.webhooks.deliveries({ params: { id }, query: {} })).body)
        assert.isNotEmpty((yield* client.keys.jwks()).keys)
        const refused = yield* Effect.flip(client.calls.get({ query: {}, params: { id: toSessionId("HD_none") } }))
        assert.instanceOf(refused, CallNotFound)
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    15_000
  )

  it.effect(
    "enforces a suspension and a key revocation within a second",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const {
          other_workspace: { api_key: key, number, workspace_id }
        } = yield* DemoFile
        const code = Effect.map(
          ask({ path: "/v1/calls/originate", key, body: bodyTo(unrated, number.number) }),
          ({ code }) => code
        )
        assert.strictEqual(yield* code, "calls.destination_refused")
        yield* sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${workspace_id}`
        yield* eventually(
          "suspended",
          Effect.map(code, (it) => it === "account.suspended")
        )
        yield* sql`UPDATE workspaces SET status = 'active' WHERE id = ${workspace_id}`
        yield* eventually(
          "reinstated",
          Effect.map(code, (it) => it === "calls.destination_refused")
        )
        yield* sql`UPDATE api_keys SET revoked_at = now() WHERE workspace_id = ${workspace_id}`
        yield* eventually(
          "revoked",
          Effect.map(code, (it) => it === "api_key.revoked")
        )
      }),
    15_000
  )
})
