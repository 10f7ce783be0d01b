import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { instant } from "../../src/layers/pbx/simulator/Phones.ts"
import { workspace } from "../../src/testing.ts"
import { ended, look, pass, place, scenario } from "../support/Scenario.ts"

describe("the calling policy", () => {
  scenario(
    "applies to a call and to every leg that it dials",
    {
      calling_policy: { blocked_prefixes: ["254733"] },
      callback: () => Effect.succeed([{ dial: { number: "+254733000000" } }, { dial: { number: "+254711000000" } }])
    },
    Effect.gen(function* () {
      const refused = yield* Effect.flip(place("+254733000000"))
      assert.deepInclude(refused, { _tag: "calls.destination_refused", reason: "prefix_blocked" })
      const { id } = yield* place("+99900000001")
      yield* pass(45)
      const { child_call_ids } = yield* look(id)
      assert.lengthOf(child_call_ids, 1)
      ended(yield* look(child_call_ids[0]!), { to: "+254711000000", status: "completed" })
      const events = yield* Effect.flatMap(CallReads, (reads) => reads.events(workspace.id, id, 0, 200))
      const steps = events.map(({ payload }) => payload as { readonly step?: string; readonly detail?: string })
      const refusals = steps.filter(({ step }) => step === "dial_refused")
      assert.deepStrictEqual(
        refusals.map(({ detail }) => detail),
        ["calls.destination_refused"]
      )
    })
  )
})

describe("the limit of concurrent calls", () => {
  scenario(
    "counts every leg until it is over, also for simultaneous requests",
    { calling_policy: { max_concurrent_calls: 3 } },
    Effect.gen(function* () {
      const tries = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.result(place("+99900000003"))),
        { concurrency: "unbounded" }
      )
      const placed = tries.filter(Result.isSuccess)
      assert.lengthOf(placed, 3)
      for (const { failure } of tries.filter(Result.isFailure))
        assert.strictEqual(failure._tag, "calls.concurrency_limit_reached")
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, placed[0]!.success.id))
      yield* pass(2)
      yield* place("+99900000003")
      assert.strictEqual((yield* Effect.flip(place("+99900000003")))._tag, "calls.concurrency_limit_reached")
      yield* pass(40)
      yield* place("+99900000003")
      yield* pass(40)
    })
  )

  const both = { dial: { numbers: ["+99900000001", "+99900000003"], timeout: 5, action_url: "https://app.test/next" } }
  for (const [max_concurrent_calls, status] of [
    [3, "completed"],
    [2, "failed"]
  ] as const) {
    const results: Array<unknown> = []
    scenario(
      `counts each of two that ring for one answer: of ${max_concurrent_calls}, the dial is ${status}`,
      {
        calling_policy: { max_concurrent_calls },
        callback: ({ body }) => {
          const { reason, result } = JSON.parse(body) as {
            readonly reason: string
            readonly result: { readonly status: string } | null
          }
          if (reason !== "dial_completed") return Effect.succeed([both])
          results.push(result?.status)
          return Effect.succeed([])
        }
      },
      Effect.gen(function* () {
        yield* place("+254711000000")
        yield* pass(2)
        if (status === "completed")
          assert.strictEqual((yield* Effect.flip(place("+99900000002")))._tag, "calls.concurrency_limit_reached")
        yield* pass(3)
        if (status === "completed") yield* place("+99900000002")
        yield* pass(90)
        assert.deepStrictEqual(results, status === "completed" ? [] : [status])
      })
    )
  }

  scenario(
    "refuses the leg of a call at the limit, and the call continues",
    {
      calling_policy: { max_concurrent_calls: 1 },
      callback: () => Effect.succeed([{ dial: { number: "+254711000000" } }, { say: { text: "Sorry" } }])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(6)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended", child_call_ids: [] })
    })
  )
})

describe("the limits of a calling policy", () => {
  const failures = (tries: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) =>
    tries.filter(Result.isFailure).map(({ failure }) => failure._tag)
  const many = (count: number, to: string) =>
    Effect.all(
      Array.from({ length: count }, () => Effect.result(place(to))),
      { concurrency: "unbounded" }
    )

  scenario(
    "limit the calls per second of a workspace",
    { calling_policy: { calls_per_second: 1 } },
    Effect.gen(function* () {
      assert.deepStrictEqual(failures(yield* many(3, "+99900000002")), ["calls.rate_limited"])
      yield* pass(1)
      assert.deepStrictEqual(failures(yield* many(2, "+99900000002")), ["calls.rate_limited"])
      yield* pass(5)
    })
  )

  scenario(
    "limit the calls to one destination per hour",
    {
      calling_policy: { max_calls_per_destination_per_hour: 2 }
    },
    Effect.gen(function* () {
      assert.deepStrictEqual(failures(yield* many(3, "+99900000002")), ["calls.rate_limited"])
      yield* place("+254722000000")
      yield* pass(60)
      assert.deepStrictEqual(failures(yield* many(1, "+99900000002")), ["calls.rate_limited"])
      yield* pass(3_600)
      yield* place("+99900000002")
      yield* pass(5)
    })
  )

  scenario(
    "count today's charges and the open holds",
    { calling_policy: { daily_spend_limit_minor: 700 } },
    Effect.gen(function* () {
      yield* place("+254722000000")
      yield* place("+254722000001")
      assert.strictEqual((yield* Effect.flip(place("+254722000002")))._tag, "calls.spend_limit_reached")
      yield* pass(60)
      assert.strictEqual((yield* Effect.flip(place("+254722000002")))._tag, "calls.spend_limit_reached")
      yield* pass(86_400)
      yield* place("+254722000002")
      yield* pass(60)
    })
  )

  const talk: VoiceAction = { say: { text: "x".repeat(3_000) } }
  scenario(
    "let a live call exceed the daily limit, and refuse new calls",
    {
      calling_policy: { daily_spend_limit_minor: 300 },
      phones: () => instant,
      callback: () => Effect.succeed([talk])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+254722000000")
      yield* pass(150)
      assert.strictEqual((yield* Effect.flip(place("+254722000001")))._tag, "calls.spend_limit_reached")
      yield* pass(60)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended", cost_minor: 900 })
    })
  )
})
