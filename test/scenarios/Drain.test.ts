import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { CallbackFailure, engine, type EngineOptions, PbxSimulator, TestEngine } from "../../src/testing.ts"
import { type Phone, talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { booksAreRight, pass, place } from "../support/Scenario.ts"

/**
 * The outcome of each call follows from its index. `npm run bench -- drain` runs 10,000 calls and measures the heap.
 */
const calls = Number(process.env["DRAIN_CALLS"] ?? 1_000)

const phones: ReadonlyArray<Phone> = [
  talkative(500, 20_000),
  { steps: [{ kind: "refuses", after_ms: 300, sip_code: 486, q850: 17, source: "callee" }] },
  talkative(2_000, 70_000),
  { steps: [{ kind: "rings", after_ms: 100 }] },
  { steps: [{ kind: "refuses", after_ms: 200, sip_code: 503, q850: 38, source: "carrier" }] },
  talkative(1_000, 100),
  { steps: [{ kind: "rings", after_ms: 100 }], answers_cancel: true },
  {
    steps: [
      { kind: "answers", after_ms: 700 },
      { kind: "vanishes", after_ms: 5_000 }
    ]
  }
]

const next = "https://app.test/next"
const numbers = (first: number) =>
  Array.from({ length: 4 }, (_, index) => `+2547110000${10 + ((first + index * 3) % 90)}`)

const scripts: ReadonlyArray<ReadonlyArray<VoiceAction> | "fails"> = [
  [{ dial: { numbers: numbers(1), timeout: 5, action_url: next } }],
  [{ say: { text: "Hello." } }, { hangup: {} }],
  [{ dial: { numbers: numbers(2), timeout: 5, first_answer_wins: false } }, { say: { text: "Bye." } }],
  "fails",
  [{ gather: { num_digits: 4, timeout: 3, action_url: next } }],
  [{ dial: { numbers: numbers(5), timeout: 5, sequential: true } }],
  []
]

const options: EngineOptions = {
  calling_policy: { max_concurrent_calls: 1_000_000, calls_per_second: 1_000_000 },
  phones: (to) => phones[Number(to.slice(-2)) % phones.length]!,
  callback: ({ body }) => {
    const { reason, to } = JSON.parse(body) as { readonly reason: string; readonly to: string }
    const script = reason === "answered" ? scripts[Number(to.slice(-2)) % scripts.length]! : []
    return script === "fails"
      ? Effect.fail(new CallbackFailure({ cause: "callback_failed", detail: "HTTP 500" }))
      : Effect.succeed(script)
  }
}

it.effect(
  `${calls} calls that end in every way leave nothing behind: no actor, no line, no money held`,
  () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestEngine, ({ credit }) => credit(calls * 10_000))
      const place1 = (index: number) => place(`+2547110000${10 + (index % 90)}`, { timeout_seconds: 10 })
      for (let begun = 0; begun < calls; begun += 100) {
        yield* Effect.forEach(
          Array.from({ length: 100 }, (_, index) => begun + index),
          place1,
          { concurrency: 50 }
        )
        yield* pass(1)
      }
      yield* pass(400)
      const { held_minor, journal } = yield* TestEngine
      assert.strictEqual(yield* Effect.flatMap(ActorSystem, ({ resident }) => resident), 1, "the gateway alone stays")
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
      assert.strictEqual(yield* held_minor, 0)
      const ends = new Set(
        journal.tables.events
          .filter(({ kind }) => /completed|no_answer|busy|failed|canceled/.test(kind))
          .map(({ kind }) => kind)
      )
      assert.includeMembers(
        [...ends],
        ["call.completed", "call.no_answer", "call.busy", "call.failed", "call.canceled"]
      )
      yield* booksAreRight
    }).pipe(Effect.provide(engine(options))),
  120_000
)
