import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"

layer(fakeEngine)("statistics over HTTP", (it) => {
  it.effect("cover 30 days by default, or the requested range and group", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const { body, status } = yield* ask({ path: "/v1/calls/stats", key })
      assert.strictEqual(status, 200)
      const stats = body as {
        from: string
        to: string
        currency: string
        buckets: ReadonlyArray<{ day: string; partial: boolean }>
      }
      assert.deepInclude(stats, { from: "1969-12-03", to: "1970-01-01", currency: "KES" })
      assert.deepStrictEqual(
        [stats.buckets.length, stats.buckets.at(-1)?.day, stats.buckets.at(-1)?.partial],
        [30, "1970-01-01", true]
      )
      const other = yield* ask({ path: "/v1/calls/stats?group_by=status&from=2026-11-01&to=2026-11-30", key })
      assert.deepInclude(other.body as object, { from: "2026-11-01", to: "2026-11-30", buckets: [] })
    })
  )

  const faults = [
    ["from=2026-01-01&to=2026-04-03", "/from"],
    ["from=2026-01-02&to=2026-01-01", "/from"],
    ["from=2026-02-30", "/from"],
    ["from=0000-01-01", "/from"],
    ["to=yesterday", "/to"],
    ["group_by=hour", "/group_by"],
    ["number_id=1", "/number_id"]
  ] as const
  for (const [query, pointer] of faults) {
    it.effect(`points at ${pointer} of ${query}`, () =>
      Effect.gen(function* () {
        const { body, code, status } = yield* ask({
          path: `/v1/calls/stats?${query}`,
          key: yield* (yield* FakeEngine).mint()
        })
        assert.deepStrictEqual([status, code], [400, "validation.bad_request"])
        const { error } = body as { error: { details: ReadonlyArray<{ field: string }> } }
        assert.deepStrictEqual(
          error.details.map(({ field }) => field),
          [pointer]
        )
      })
    )
  }

  it.effect("have their own error code if the database does not answer", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      fake.readFailure = new ReadFailed({ cause: "gone" })
      const { code, status } = yield* ask({ path: "/v1/calls/stats", key: yield* fake.mint() })
      fake.readFailure = undefined
      assert.deepStrictEqual([status, code], [500, "calls.stats_failed"])
    })
  )
})
