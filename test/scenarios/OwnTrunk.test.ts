import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, TestEngine } from "../../src/testing.ts"
import { charges, ended, look, pass, place, scenario } from "../support/Scenario.ts"

const over = (rate_per_min_minor: number): EngineOptions => ({
  own_trunk: { id: "trunk.1", rate_per_min_minor },
  phones: () => talkative(1_000, 65_000),
  callback: () => Effect.succeed([{ dial: { number: "+254711000009" } }])
})

/** Over which trunk a call and the leg that it dialled went. */
const trunks = (ids: ReadonlyArray<string>) =>
  Effect.map(TestEngine, ({ journal }) =>
    ids.map((id) => (JSON.parse(journal.tables.snapshot("Call", id)!.state) as { facts: { trunk_id?: string } }).facts.trunk_id))

scenario("calls from a number that was brought go over its trunk, at prices of their own", over(50), Effect.gen(function*() {
  const { id } = yield* place("+254711000001")
  yield* pass(80)
  const call = yield* look(id)
  ended(call, { status: "completed", rate_per_min_minor: 50, cost_minor: 100 })
  assert.deepStrictEqual(yield* trunks([id, ...call.child_call_ids]), ["trunk.1", "trunk.1"])
}))

scenario("calls over it may cost nothing", over(0), Effect.gen(function*() {
  const { id } = yield* place("+254711000001")
  yield* pass(80)
  ended(yield* look(id), { status: "completed", cost_minor: 0 })
  assert.deepStrictEqual((yield* charges).filter(({ amount_minor }) => amount_minor !== 0), [])
}))

scenario("where it has no price nobody is called", over(50), Effect.gen(function*() {
  const failure = yield* Effect.flip(place("+99900000001"))
  assert.deepInclude(failure, { _tag: "calls.destination_refused", reason: "rate_not_configured" })
}))

scenario("calls from a number of the platform go over no trunk of the workspace", { phones: () => talkative(1_000, 5_000) }, Effect.gen(function*() {
  const { id } = yield* place("+254711000001")
  assert.deepStrictEqual(yield* trunks([id]), [undefined])
}))
