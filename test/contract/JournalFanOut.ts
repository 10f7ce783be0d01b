// The part of the journal's contract about the deliveries that it makes of events.
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createHash, randomUUID } from "node:crypto"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { call, commit, commitAll, counter, event, JournalProbe, subscription } from "./JournalProbe.ts"
import { numberId, subscriptionId, workspaceId } from "../support/Ids.ts"

const load = (type: string, id: string) => Effect.flatMap(Journal, (journal) => journal.load(type, id))

export const fanOuts = (it: Vitest.MethodsNonLive<Journal | JournalProbe>) => {
  it.effect("creates deliveries for the active subscriptions that select an event", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(50_000)
      const journal = yield* Journal
      const [workspace_id, number_id, call_id] = [randomUUID(), randomUUID(), randomUUID()]
      const [all, numbered, otherNumber, otherKind, paused, foreign] = Array.from({ length: 6 }, () => randomUUID())
      yield* commitAll([
        subscription(workspaceId(workspace_id), all!, 1, { kinds: ['it\'s "quoted\\"', "call.ringing"] }),
        subscription(workspaceId(workspace_id), numbered!, 1, { number_ids: [numberId(number_id)] }, { alarm: 90_000 }),
        subscription(workspaceId(workspace_id), otherNumber!, 1, { number_ids: [numberId(randomUUID())] }),
        subscription(workspaceId(workspace_id), otherKind!, 1, { kinds: ["call.busy"] }),
        subscription(workspaceId(workspace_id), paused!, 1, { status: "paused" }),
        subscription(workspaceId(randomUUID()), foreign!, 1)
      ])
      const told: Array<ReadonlyArray<string>> = []
      const stop = journal.onFanOut((ids) => told.push([...ids].sort()))
      const ringing = event(workspaceId(workspace_id), call_id, 1, { number_id: numberId(number_id), fan_out: true })
      const quiet = event(workspaceId(workspace_id), call_id, 2, { number_id: numberId(number_id) })
      yield* commit(call(workspaceId(workspace_id), call_id, 1, { events: [ringing, quiet] }))
      // Listeners are notified after the waiting entries are acknowledged, and before the next commit.
      yield* commit(counter(randomUUID(), 1))
      stop()
      yield* commit(
        call(workspaceId(workspace_id), call_id, 2, {
          events: [event(workspaceId(workspace_id), call_id, 3, { fan_out: true })]
        })
      )
      assert.deepStrictEqual(told, [[all!, numbered!].sort()])

      const { deliveries } = yield* JournalProbe
      const hash = createHash("md5")
        .update(ringing.id + all!)
        .digest("hex")
        .replace(/^(.{12}).(.{3})./, "$18$28")
      const [first, ...more] = yield* deliveries(subscriptionId(all!))
      assert.deepStrictEqual(
        { ...first, id: first!.id.replaceAll("-", "") },
        {
          id: hash,
          event_id: ringing.id,
          event_kind: "call.ringing",
          sequence: 1,
          status: "pending",
          attempts: 0,
          next_attempt_at: 50_000,
          created_at: 50_000,
          attempt_log: "[]"
        }
      )
      assert.deepStrictEqual(
        more.map(({ sequence }) => sequence),
        [3]
      )
      assert.deepStrictEqual(
        (yield* deliveries(subscriptionId(numbered!))).map(({ sequence }) => sequence),
        [1]
      )
      for (const id of [otherNumber, otherKind, paused, foreign])
        assert.deepStrictEqual(yield* deliveries(subscriptionId(id!)), [])
      assert.strictEqual((yield* load("Subscription", numbered!))?.alarm, 50_000)
      assert.strictEqual((yield* load("Subscription", paused!))?.alarm, null)
    })
  )

  it.effect("follows what a subscription selects, and whether it is active, from one event to the next", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const [id, mine, other] = [randomUUID(), numberId(randomUUID()), numberId(randomUUID())]
      const changes = [
        {},
        { kinds: ["call.busy"] },
        { kinds: ["call.busy", "call.ringing"], number_ids: [other] },
        { kinds: ["call.ringing"], number_ids: [other, mine] },
        { kinds: ["call.busy"], number_ids: [mine] },
        { status: "paused" },
        {},
        { status: "disabled" },
        { status: "deleted" }
      ] as const
      for (const [index, change] of changes.entries()) {
        yield* commit(subscription(workspace_id, id, index + 1, change))
        const call_id = randomUUID()
        const ringing = event(workspace_id, call_id, index, { number_id: mine, fan_out: true })
        yield* commit(call(workspace_id, call_id, 1, { events: [ringing] }))
      }
      const { deliveries } = yield* JournalProbe
      assert.deepStrictEqual(
        (yield* deliveries(subscriptionId(id))).map(({ sequence }) => sequence),
        [0, 3, 6]
      )
    })
  )

  it.effect("creates one delivery for a subscription that an event names and that selects it as well", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const [named, quiet, foreign, call_id] = Array.from({ length: 4 }, () => randomUUID())
      yield* commitAll([
        subscription(workspace_id, named!, 1),
        subscription(workspace_id, quiet!, 1, { kinds: [] }),
        subscription(workspaceId(randomUUID()), foreign!, 1)
      ])
      const events = [named, quiet, foreign].map((id, sequence) =>
        event(workspace_id, call_id!, sequence, { subscription_id: subscriptionId(id!), fan_out: true })
      )
      yield* commit(call(workspace_id, call_id!, 1, { events }))
      const { deliveries } = yield* JournalProbe
      const sequences = (id: string) =>
        Effect.map(deliveries(subscriptionId(id)), (rows) => rows.map(({ sequence }) => sequence).sort())
      assert.deepStrictEqual(
        [yield* sequences(named!), yield* sequences(quiet!), yield* sequences(foreign!)],
        [[0, 1, 2], [1], []]
      )
    })
  )
}
