import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import type { TrunkLimits } from "../../src/domain/trunks/TrunkCapacity.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { charges, ended, look, pass, place, scenario } from "../support/Scenario.ts"
import { type CallId, toSessionId } from "../../src/domain/BrandedIds.ts"

const over = (rate_per_min_minor: number): EngineOptions => ({
  own_trunk: { id: "trunk.1", rate_per_min_minor },
  phones: () => talkative(1_000, 65_000),
  callback: () => Effect.succeed([{ dial: { number: "+254711000009" } }])
})

/** The trunks of a call and of the leg that it dialled. */
const trunks = (ids: ReadonlyArray<string>) =>
  Effect.map(TestEngine, ({ journal }) =>
    ids.map(
      (id) =>
        (JSON.parse(journal.tables.snapshot("Call", id)!.state) as { facts: { trunk_id?: string } }).facts.trunk_id
    )
  )

scenario(
  "calls from a brought number use its trunk, at the prices of the trunk",
  over(50),
  Effect.gen(function* () {
    const { id } = yield* place("+254711000001")
    yield* pass(80)
    const call = yield* look(id)
    ended(call, { status: "completed", rate_per_min_minor: 50, cost_minor: 100 })
    assert.deepStrictEqual(yield* trunks([id, ...call.child_call_ids]), ["trunk.1", "trunk.1"])
  })
)

scenario(
  "calls over a trunk may be free",
  over(0),
  Effect.gen(function* () {
    const { id } = yield* place("+254711000001")
    yield* pass(80)
    ended(yield* look(id), { status: "completed", cost_minor: 0 })
    assert.deepStrictEqual(
      (yield* charges).filter(({ amount_minor }) => amount_minor !== 0),
      []
    )
  })
)

scenario(
  "calls over a trunk without a rate are refused",
  over(50),
  Effect.gen(function* () {
    const failure = yield* Effect.flip(place("+99900000001"))
    assert.deepInclude(failure, { _tag: "calls.destination_refused", reason: "rate_not_configured" })
  })
)

scenario(
  "calls from a number of the platform do not use the workspace's trunk",
  { phones: () => talkative(1_000, 5_000) },
  Effect.gen(function* () {
    const { id } = yield* place("+254711000001")
    assert.deepStrictEqual(yield* trunks([id]), [undefined])
  })
)

