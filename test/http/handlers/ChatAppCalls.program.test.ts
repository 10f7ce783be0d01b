// Calls of the chat app in test mode, on PostgreSQL: both ways, and after a restart.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { engineIn, DemoFile, folder } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { booksAreSound } from "../../support/Books.ts"
import { until } from "../../support/Until.ts"

interface Call {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly from: string
  readonly to: string
  readonly direction: string
  readonly cost_minor?: number
}

const key = Effect.map(DemoFile, ({ test_api_key }) => test_api_key)
const said = <A>(path: string, body?: unknown, method?: string) =>
  Effect.flatMap(key, (key) =>
    Effect.map(
      ask({ path, key, ...(body !== undefined && { body }), ...(method !== undefined && { method }) }),
      (answer) => answer.body as A
    )
  )

/** Calls are answered by a message box, so that the number needs no route. */
const settings = {
  ...initialSettings,
  status: "ENABLED",
  callback_permission_status: "ENABLED",
  voicemail: { ...initialSettings.voicemail, status: "ENABLED", triggers: ["no_answer"] }
}

const place = (from: string, to: string) =>
  until(
    "permission",
    said<Call>("/v1/calls/originate", { to, from, actions: [{ pause: { seconds: 1 } }] }),
    ({ id }) => id !== undefined
  )

const ended = (id: string) =>
  until("end of the call", said<Call>(`/v1/calls/${id}`), ({ status }) => !["ringing", "answered"].includes(status))

const inbound = (from: string, count: number) =>
  until(
    "calls that came in and have ended",
    said<ReadonlyArray<Call>>("/v1/calls?direction=inbound"),
    (calls) =>
      calls.filter((call) => call.from === from && !["ringing", "answered"].includes(call.status)).length === count,
    { within_ms: 30_000 }
  )

const balance = Effect.map(
  said<{ readonly balance_minor: number }>("/v1/wallet/balance"),
  ({ balance_minor }) => balance_minor
)

const callBothWays = Effect.fnUntraced(function* (number: string, times: number) {
  const before = yield* balance
  const out = yield* place(number, "chatapp:+99900000001")
  assert.deepInclude(yield* ended(out.id), { kind: "chatapp", to: "+99900000001", status: "completed" })
  const busy = yield* place(number, "chatapp:+99900000027")
  assert.deepInclude(yield* ended(busy.id), { kind: "chatapp", status: "busy" })
  const [back] = yield* inbound("+99900000027", times)
  assert.deepInclude(back, { kind: "chatapp", to: number, status: "completed" })
  const costs = [out, back!].map(({ id }) => Effect.map(said<Call>(`/v1/calls/${id}`), ({ cost_minor }) => cost_minor!))
  const paid = (yield* Effect.all(costs)).reduce((sum, cost) => sum + cost, 0)
  assert.isAbove(paid, 0)
  assert.strictEqual(yield* balance, before - paid)
})

layer(TestDatabase.layer, { excludeTestServices: true, timeout: "120 seconds" })("chat-app calls", (it) => {
  it.effect("go both ways in a sandbox, before a restart and after it", () =>
    Effect.gen(function* () {
      const data_dir = yield* folder
      const running = <A, E, R>(test: Effect.Effect<A, E, R>) =>
        Effect.provide(
          test,
          Layer.fresh(engineIn(data_dir, { RATE_LIMITS: "off" })).pipe(Layer.provide(Logger.layer([])))
        )

      const { id, number } = yield* running(
        Effect.gen(function* () {
          yield* said("/v1/sandbox/credits", { amount_minor: 100_000 })
          const [offer] =
            yield* said<ReadonlyArray<{ readonly inventory_id: string; readonly number: string }>>(
              "/v1/numbers/available"
            )
          const { inventory_id: id, number } = offer!
          yield* said(`/v1/numbers/${id}/claim`, undefined, "POST")
          yield* said(`/v1/numbers/${id}/chatapp/call-settings`, settings, "PUT")
          const path = `/v1/numbers/${id}/chatapp/trunk`
          yield* said(path, undefined, "POST")
          yield* until("active trunk", said<{ readonly status: string }>(path), ({ status }) => status === "active")
          yield* callBothWays(number, 1)
          return { id, number }
        })
      )
      yield* running(
        Effect.gen(function* () {
          const trunk = yield* said<object>(`/v1/numbers/${id}/chatapp/trunk`)
          assert.deepInclude(trunk, { status: "active", attempts: 1 })
          yield* callBothWays(number, 2)
          yield* booksAreSound
        })
      )
    }).pipe(Effect.scoped)
  )
})
