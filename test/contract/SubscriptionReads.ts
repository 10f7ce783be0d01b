// The part of the contract of webhook reads about subscriptions.
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { DeliveryReads } from "../../src/domain/ports/webhooks/DeliveryReads.ts"
import type { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { SubscriptionReads } from "../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { subscriptionId, workspaceId } from "../support/Ids.ts"
import { event, instant, kept, subscription, t0 } from "./WebhookEntries.ts"
import type { SubscriptionId } from "../../src/domain/BrandedIds.ts"

export const subscriptionReads = (it: Vitest.MethodsNonLive<Journal | DeliveryReads | SubscriptionReads>) => {
  it.effect("shows nothing of a deleted subscription except the deliveries that must still end", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(t0)
      const deliveries = yield* DeliveryReads
      const reads = yield* SubscriptionReads
      const [workspace_id, id] = [randomUUID(), randomUUID()]
      yield* subscription(id, kept(workspaceId(workspace_id), t0, 1))
      yield* event(workspaceId(workspace_id), "call.busy", "{}", t0)
      yield* subscription(id, { ...kept(workspaceId(workspace_id), t0, 2), status: "deleted" })
      yield* event(workspaceId(workspace_id), "call.busy", "{}", t0)
      assert.deepStrictEqual(
        [
          yield* reads.find(workspaceId(workspace_id), subscriptionId(id)),
          yield* reads.list(workspaceId(workspace_id))
        ],
        [undefined, []]
      )
      const due = yield* deliveries.due({
        workspace_id: workspaceId(workspace_id),
        subscription_id: subscriptionId(id),
        now: 253_402_214_400_000,
        limit: 10,
        except: []
      })
      assert.deepStrictEqual([due.revision, due.deliveries.length], [2, 1])
    })
  )

  it.effect("announces a disabled subscription to the other subscriptions only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(t0)
      const reads = yield* DeliveryReads
      const [workspace_id, gone, other] = [randomUUID(), randomUUID(), randomUUID()]
      const kinds = ["webhook.disabled"]
      yield* subscription(gone, { ...kept(workspaceId(workspace_id), t0, 1), kinds })
      yield* subscription(other, { ...kept(workspaceId(workspace_id), t0, 1), kinds })
      yield* subscription(
        gone,
        { ...kept(workspaceId(workspace_id), t0, 2), kinds, status: "disabled" },
        [],
        [
          {
            id: randomUUID(),
            workspace_id: workspaceId(workspace_id),
            subject_id: gone,
            sequence: 1,
            kind: "webhook.disabled",
            occurred_at: t0,
            late: false,
            payload: "{}",
            number_id: null,
            fan_out: true
          }
        ]
      )
      const told = (id: SubscriptionId) =>
        Effect.map(reads.list(workspaceId(workspace_id), id, {}, undefined, 10), (deliveries) => deliveries.length)
      assert.deepStrictEqual([yield* told(subscriptionId(gone)), yield* told(subscriptionId(other))], [0, 1])
    })
  )

  it.effect("lists subscriptions newest first, for their own workspace only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(t0)
      const reads = yield* SubscriptionReads
      const [workspace_id, old, young] = [randomUUID(), randomUUID(), randomUUID()]
      yield* subscription(old, kept(workspaceId(workspace_id), t0, 1))
      yield* subscription(young, kept(workspaceId(workspace_id), t0 + 1, 1))
      assert.deepStrictEqual(
        (yield* reads.list(workspaceId(workspace_id))).map(({ id }) => id),
        [subscriptionId(young), subscriptionId(old)]
      )
      assert.deepInclude(yield* reads.find(workspaceId(workspace_id), subscriptionId(old)), {
        id: subscriptionId(old),
        created_at: instant(t0),
        secret_set: true
      })
      assert.isUndefined(yield* reads.find(workspaceId(randomUUID()), subscriptionId(old)))
      assert.isUndefined(yield* reads.find(workspaceId(workspace_id), subscriptionId(randomUUID())))
      assert.deepStrictEqual(yield* reads.list(workspaceId(randomUUID())), [])
    })
  )

  it.effect("counts the subscriptions that a workspace has created, and no others", () =>
    Effect.gen(function* () {
      const reads = yield* SubscriptionReads
      const [mine, foreign] = [workspaceId(randomUUID()), workspaceId(randomUUID())]
      const deleted = randomUUID()
      yield* subscription(randomUUID(), kept(mine, t0, 1))
      yield* subscription(randomUUID(), { ...kept(mine, t0, 1), status: "paused" })
      yield* subscription(randomUUID(), { ...kept(mine, t0, 1), source: "call" })
      yield* subscription(randomUUID(), { ...kept(mine, t0, 1), source: "number_routing" })
      yield* subscription(randomUUID(), kept(foreign, t0, 1))
      yield* subscription(deleted, kept(mine, t0, 1))
      yield* subscription(deleted, { ...kept(mine, t0, 2), status: "deleted" })
      assert.strictEqual(yield* reads.countCreated(mine), 2)
    })
  )

  it.effect("finds the subscription of an events_url, and forgets it with its URL and with its end", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(t0)
      const reads = yield* SubscriptionReads
      const [mine, foreign] = [workspaceId(randomUUID()), workspaceId(randomUUID())]
      const [id, other, own, elsewhere] = Array.from({ length: 4 }, () => subscriptionId(randomUUID()))
      // As long as a URL may be, in characters of three bytes.
      const url = `https://example.com/${"\u20ac".repeat(2_028)}`
      const moved = "https://example.com/moved"
      const made = (workspace_id: typeof mine, revision: number, url: string) =>
        ({ ...kept(workspace_id, t0, revision), source: "call", url }) as const
      const find = (url: string, workspace_id = mine) =>
        Effect.andThen(reads.caughtUp, reads.ofCallUrl(workspace_id, url))

      assert.isUndefined(yield* find(url))
      yield* subscription(id!, made(mine, 1, url))
      yield* subscription(own!, { ...made(mine, 1, moved), source: "api" })
      yield* subscription(elsewhere!, made(foreign, 1, moved))
      assert.deepStrictEqual(
        [yield* find(url), yield* find(moved), yield* find(moved, foreign)],
        [id, undefined, elsewhere]
      )
      assert.deepStrictEqual([...(yield* reads.callUrls(mine))], [[url, id]])

      yield* subscription(id!, { ...made(mine, 2, moved), status: "paused" })
      assert.deepStrictEqual([yield* find(url), yield* find(moved)], [undefined, id])
      yield* subscription(id!, { ...made(mine, 3, moved), status: "deleted" })
      assert.deepStrictEqual([yield* find(moved), yield* find(moved, foreign)], [undefined, elsewhere])
      assert.deepStrictEqual([...(yield* reads.callUrls(mine))], [])

      yield* subscription(other!, made(mine, 1, url))
      assert.strictEqual(yield* find(url), other)
    })
  )

  it.effect("finds active subscriptions with overdue deliveries", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(t0)
      const reads = yield* SubscriptionReads
      const [workspace_id, active, paused] = [randomUUID(), randomUUID(), randomUUID()]
      yield* subscription(active, kept(workspaceId(workspace_id), t0, 1))
      yield* subscription(paused, kept(workspaceId(workspace_id), t0, 1))
      yield* event(workspaceId(workspace_id), "call.busy", "{}", t0)
      yield* subscription(paused, { ...kept(workspaceId(workspace_id), t0, 2), status: "paused" })
      const mine = (ids: ReadonlyArray<string>) => ids.filter((id) => id === active || id === paused)
      assert.deepStrictEqual(mine(yield* reads.overdue(t0)), [])
      assert.deepStrictEqual(mine(yield* reads.overdue(t0 + 1)), [active])
    })
  )
}
