import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { default_policy } from "../../../src/domain/calls/CallingPolicy.ts"
import type { CallStats } from "../../../src/domain/calls/CallStats.ts"
import type { CallRecord } from "../../../src/domain/calls/CallRecord.ts"
import { CallNotFound } from "../../../src/domain/errors/CallErrors.ts"
import { Api } from "../../../src/http/api/Api.ts"
import type { DeliveryRecord } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { verifyWebhook } from "../../../src/layers/http-client/VerifyWebhook.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { answering, inTurn, receiver } from "../../support/Receiver.ts"
import { ask, origin } from "../../support/HttpTester.ts"

const never = "+99900000003"
const busy = "+99900000002"
const unrated = "+99900000007"

const bodyTo = (to: string, from: string, more: object = {}) => ({
  to,
  from,
  voice_callback_url: "http://127.0.0.1:9/voice",
  ...more
})

const originate = (to: string, more: object = {}, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { api_key: key, number } = yield* DemoFile
    return yield* ask({ path: "/v1/calls/originate", key, body: bodyTo(to, number.number, more), headers })
  })

const eventually = <R>(what: string, holds: Effect.Effect<boolean, never, R>) =>
  Effect.retry(
    Effect.filterOrFail(
      holds,
      (it) => it,
      () => new Error(`not within a second: ${what}`)
    ),
    {
      schedule: Schedule.spaced("5 millis"),
      times: 200
    }
  )

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("the API over the engine", (it) => {
  it.effect(
    "places a call that can be read, listed, followed and ended by its workspace alone",
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
    "keeps the answer with the call: one of many doubles is placed",
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

  it.effect("sends the events of a call to the events_url that it names, and those of no other", () =>
    Effect.gen(function* () {
      const { api_key: key } = yield* DemoFile
      const { received, requests, url } = yield* receiver(answering(204))
      const refused = yield* originate(busy, { events_url: "ftp://x/" })
      assert.deepStrictEqual([refused.status, refused.code], [422, "calls.invalid_callback_url"])
      const named = [yield* originate(busy, { events_url: url }), yield* originate(busy, { events_url: url })]
      yield* originate(busy)
      yield* received(4)
      const told = requests.map(({ body }) => JSON.parse(body) as { event_kind: string; payload: { id: string } })
      assert.deepStrictEqual(told.map(({ event_kind }) => event_kind).toSorted(), [
        "call.busy",
        "call.busy",
        "call.ringing",
        "call.ringing"
      ])
      assert.sameMembers(
        told.map(({ payload }) => payload.id),
        named.flatMap(({ body }) => [(body as CallRecord).id, (body as CallRecord).id])
      )
      const listed = (yield* ask({ path: "/v1/webhooks", key })).body as Array<{
        id: string
        source: string
        url: string
      }>
      const [subscription, ...more] = listed.filter(({ source }) => source === "call")
      assert.deepStrictEqual([subscription!.url, more.length], [url, 0])
      const replay = { path: `/v1/webhooks/${subscription!.id}/replay`, key, headers: { "idempotency-key": "again" } }
      const span = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }
      const first = yield* ask({ ...replay, body: span })
      assert.deepStrictEqual([first.status, (first.body as { queued: number }).queued], [202, 0])
      assert.strictEqual((yield* ask({ ...replay, body: span })).text, first.text)
      assert.strictEqual(
        (yield* ask({ ...replay, body: { ...span, from: "yesterday" }, headers: {} })).code,
        "validation.bad_request"
      )
      yield* ask({ path: `/v1/webhooks/${subscription!.id}`, method: "DELETE", key })
    })
  )

  it.effect("refuses by meaning with the right code", () =>
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
    "tells beforehand what a call would be told, and what it would cost",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        // No call of another test moves this one's money.
        const {
          number: foreign,
          other_workspace: { api_key: key, number, workspace_id }
        } = yield* DemoFile
        const check = (to: string, from = number.number) =>
          ask({ path: `/v1/calls/destination-check?${new URLSearchParams({ from, to })}`, key })
        const { available_minor } = (yield* ask({ path: "/v1/wallet/balance", key })).body as {
          available_minor: number
        }
        assert.deepStrictEqual((yield* check("0711 000-001")).body, {
          to: "0711 000-001",
          from: number.number,
          rated: true,
          message: "A minute to this destination costs 3.00 KES.",
          country: "KE",
          matched_prefix: "254",
          rate_per_min_minor: 300,
          currency: "KES",
          sufficient_funds: true,
          affordable_minutes: Math.floor(available_minor / 300),
          normalized_to: "+254711000001"
        })
        const reasons = [
          [unrated, "rate_not_configured", null],
          ["+12025550143", "rate_not_configured", null],
          ["112", "emergency_number", null],
          ["+256712345678", "country_not_allowed", 1200],
          ["+234 803 123 4567", "prefix_blocked", 1100],
          ["+233 24 123 4567", "rate_above_limit", 1600]
        ] as const
        const [before] = yield* sql<{
          readonly calling_policy: object
        }>`SELECT calling_policy FROM workspaces WHERE id = ${workspace_id}`
        const policy = {
          allowed_countries: ["KE", "NG", "GH"],
          blocked_prefixes: ["234803"],
          allow_high_risk: false,
          max_rate_per_min_minor: 1500,
          max_concurrent_calls: 0
        }
        yield* sql`UPDATE workspaces SET calling_policy = ${JSON.stringify(policy)}::json WHERE id = ${workspace_id}`
        const read = Effect.map(
          ask({ path: "/v1/workspace/calling-policy", key }),
          ({ body }) => body as Record<string, unknown>
        )
        yield* eventually(
          "the policy",
          Effect.map(read, ({ max_concurrent_calls }) => max_concurrent_calls === 0)
        )
        assert.deepStrictEqual(yield* read, { ...default_policy, ...policy })
        for (const [to, reason, rate_per_min_minor] of reasons) {
          const { body, status } = yield* check(to)
          assert.strictEqual(status, 200)
          assert.deepInclude(body as object, { to, rated: false, reason, rate_per_min_minor })
          const { normalized_to } = body as { normalized_to: string | null }
          const refused = yield* ask({
            path: "/v1/calls/originate",
            key,
            body: bodyTo(normalized_to ?? to, number.number)
          })
          assert.deepStrictEqual([refused.status, refused.code], [422, "calls.destination_refused"])
          const { error } = refused.body as { error: { reason: string; message: string } }
          assert.deepStrictEqual([error.reason, error.message], [reason, (body as { message: string }).message])
        }
        const full = yield* ask({ path: "/v1/calls/originate", key, body: bodyTo("+254711000001", number.number) })
        assert.deepStrictEqual([full.status, full.code], [429, "calls.concurrency_limit_reached"])
        const one_a_second = { ...before!.calling_policy, calls_per_second: 1 }
        yield* sql`UPDATE workspaces SET calling_policy = ${JSON.stringify(one_a_second)}::json WHERE id = ${workspace_id}`
        yield* eventually(
          "the pace",
          Effect.map(read, ({ calls_per_second }) => calls_per_second === 1)
        )
        const fast = yield* Effect.all(
          Array.from({ length: 3 }, () =>
            ask({ path: "/v1/calls/originate", key, body: bodyTo("+99900000002", number.number) })
          )
        )
        assert.deepStrictEqual(
          fast.map(({ code, status }) => code ?? status),
          [201, 201, "calls.rate_limited"]
        )
        assert.strictEqual(fast[2]?.headers.get("retry-after"), "1")
        yield* sql`UPDATE workspaces SET calling_policy = ${JSON.stringify(before!.calling_policy)}::json WHERE id = ${workspace_id}`
        yield* eventually(
          "the policy of before",
          Effect.map(read, ({ calls_per_second }) => calls_per_second === 200)
        )
        const faults = [
          [yield* check("nobody"), 422, "calls.invalid_destination"],
          [yield* check(number.number), 422, "calls.invalid_destination"],
          [yield* check(never, foreign.number), 404, "numbers.not_found"],
          [yield* ask({ path: "/v1/calls/destination-check?to=1", key }), 400, "validation.bad_request"]
        ] as const
        for (const [fault, status, code] of faults) assert.deepStrictEqual([fault.status, fault.code], [status, code])
      }),
    15_000
  )

  it.effect(
    "tells a call live until it is over",
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

  it.effect(
    "manages a subscription from its first test to its end",
    () =>
      Effect.gen(function* () {
        const { api_key: key, other_workspace } = yield* DemoFile
        const hook = yield* receiver(inTurn(answering(204), answering(500), answering(500), answering(200)))
        const signers = (index: number) => {
          const { body, headers } = hook.requests[index]!
          const signature = String(headers["x-service-signature"])
          const now_seconds = Number(headers["webhook-timestamp"])
          return [secret, rotated.secret].map(
            (secret) => verifyWebhook({ body: Buffer.from(body), signature, secret, now_seconds }).ok
          )
        }
        const created = yield* ask({ path: "/v1/webhooks", key, body: { url: hook.url, events: ["call.busy"] } })
        const { id, secret } = created.body as { id: string; secret: string }
        const path = `/v1/webhooks/${id}`

        const rotation = {
          path: `${path}/rotate-secret`,
          method: "POST",
          key,
          headers: { "idempotency-key": "rotation" }
        }
        const answer = yield* ask(rotation)
        const rotated = answer.body as {
          id: string
          secret: string
          previous_expires_at: string
          requeued_deliveries: number
        }
        assert.deepStrictEqual([answer.status, rotated.id, rotated.requeued_deliveries], [200, id, 0])
        assert.strictEqual((yield* ask(rotation)).text, answer.text)

        const tested = yield* ask({ path: `${path}/test`, key, body: {}, headers: { "idempotency-key": "test" } })
        assert.deepInclude(tested.body as object, { http_status: 204, error: null })
        assert.strictEqual(
          (yield* ask({ path: `${path}/test`, key, body: {}, headers: { "idempotency-key": "test" } })).text,
          tested.text
        )
        assert.deepStrictEqual(
          [hook.requests.length, hook.requests[0]!.headers["x-service-event"], signers(0)],
          [1, "webhook.test", [true, true]]
        )

        yield* originate(busy)
        yield* hook.received(2)
        const list = Effect.map(
          ask({ path: `${path}/deliveries`, key }),
          ({ body }) => body as ReadonlyArray<DeliveryRecord>
        )
        yield* eventually(
          "retrying",
          Effect.map(list, ([first]) => first?.status === "retrying")
        )
        const [first] = yield* list
        const one = `${path}/deliveries/${first!.id}`
        assert.deepStrictEqual((yield* ask({ path: one, key })).body, first)
        yield* ask({ path: `${one}/retry`, method: "POST", key })
        yield* hook.received(3)
        yield* eventually(
          "tried twice",
          Effect.map(list, ([first]) => first?.attempts === 2)
        )
        const again = { path: `${one}/retry`, method: "POST", key, headers: { "idempotency-key": "again" } }
        const retried = yield* ask(again)
        assert.deepStrictEqual([retried.status, (retried.body as DeliveryRecord).status], [202, "retrying"])
        yield* hook.received(4)
        yield* eventually(
          "succeeded",
          Effect.map(list, ([first]) => first?.status === "succeeded")
        )
        assert.strictEqual((yield* ask(again)).text, retried.text)
        assert.deepStrictEqual(signers(3), [true, true])
        const ended = yield* ask({ ...again, headers: {} })
        assert.deepStrictEqual([ended.status, ended.code], [409, "webhooks.delivery_not_retryable"])

        const patched = yield* ask({ path, method: "PATCH", key, body: { status: "paused", description: "quiet" } })
        assert.deepInclude(patched.body as object, { status: "paused", description: "quiet", events: ["call.busy"] })
        assert.deepStrictEqual((yield* ask({ path, key })).body, patched.body)
        const bad = yield* ask({ path, method: "PATCH", key, body: { status: "disabled" } })
        assert.deepStrictEqual([bad.status, bad.code], [400, "validation.bad_request"])

        const routes = [
          ["PATCH", path],
          ["DELETE", path],
          ["POST", `${path}/rotate-secret`],
          ["POST", `${path}/test`],
          ["GET", one],
          ["POST", `${one}/retry`]
        ] as const
        const send = (method: string, path: string, key: string) =>
          ask({ path, method, key, ...(method === "PATCH" && { body: {} }) })
        for (const [method, path] of routes) {
          const foreign = yield* send(method, path, other_workspace.api_key)
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "webhooks.not_found"], `${method} ${path}`)
        }
        const removed = yield* ask({ path, method: "DELETE", key })
        assert.deepStrictEqual([removed.status, removed.text], [204, ""])
        for (const [method, path] of routes) {
          const gone = yield* send(method, path, key)
          assert.deepStrictEqual([gone.status, gone.code], [404, "webhooks.not_found"], `${method} ${path}`)
        }
      }),
    15_000
  )

  it.effect(
    "shows a subscription's secret once, and again to the same request",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { api_key: key, other_workspace } = yield* DemoFile
        const create = {
          path: "/v1/webhooks",
          key,
          body: { url: "http://127.0.0.1:9/hook", events: ["call.*"] },
          headers: { "idempotency-key": "hook" }
        }
        const created = yield* ask(create)
        assert.strictEqual(created.status, 201)
        const { id, secret } = created.body as { id: string; secret: string }
        assert.match(secret, /^whsec_/)
        const replayed = yield* ask(create)
        assert.strictEqual(replayed.text, created.text)
        assert.strictEqual(replayed.headers.get("location"), created.headers.get("location"))
        assert.isNull(replayed.headers.get("x-sealed"))
        assert.notProperty((yield* ask({ path: `/v1/webhooks/${id}`, key })).body, "secret")
        const [stored] = yield* sql<{ readonly text: string }>`
        SELECT string_agg(k.body || k.headers::text, '') || string_agg(s.state::text, '') AS text
        FROM idempotency_keys k, webhook_subscriptions s`
        assert.notInclude(stored!.text, secret)
        for (const path of [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`]) {
          const foreign = yield* ask({ path, key: other_workspace.api_key })
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "webhooks.not_found"])
        }
        const unknown = yield* ask({
          path: "/v1/webhooks",
          key,
          body: { url: "http://127.0.0.1:9/hook", events: ["call.nothing"] }
        })
        assert.deepStrictEqual([unknown.status, unknown.code], [422, "webhooks.event_unsupported"])
      }),
    15_000
  )

  it.effect("shows numbers and movements of money", () =>
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
    "answers what its contract says: the typed client reads it",
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
        const refused = yield* Effect.flip(client.calls.get({ query: {}, params: { id: "HD_none" } }))
        assert.instanceOf(refused, CallNotFound)
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    15_000
  )

  it.effect(
    "obeys a suspension and a revocation within a second",
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
