// No request holds up all others: the longest piece of uninterrupted work of each heavy route, with the largest answers
// and bodies that it takes.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomInt, randomUUID } from "node:crypto"
import { request } from "node:http"
import { toWorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { origin } from "../../support/HttpTester.ts"
import { shortestOfLongest, slowness } from "../../support/LoopTime.ts"
import { fillCalls } from "../../support/ManyCalls.ts"

/** The longest that a request may work without a pause, in milliseconds. */
const most_ms = 20

interface Shot {
  readonly route: string
  readonly headers?: Readonly<Record<string, string>>
  /** A function makes another one each time. */
  readonly body?: string | (() => string)
  /** Default: 200. */
  readonly status?: number
  /** How often it is sent. Default: 6. */
  readonly times?: number
}

/** Sends a request, and reads its answer piece by piece, so that the client costs next to nothing. */
const send = ({ headers = {}, route, status = 200 }: Shot, body: string | undefined) => {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  return Effect.flatMap(origin, (base) =>
    Effect.promise(async () => {
      const [method = "GET", path = "/"] = route.split(" ")
      const { promise, reject, resolve } = Promise.withResolvers<void>()
      const key = bytes === undefined ? {} : { "idempotency-key": randomUUID() }
      request(base + path, { method, headers: { ...headers, ...key } }, (response) => {
        response.resume().on("end", resolve)
        if (response.statusCode !== status) reject(new Error(`${route} is answered with ${response.statusCode}`))
      })
        .on("error", reject)
        .end(bytes)
      await promise
    })
  )
}

/** Calls with as much metadata as one may have, and one of them with a long timeline. Returns that one's id. */
const fill = Effect.fnUntraced(function* (workspace: string) {
  const sql = yield* PgClient.PgClient
  const workspace_id = toWorkspaceId(workspace)
  yield* fillCalls(workspace_id, { calls: 400, from: Date.now() - 86_400_000, step_ms: 1_000 })
  yield* sql`UPDATE calls SET state = jsonb_set(state::jsonb, '{facts,metadata}', jsonb_build_object('note', repeat('x', 8000)))::json
    WHERE workspace_id = ${workspace_id}`
  const [call] = yield* sql<{ readonly id: string }>`
    SELECT id FROM calls WHERE workspace_id = ${workspace_id} AND status = 'completed' LIMIT 1`
  yield* sql`
    INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, recorded_at, late, payload)
    SELECT gen_random_uuid(), ${workspace_id}, ${call?.id ?? ""}, n, 'call.progress', now(), now(), false,
      json_build_object('step', 'bridged', 'status', 'answered', 'hangup_cause', NULL, 'text', repeat('x', 8000))
    FROM generate_series(1, 2500) n`
  return call?.id ?? ""
})

const csvOf = (rates: number, price: number): string =>
  [
    "currency,direction,prefix,country,description,per_min_minor,class,effective_from",
    ...Array.from({ length: rates }, (_, n) => `KES,outbound,${100_000 + n},KE,Kenya ${n},${price},,2026-12-01`)
  ].join("\n")

const json = { "content-type": "application/json" }

/** A document with as many actions as one may have, and as much text. */
const actions = (count: number) => ({
  actions: Array.from({ length: count }, () => ({ say: { text: "x".repeat(580) } }))
})

/** As large as a body may be, and nothing that an endpoint knows. */
const strange = JSON.stringify(Object.fromEntries(Array.from({ length: 11_000 }, (_, n) => [`m${n}`, [{}, n]])))

const shotsOf = (key: string, operator: string, call_id: string): ReadonlyArray<Shot> => {
  const headers = { authorization: `Bearer ${key}` }
  const operating = { cookie: `session=${operator}` }
  const reads = [
    "GET /v1/calls?limit=200",
    `GET /v1/calls/${call_id}`,
    `GET /v1/calls/${call_id}/timeline`,
    `GET /v1/calls/${call_id}/events?limit=200`,
    "GET /v1/calls/stats?group_by=day",
    "GET /v1/calls/stats?group_by=number",
    "GET /v1/wallet/statements?limit=200",
    "GET /v1/numbers/available?country=KE&limit=200",
    "GET /v1/invoices?limit=200",
    "GET /openapi.json",
    "GET /asyncapi.json",
    "GET /docs/reference.js"
  ].map((route) => ({ route, headers }))
  return [
    ...reads,
    {
      route: "POST /v1/voice-actions/validate",
      headers: { ...headers, ...json },
      body: JSON.stringify(actions(100))
    },
    { route: "POST /v1/calls/originate", headers: { ...headers, ...json }, body: strange, status: 400 },
    {
      route: "POST /v1/webhooks/pbx/events",
      headers: { authorization: "Bearer x", ...json },
      body: strange,
      status: 401
    },
    { route: "GET /v1/admin/rates?limit=200", headers: operating },
    {
      route: "POST /v1/admin/rates",
      headers: { ...operating, "content-type": "text/csv" },
      body: () => csvOf(100_000, 100 + randomInt(1_000)),
      times: 2
    }
  ]
}

layer(layerWith({ RATE_LIMITS: "off", REQUEST_TIMEOUT: "60" }), { excludeTestServices: true, timeout: "60 seconds" })(
  "a request",
  (it) => {
    it.effect(
      "works for at most 20 ms before others have their turn",
      () =>
        Effect.gen(function* () {
          const { api_key, operator_session, workspace_id } = yield* DemoFile
          const call_id = yield* fill(workspace_id)
          const found: Record<string, number> = {}
          for (const shot of shotsOf(api_key, operator_session, call_id)) {
            const { body, times } = shot
            const make = () => send(shot, typeof body === "function" ? body() : body)
            const piece = yield* shortestOfLongest(make, times)
            const most = most_ms * (yield* slowness)
            if (piece > most) found[shot.route] = piece
          }
          assert.deepStrictEqual(found, {}, `routes that work for longer than ${most_ms} ms without a pause`)
        }),
      120_000
    )
  }
)
