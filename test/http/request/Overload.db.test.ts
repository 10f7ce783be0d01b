// The whole engine watches its own requests, and the journal that its actors write to.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { never, originate } from "../../support/EngineRequests.ts"
import { ask } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

const readiness = Effect.map(ask({ path: "/readyz" }), ({ body }) => body as { shedding?: string; because?: string })

/** No call can be stored while the fiber runs. */
const lockCalls = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  return yield* Effect.forkChild(sql.withTransaction(Effect.andThen(sql`LOCK TABLE calls IN SHARE MODE`, Effect.never)))
})

/** Calls that are placed one after the other, so that some wait while others are being stored. */
const placeCalls = Effect.forever(Effect.andThen(Effect.forkChild(originate(never)), Effect.sleep("50 millis")))

// A quarter of them may be in work before requests are refused.
layer(layerWith({ MAX_REQUESTS: "40" }), { excludeTestServices: true, timeout: "30 seconds" })(
  "an engine that cannot store its calls",
  (it) => {
    it.effect(
      "says that requests pile up and decisions wait, refuses lists meanwhile, and serves everybody again",
      () =>
        Effect.gen(function* () {
          const { api_key: key } = yield* DemoFile
          const list = Effect.map(ask({ path: "/v1/calls", key }), ({ status }) => status)
          assert.deepStrictEqual([yield* list, (yield* readiness).shedding], [200, "nothing"])
          const lock = yield* lockCalls
          const calls = yield* Effect.forkChild(placeCalls)
          yield* until("a list is refused", list, (status) => status === 503)
          assert.strictEqual((yield* readiness).because, "requests")
          const metrics = Effect.map(ask({ path: "/metrics" }), ({ text }) => text)
          yield* until("decisions that wait", metrics, (text) => /^trunkline_journal_waiting_entries [1-9]/m.test(text))
          yield* Fiber.interrupt(calls)
          yield* Fiber.interrupt(lock)
          yield* until("nothing is refused", readiness, ({ shedding }) => shedding === "nothing")
          assert.strictEqual(yield* list, 200)
          assert.strictEqual((yield* originate(never)).status, 201)
        }),
      60_000
    )
  }
)
