// The voice menu beside this folder, in calls of seconds that take milliseconds, and without any HTTP.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Calls } from "trunkline"
import { engine, TestEngine, workspace } from "trunkline/testing"
import { actionsFor, type VoiceCallback } from "../voice-menu/Menu.ts"

const departments = { "1": { name: "sales", number: "+254711000001" } }
const url = "https://app.example.com/voice"

const menu = engine({
  callback: ({ body }) => Effect.succeed(actionsFor(JSON.parse(body) as VoiceCallback, departments, url))
})

const reasons: Array<string> = []
const silent = { "1": { name: "sales", number: "+99900000003" } }
const silentMenu = engine({
  callback: ({ body }) =>
    Effect.sync(() => {
      const callback = JSON.parse(body) as VoiceCallback
      reasons.push(callback.reason)
      return actionsFor(callback, silent, url)
    })
})

const originate = (to: string) =>
  Effect.flatMap(Calls, (calls) =>
    calls.originate(workspace.id, { to, from: workspace.number, voice_callback_url: url })
  )

describe("the voice menu", () => {
  it.effect("connects a caller who presses 1 with sales, and both legs are paid for", () =>
    Effect.gen(function* () {
      const { balance_minor, call, credit, pass } = yield* TestEngine
      yield* credit(1_000)
      const { id } = yield* originate("+99900000010") // presses 1
      yield* pass(120)
      const record = (yield* call(id))!
      const leg = yield* call(record.child_call_ids[0]!)
      assert.strictEqual(leg?.to, departments["1"].number)
      assert.strictEqual(leg?.status, "completed")
      assert.strictEqual(yield* balance_minor, 1_000 - (record.cost_minor ?? 0) - (leg?.cost_minor ?? 0))
    }).pipe(Effect.provide(menu))
  )

  it.effect("records a message if nobody answers in the department", () =>
    Effect.gen(function* () {
      const { call, credit, pass } = yield* TestEngine
      yield* credit(1_000)
      const { id } = yield* originate("+99900000010") // presses 1, and later the hash key
      yield* pass(120)
      const record = (yield* call(id))!
      assert.strictEqual((yield* call(record.child_call_ids[0]!))?.status, "no_answer")
      assert.strictEqual(reasons.filter((reason) => reason === "record_completed").length, 1)
    }).pipe(Effect.provide(silentMenu))
  )

  it.effect("says goodbye to a caller who presses nothing", () =>
    Effect.gen(function* () {
      const { call, credit, pass } = yield* TestEngine
      yield* credit(1_000)
      const { id } = yield* originate("+254722000000")
      yield* pass(60)
      const record = (yield* call(id))!
      assert.strictEqual(record.status, "completed")
      assert.deepStrictEqual(record.child_call_ids, [])
    }).pipe(Effect.provide(menu))
  )
})
