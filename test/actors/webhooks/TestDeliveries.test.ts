// The webhooks of test mode that come late or twice (docs/test-mode.md, numbers 23 and 24), on the clock of the test.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { sandboxIdOf } from "../../../src/domain/kit/Sandbox.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { workspaceId } from "../../support/Ids.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"

const live = workspaceId("0199a000-0000-7000-8000-0000000000a1")
const sandbox = sandboxIdOf(SystemIds.named, live)
const late = "+99900000023"
const doubled = "+99900000024"
const start = 1_800_000_000_000

/** The webhooks that a subscription was sent about an event, with the stored delivery, after `seconds`. */
const told = (
  workspace_id: WorkspaceId,
  to: string,
  seconds: number,
  answers: (attempt: number) => number = () => 200,
  kind = "call.completed"
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const memory = yield* MemoryJournal.make
    const receiver = makeReceiver((_request, attempt) => Effect.succeed(answered(answers(attempt))))
    const { system, webhooks } = yield* engine(memory, receiver.layer)
    const { record } = yield* webhooks.create(workspace_id, { url: "https://example.com/hook", events: ["*"] })
    yield* happen(memory, { workspace_id, kind, payload: { to } })
    for (let second = 0; second < seconds; second++) {
      yield* TestClock.adjust("1 second")
      yield* system.drain.pipe(Effect.timeoutOption(0), Effect.forkChild)
    }
    const deliveries = yield* webhooks.deliveries(workspace_id, record.id, {}, { limit: 10 })
    assert.lengthOf(deliveries, 1)
    assert.isTrue(receiver.sent.every(({ delivery_id }) => delivery_id === deliveries[0]!.id))
    return {
      status: deliveries[0]!.status,
      attempts: deliveries[0]!.attempts,
      after_s: receiver.sent.map(({ at }) => (at - start) / 1_000),
      bodies: new Set(receiver.sent.map(({ body }) => body)).size
    }
  })

describe("webhooks of test mode", () => {
  it.effect("about number 23 come a minute after the event, not before", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* told(sandbox, late, 59)).after_s, [])
      assert.deepStrictEqual(yield* told(sandbox, late, 90), {
        status: "succeeded",
        attempts: 1,
        after_s: [60],
        bodies: 1
      })
    })
  )

  it.effect("about number 23 are late once: what is tried again keeps the usual schedule", () =>
    Effect.gen(function* () {
      const { after_s, attempts, status } = yield* told(sandbox, late, 180, (attempt) => (attempt === 1 ? 500 : 200))
      assert.deepStrictEqual([status, attempts, after_s[0], after_s.length], ["succeeded", 2, 60, 2])
      assert.isBelow(after_s[1]! - 60, 60)
    })
  )

  it.effect("about number 24 come twice with one key and one body, and count as one attempt", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told(sandbox, doubled, 90), {
        status: "succeeded",
        attempts: 1,
        after_s: [0, 0],
        bodies: 1
      })
    })
  )

  for (const [what, workspace_id, to, kind] of [
    ["of a live workspace about number 23", live, late, "call.completed"],
    ["of a live workspace about number 24", live, doubled, "call.completed"],
    ["about any other number", sandbox, "+99900000001", "call.completed"],
    ["of another family", sandbox, doubled, "wallet.low_balance"]
  ] as const) {
    it.effect(`${what} come at once and once`, () =>
      Effect.gen(function* () {
        const { after_s } = yield* told(workspace_id, to, 90, () => 200, kind)
        assert.deepStrictEqual(after_s, [0])
      })
    )
  }
})
