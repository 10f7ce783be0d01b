import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Calls } from "trunkline"
import { engine, TestEngine, workspace } from "trunkline/testing"

it.effect("a caller is greeted, and pays for the minute", () =>
  Effect.gen(function* () {
    const { balance_minor, call, credit, pass } = yield* TestEngine
    const calls = yield* Calls
    yield* credit(1_000)
    const { id } = yield* calls.originate(workspace.id, {
      to: "+254711000000",
      from: workspace.number,
      voice_callback_url: "https://app.example.com/voice"
    })
    yield* pass(10)
    const record = yield* call(id)
    assert.strictEqual(record?.status, "completed")
    assert.strictEqual(record?.cost_minor, workspace.rate_per_min_minor)
    assert.strictEqual(yield* balance_minor, 1_000 - workspace.rate_per_min_minor)
  }).pipe(
    Effect.provide(engine({ callback: () => Effect.succeed([{ say: { text: "Good morning." } }, { hangup: {} }]) }))
  )
)