describe("a trunk with limits", () => {
  const numbers = ["+254711000001", "+254711000002", "+254711000003"] as const
  const limited = (limits: Partial<TrunkLimits>, ...actions: ReadonlyArray<VoiceAction>): EngineOptions => ({
    own_trunk: { id: "trunk.1", rate_per_min_minor: 50, ...limits },
    routing: { voice_url: "https://app.test/incoming" },
    phones: () => talkative(1_000, 30_000),
    callback: () => Effect.succeed(actions)
  })
  const reasons = (tries: ReadonlyArray<Result.Result<unknown, { readonly reason?: string }>>) =>
    tries.filter(Result.isFailure).map(({ failure }) => failure.reason)
  const together = (...to: ReadonlyArray<string>) =>
    Effect.all(
      to.map((each) => Effect.result(place(each))),
      { concurrency: "unbounded" }
    )
  /** The results of the destinations that a call dialled. */
  const refusals = (id: string) =>
    Effect.map(TestEngine, ({ journal }) =>
      journal.tables.events
        .filter(({ subject_id }) => subject_id === id)
        .map(({ payload }) => JSON.parse(payload))
        .filter(({ step }) => step === "dial_refused")
    )
  const legs = (child_call_ids: ReadonlyArray<CallId>) => Effect.forEach(child_call_ids, look)
  const comesIn = Effect.gen(function* () {
    const { dialIn } = yield* PbxSimulator
    const session_id = yield* dialIn({
      tenant_pbx_id: workspace.tenant_pbx_id,
      from: "+256771000001",
      to: workspace.number
    })
    yield* pass(0)
    const { id } = (yield* Effect.flatMap(CallReads, (reads) =>
      Effect.orDie(reads.find(workspace.id, toSessionId(session_id)))
    ))!
    return id
  })

  scenario(
    "refuses calls above max_channels, also simultaneous ones, until one is over",
    limited({ max_channels: 2 }, { pause: { seconds: 60 } }),
    Effect.gen(function* () {
      const tries = yield* together(...numbers, "+254711000004")
      assert.deepStrictEqual(reasons(tries), ["max_channels", "max_channels"])
      const failure = yield* Effect.flip(place(numbers[0]))
      assert.deepInclude(failure, { _tag: "calls.concurrency_limit_reached", reason: "max_channels" })
      yield* pass(40)
      assert.deepStrictEqual(reasons(yield* together(numbers[0])), [])
      yield* pass(40)
    })
  )

  scenario(
    "refuses calls above max_cps, and says how long to wait",
    limited({ max_cps: 2 }),
    Effect.gen(function* () {
      assert.deepStrictEqual(reasons(yield* together(...numbers)), ["max_cps"])
      assert.deepInclude(yield* Effect.flip(place(numbers[0])), {
        _tag: "calls.rate_limited",
        reason: "max_cps",
        retry_after_seconds: 1
      })
      yield* pass(1)
      assert.deepStrictEqual(reasons(yield* together(...numbers)), ["max_cps"])
      yield* pass(5)
    })
  )

  const inOrder = { dial: { numbers: [numbers[1], numbers[2]], sequential: true, timeout: 10 } } as const
  scenario(
    "refuses a leg above its limit, and the dial continues",
    limited({ max_channels: 1 }, inOrder, { pause: { seconds: 1 } }),
    Effect.gen(function* () {
      const { id } = yield* place(numbers[0])
      yield* pass(5)
      const call = yield* look(id)
      ended(call, { status: "completed", hangup_cause: "actions_ended", child_call_ids: [] })
      const refused = yield* refusals(id)
      assert.deepStrictEqual(
        refused.map(({ destination }) => destination),
        [numbers[1], numbers[2]]
      )
      for (const each of refused)
        assert.deepInclude(each, {
          cause: "service_unavailable",
          detail: "calls.concurrency_limit_reached",
          reason: "max_channels"
        })
    })
  )

  const atOnce = { dial: { numbers: [...numbers.slice(1), "+254711000004"], timeout: 10 } }
  for (const [name, limits] of [
    ["max_channels", { max_channels: 3 }],
    ["max_cps", { max_cps: 2 }]
  ] as const) {
    scenario(
      `rings as many simultaneous legs as its ${name} allows`,
      limited(limits, atOnce),
      Effect.gen(function* () {
        const { id } = yield* place(numbers[0])
        yield* pass(40)
        const call = yield* look(id)
        const outcomes = (yield* legs(call.child_call_ids)).map(({ status, to }) => `${to} ${status}`)
        assert.deepStrictEqual(outcomes, [`${numbers[1]} completed`, `${numbers[2]} canceled`])
        assert.deepStrictEqual(
          (yield* refusals(id)).map(({ destination, reason }) => [destination, reason]),
          [["+254711000004", name]]
        )
      })
    )
  }

  scenario(
    "counts the answered leg after the others stopped ringing",
    limited({ max_channels: 4 }, atOnce),
    Effect.gen(function* () {
      const { id } = yield* place(numbers[0])
      yield* pass(4)
      assert.lengthOf((yield* look(id)).child_call_ids, 3)
      assert.deepStrictEqual(reasons(yield* together(numbers[0], numbers[0], numbers[0])), ["max_channels"])
      yield* pass(90)
    })
  )

  scenario(
    "refuses inbound calls above its limit, free of charge",
    limited({ max_channels: 1, max_cps: 1 }, { pause: { seconds: 5 } }),
    Effect.gen(function* () {
      const first = yield* comesIn
      const second = yield* comesIn
      yield* pass(2)
      ended(yield* look(second), {
        status: "failed",
        hangup_cause: "service_unavailable",
        hangup_source: "platform",
        sip_code: null,
        cost_minor: 0
      })
      assert.strictEqual((yield* look(first)).status, "answered")
      assert.deepStrictEqual(reasons(yield* together(numbers[0])), ["max_channels"])
      yield* pass(5)
      const third = yield* comesIn
      yield* pass(8)
      for (const id of [first, third]) ended(yield* look(id), { status: "completed" })
    })
  )

  scenario(
    "without limits accepts all calls",
    limited({}, { pause: { seconds: 5 } }),
    Effect.gen(function* () {
      assert.deepStrictEqual(reasons(yield* together(...Array.from({ length: 40 }, () => numbers[0]))), [])
      yield* pass(40)
    })
  )
})
