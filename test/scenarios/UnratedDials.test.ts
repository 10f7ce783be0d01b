import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { PbxSimulator, workspace } from "../../src/testing.ts"
import { ended, look, pass, place, scenario } from "../support/Scenario.ts"
import { busy, caller, dialling, fanOut, first, lines, phones, said, second } from "../support/Dialling.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"

describe("a dial without a rate", () => {
  const unrated = "+33612345678"
  const message = "There is no rate for this destination."

  scenario(
    "is announced to the caller, and the line is dropped",
    { phones: phones({}), callback: () => Effect.succeed([{ dial: { number: unrated } }, { say: { text: "Next." } }]) },
    Effect.gen(function* () {
      const { id, session_id } = yield* place(caller)
      yield* pass(1)
      assert.strictEqual(yield* said(session_id), message)
      ended(yield* look(id), { status: "answered" })
      yield* pass(10)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "destination_refused",
        hangup_source: "platform",
        child_call_ids: [],
        cost_minor: 300
      })
      assert.deepStrictEqual(yield* lines, [])
    })
  )

  const told = dialling({ numbers: [unrated, "+33612345679"] }, {})
  fanOut("is announced before the callback is asked, where there is one", told, (id, asked) =>
    Effect.gen(function* () {
      const { session_id } = yield* look(id)
      yield* pass(1)
      assert.strictEqual(yield* said(session_id), message)
      assert.lengthOf(asked, 1)
      yield* pass(2.5)
      assert.deepInclude(asked[1]!.result, { status: "failed", call_id: null })
      assert.strictEqual(yield* said(session_id), "Bye.")
      yield* pass(2)
    })
  )

  const other = dialling({ numbers: [unrated, second] }, { [second]: busy })
  fanOut("is not announced where another destination was called", other, (id, asked) =>
    Effect.gen(function* () {
      const { session_id } = yield* look(id)
      yield* pass(1.7)
      assert.deepInclude(asked[1]!.result, { status: "busy" })
      assert.strictEqual(yield* said(session_id), "Bye.")
      yield* pass(2)
    })
  )

  scenario(
    "is announced once although the gateway says nothing of its end",
    { phones: phones({}), callback: () => Effect.succeed([{ dial: { number: unrated } }]) },
    Effect.gen(function* () {
      const { id } = yield* place(caller)
      yield* pass(2)
      yield* Effect.flatMap(PbxSimulator, ({ hold }) => hold)
      yield* pass(120)
      ended(yield* look(id), { status: "answered", terminating: true })
      yield* Effect.flatMap(PbxSimulator, ({ release }) => release)
      yield* pass(120)
      ended(yield* look(id), { status: "completed", hangup_cause: "destination_refused" })
    })
  )

  scenario(
    "to which an inbound call is forwarded is announced to its caller before the call is refused",
    { phones: phones({}), routing: { forward_to: { type: "e164", value: unrated, sequential: null } } },
    Effect.gen(function* () {
      const { dialIn } = yield* PbxSimulator
      const session_id = yield* dialIn({
        tenant_pbx_id: workspace.tenant_pbx_id,
        from: first,
        to: workspace.number
      })
      yield* pass(0)
      assert.strictEqual(yield* said(session_id), "The number that you have called cannot be reached.")
      yield* pass(10)
      const record = yield* Effect.flatMap(CallReads, (reads) => reads.find(workspace.id, toSessionId(session_id)))
      ended(record!, { status: "failed", hangup_cause: "no_route", cost_minor: 0 })
      assert.deepStrictEqual(yield* lines, [])
    })
  )
})
