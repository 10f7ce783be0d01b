import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspaces = ["w1", "w2", "w3", "w4", "w5"]
const each = 20

/** Half of a workspace's receivers never answer: the sender gives each request 15 s. */
const isHole = (url: string) => url.includes("hole")

it.effect("50 receivers that never answer do not delay 50 others, and no delivery is in flight twice", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let twice = false
    const receiver = makeReceiver(({ url }) => {
      twice ||= receiver.twice()
      return isHole(url)
        ? Effect.delay(Effect.succeed({ error: "timeout" }), "15 seconds")
        : Effect.delay(Effect.succeed(answered(200)), "10 millis")
    })
    const { system, webhooks } = yield* engine(memory, receiver.layer)
    for (const workspace_id of workspaces) {
      for (let n = 0; n < each; n++) {
        const kind = n % 2 === 0 ? "ok" : "hole"
        yield* webhooks.create(workspaceId(workspace_id), {
          url: `https://example.com/${kind}/${n}`,
          events: ["call.*"]
        })
      }
    }
    // Five events every 50 ms, one of each workspace: 100 a second, each for 20 subscriptions.
    const rounds = 60
    for (let round = 0; round < rounds; round++) {
      for (const workspace_id of workspaces) yield* happen(memory, { workspace_id: workspaceId(workspace_id) })
      yield* TestClock.adjust("50 millis")
    }
    yield* TestClock.adjust("1 second")
    const healthy = receiver.sent.filter(({ url }) => !isHole(url))
    assert.strictEqual(healthy.length, (rounds * workspaces.length * each) / 2)
    const waits = healthy.map(
      ({ at, body }) => at - Date.parse((JSON.parse(body) as { occurred_at: string }).occurred_at)
    )
    waits.sort((a, b) => a - b)
    assert.isBelow(waits[Math.floor(waits.length * 0.99)]!, 1_000)
    assert.isFalse(twice)
    // Each silent receiver gets at most one window of attempts before its breaker opens.
    assert.isAtMost(receiver.sent.length - healthy.length, 50 * 50)
    assert.isAtMost(yield* system.resident, workspaces.length * each)
  })
)
