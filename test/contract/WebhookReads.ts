// What every implementation of the reads of subscriptions and deliveries must do.
import { assert, layer as provided } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { DeliveryReads } from "../../src/domain/ports/webhooks/DeliveryReads.ts"
import type { Journal } from "../../src/domain/ports/engine/Journal.ts"
import type { DeliveryRow } from "../../src/domain/journal/Rows.ts"
import type { SubscriptionReads } from "../../src/domain/ports/webhooks/SubscriptionReads.ts"
import type { ListedDelivery } from "../../src/domain/webhooks/DeliveryRecord.ts"
import { subscriptionId, workspaceId } from "../support/Ids.ts"
import { ended, event, instant, kept, subscription, t0 } from "./WebhookEntries.ts"
import { subscriptionReads } from "./SubscriptionReads.ts"
import type { SubscriptionId } from "../../src/domain/BrandedIds.ts"
import type { ReplayQuery } from "../../src/domain/webhooks/ReplayRecord.ts"

export const webhookReadsContract = (
  name: string,
  services: Layer.Layer<Journal | DeliveryReads | SubscriptionReads, unknown>
) =>
  provided(services)(name, (it) => {
    it.effect("returns due deliveries with their events, longest due first, as of one revision", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const reads = yield* DeliveryReads
        const [workspace_id, id] = [randomUUID(), randomUUID()]
        const due = (limit = 50, except: ReadonlyArray<string> = [], now = t0 + 10_000) =>
          reads.due({
            workspace_id: workspaceId(workspace_id),
            subscription_id: subscriptionId(id),
            now,
            limit,
            except
          })
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 1))
        assert.deepStrictEqual(yield* due(), { revision: 1, deliveries: [], more: false, next_due_at: null })

        const payload = `{"kind":"call.busy",  "name":"Zoë ☎",\n"n":1.50}`
        const first = yield* event(workspaceId(workspace_id), "call.busy", payload, t0 - 500)
        yield* TestClock.adjust(1_000)
        yield* event(workspaceId(workspace_id), "call.completed", "{}", t0)
        const found = yield* due()
        assert.deepStrictEqual(
          [found.revision, found.more, found.next_due_at, found.deliveries.length],
          [1, false, null, 2]
        )
        const [one, two] = found.deliveries
        assert.deepStrictEqual(
          { ...one, id: "" },
          {
            id: "",
            created_at: t0,
            attempts: 0,
            attempt_log: [],
            event_id: first,
            event_kind: "call.busy",
            sequence: 7,
            occurred_at: t0 - 500,
            payload
          }
        )

        assert.deepStrictEqual(
          (yield* due(1)).deliveries.map(({ id }) => id),
          [one!.id]
        )
        assert.isTrue((yield* due(1)).more)
        assert.isFalse((yield* due(2)).more)
        assert.deepStrictEqual(
          (yield* due(50, [one!.id])).deliveries.map(({ id }) => id),
          [two!.id]
        )
        assert.deepStrictEqual((yield* due(1, [one!.id])).more, false)
        assert.deepStrictEqual(yield* due(50, [], t0 - 1), {
          revision: 1,
          deliveries: [],
          more: false,
          next_due_at: t0
        })

        const attempt_log = [
          { at: instant(t0), duration_ms: 3, http_status: 500, error: "http_error", response_excerpt: "é\u0000" }
        ]
        const retried: DeliveryRow = {
          id: one!.id,
          created_at: one!.created_at,
          status: "retrying",
          attempts: 1,
          next_attempt_at: t0 + 60_000,
          finished_at: null,
          last_error: `{"code":"http_error","http_status":500}`,
          attempt_log: JSON.stringify(attempt_log)
        }
        const done: DeliveryRow = {
          id: two!.id,
          created_at: two!.created_at,
          status: "succeeded",
          attempts: 1,
          next_attempt_at: null,
          finished_at: t0 + 2_000,
          last_error: null,
          attempt_log: "[]"
        }
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 2), [retried, done])
        assert.deepStrictEqual(yield* due(), { revision: 2, deliveries: [], more: false, next_due_at: t0 + 60_000 })
        const again = yield* due(50, [], t0 + 60_000)
        assert.deepStrictEqual(again.deliveries, [{ ...one!, attempts: 1, attempt_log }])
        const [workspace, of] = [workspaceId(workspace_id), subscriptionId(id)]
        const { deliveries } = yield* reads.find(workspace, of, { id: one!.id }, 1)
        assert.deepStrictEqual(deliveries[0]?.attempt_log, attempt_log)
        const { event_id, event_kind, occurred_at, sequence } = one!
        const delivered = yield* reads.event(workspace, of, one!.id)
        assert.deepStrictEqual(delivered, { event_id, event_kind, occurred_at, payload, sequence })
        assert.isUndefined(yield* reads.event(workspaceId(randomUUID()), of, one!.id))
        assert.isUndefined(yield* reads.event(workspace, subscriptionId(randomUUID()), one!.id))
        const listed = (yield* reads.list(workspace, of, {}, undefined, 10)).find(({ id }) => id === one!.id)
        const without = { at: instant(t0), duration_ms: 3, http_status: 500, error: "http_error" }
        assert.deepStrictEqual<unknown>(listed?.attempt_log, [without], "a list has no responses of receivers")
        assert.deepStrictEqual(
          (yield* reads.due({
            workspace_id: workspaceId(randomUUID()),
            subscription_id: subscriptionId(id),
            now: t0 + 60_000,
            limit: 5,
            except: []
          })).deliveries,
          []
        )
      })
    )

    it.effect("lists deliveries newest first, by filter and page, for their own workspace only", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const reads = yield* DeliveryReads
        const [workspace_id, id] = [randomUUID(), randomUUID()]
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 1))
        const events: Array<string> = []
        for (let n = 0; n < 6; n++) {
          events.unshift(yield* event(workspaceId(workspace_id), n === 3 ? "call.busy" : "call.completed", "{}", t0))
          if (n % 2 === 1) yield* TestClock.adjust(1_000)
        }
        const list = (filter = {}, limit = 10) =>
          reads.list(workspaceId(workspace_id), subscriptionId(id), filter, undefined, limit)
        const all = yield* list()
        assert.strictEqual(all.length, 6)
        assert.deepStrictEqual(
          all.map(({ created_at }) => Date.parse(created_at) - t0),
          [2_000, 2_000, 1_000, 1_000, 0, 0]
        )
        assert.deepStrictEqual(
          all.find(({ event_id }) => event_id === events[0]),
          {
            id: all.find(({ event_id }) => event_id === events[0])!.id,
            subscription_id: subscriptionId(id),
            event_id: events[0]!,
            event_kind: "call.completed",
            status: "pending",
            attempts: 0,
            next_attempt_at: instant(t0 + 2_000),
            created_at: instant(t0 + 2_000),
            finished_at: null,
            last_error: null,
            attempt_log: []
          }
        )
        const pages = []
        for (let last = all[0], page = yield* list({}, 1); page.length > 0; last = page[0]!) {
          pages.push(...page)
          last = page.at(-1)!
          page = yield* reads.list(
            workspaceId(workspace_id),
            subscriptionId(id),
            {},
            { at: Date.parse(last.created_at), id: last.id },
            1
          )
        }
        assert.deepStrictEqual(pages, all)
        assert.strictEqual((yield* list({ event_kind: "call.busy" })).length, 1)
        assert.strictEqual((yield* list({ status: "pending" })).length, 6)
        assert.strictEqual((yield* list({ status: "dead_letter" })).length, 0)
        assert.strictEqual((yield* list({ from: t0 + 1_000 })).length, 4)
        assert.strictEqual((yield* list({ from: t0 + 1_000, to: t0 + 2_000 })).length, 2)
        assert.deepStrictEqual(yield* reads.list(workspaceId(randomUUID()), subscriptionId(id), {}, undefined, 10), [])
      })
    )

    it.effect("finds one delivery, or the blocked ones, with the revision, for their own workspace only", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const reads = yield* DeliveryReads
        const [workspace_id, id, other] = [randomUUID(), randomUUID(), randomUUID()]
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 1))
        for (let n = 0; n < 3; n++)
          yield* Effect.andThen(event(workspaceId(workspace_id), "call.busy", "{}", t0), TestClock.adjust(1_000))
        yield* subscription(other, kept(workspaceId(workspace_id), t0, 1))
        const [one, two, three] = yield* reads.list(workspaceId(workspace_id), subscriptionId(id), {}, undefined, 10)
        assert.match(one!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
        const blocked = ({ created_at, id }: ListedDelivery): DeliveryRow => ({
          id,
          created_at: Date.parse(created_at),
          status: "blocked",
          attempts: 0,
          next_attempt_at: null,
          finished_at: null,
          last_error: `{"code":"webhooks.deliver.secret_unset","http_status":null}`,
          attempt_log: "[]"
        })
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 2), [blocked(one!), blocked(two!)])
        assert.deepStrictEqual(yield* reads.find(workspaceId(workspace_id), subscriptionId(id), { id: three!.id }, 1), {
          revision: 2,
          deliveries: [{ ...three!, attempt_log: [] }]
        })
        const stuck = yield* reads.find(workspaceId(workspace_id), subscriptionId(id), { blocked: true }, 10)
        assert.deepStrictEqual([stuck.revision, stuck.deliveries.map(({ id }) => id)], [2, [two!.id, one!.id]])
        assert.deepInclude(stuck.deliveries[0], {
          status: "blocked",
          last_error: { code: "webhooks.deliver.secret_unset", http_status: null }
        })
        assert.strictEqual(
          (yield* reads.find(workspaceId(workspace_id), subscriptionId(id), { blocked: true }, 1)).deliveries.length,
          1
        )
        const nothing = { revision: 0, deliveries: [] }
        assert.deepStrictEqual(
          yield* reads.find(workspaceId(workspace_id), subscriptionId(other), { id: three!.id }, 1),
          nothing
        )
        assert.deepStrictEqual(
          yield* reads.find(workspaceId(randomUUID()), subscriptionId(id), { id: three!.id }, 1),
          nothing
        )
        assert.deepStrictEqual(
          yield* reads.find(workspaceId(workspace_id), subscriptionId(id), { id: randomUUID() }, 1),
          nothing
        )
      })
    )

    it.effect("shows deliveries as in flight until they have ended", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const reads = yield* DeliveryReads
        const [workspace_id, id] = [randomUUID(), randomUUID()]
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 1))
        for (let n = 0; n < 3; n++)
          yield* Effect.andThen(event(workspaceId(workspace_id), "call.busy", "{}", t0), TestClock.adjust(1_000))
        const [three, two, one] = yield* reads.list(workspaceId(workspace_id), subscriptionId(id), {}, undefined, 10)
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 2), [ended(one!, "succeeded")])
        const list = (status?: string) =>
          Effect.map(
            reads.list(
              workspaceId(workspace_id),
              subscriptionId(id),
              { in_flight: [one!.id, two!.id], ...(status !== undefined && { status }) },
              undefined,
              10
            ),
            (rows) => rows.map(({ id, status }) => [id, status])
          )
        assert.deepStrictEqual(yield* list(), [
          [three!.id, "pending"],
          [two!.id, "in_flight"],
          [one!.id, "succeeded"]
        ])
        assert.deepStrictEqual(yield* list("in_flight"), [[two!.id, "in_flight"]])
        assert.deepStrictEqual(yield* list("pending"), [[three!.id, "pending"]])
      })
    )

    it.effect("finds the deliveries that a replay may take, oldest first, and stores the new ones", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const reads = yield* DeliveryReads
        const [workspace_id, id] = [randomUUID(), randomUUID()]
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 1))
        for (let n = 0; n < 4; n++) {
          yield* Effect.andThen(
            event(workspaceId(workspace_id), n === 1 ? "call.busy" : "call.completed", "{}", t0),
            TestClock.adjust(1_000)
          )
        }
        const [four, three, two, one] = yield* reads.list(
          workspaceId(workspace_id),
          subscriptionId(id),
          {},
          undefined,
          10
        )
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 2), [
          ended(one!, "dead_letter"),
          ended(two!, "dead_letter"),
          ended(three!, "succeeded")
        ])
        const query = { from: t0, to: t0 + 60_000, event_kinds: [], only: "dead_letter" } as const
        const find = (change: Partial<ReplayQuery> = {}, limit = 10, workspace = workspaceId(workspace_id)) =>
          Effect.map(reads.replayable(workspace, subscriptionId(id), { ...query, ...change }, limit), (rows) =>
            rows.map(({ event_id }) => event_id)
          )
        const [a, b, c] = [one!.event_id, two!.event_id, three!.event_id]
        assert.deepStrictEqual(yield* find(), [a, b])
        assert.deepStrictEqual(yield* find({ only: "all" }), [a, b, c])
        assert.deepStrictEqual(yield* find({ event_kinds: ["call.busy"] }), [b])
        assert.deepStrictEqual(yield* find({ from: t0 + 1, to: t0 + 2_000, only: "all" }), [b])
        assert.deepStrictEqual(yield* find({}, 1), [a])
        assert.deepStrictEqual(yield* find({}, 10, workspaceId(randomUUID())), [])
        const [row] = yield* reads.replayable(workspaceId(workspace_id), subscriptionId(id), query, 1)
        const { created_at, ...again } = row!
        assert.strictEqual(created_at, t0)
        const made = {
          ...again,
          id: randomUUID(),
          workspace_id: workspaceId(workspace_id),
          subscription_id: subscriptionId(id),
          created_at: t0 + 4_000
        }
        yield* subscription(id, kept(workspaceId(workspace_id), t0, 3), [], [], [made])
        const due = yield* reads.due({
          workspace_id: workspaceId(workspace_id),
          subscription_id: subscriptionId(id),
          now: t0 + 4_000,
          limit: 10,
          except: [four!.id]
        })
        assert.deepStrictEqual(
          due.deliveries.map(({ event_id, id }) => [id, event_id]),
          [[made.id, a]]
        )
      })
    )

    it.effect("delivers an event once to the subscription that it names, whatever its selectors are", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const reads = yield* DeliveryReads
        const [workspace_id, named, listening, foreign] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
        yield* subscription(named, { ...kept(workspaceId(workspace_id), t0, 1), kinds: [] })
        yield* subscription(listening, kept(workspaceId(workspace_id), t0, 1))
        yield* subscription(foreign, { ...kept(workspaceId(randomUUID()), t0, 1), kinds: [] })
        for (const subscription_id of [subscriptionId(named), subscriptionId(listening), subscriptionId(foreign)])
          yield* event(workspaceId(workspace_id), "call.busy", "{}", t0, subscription_id)
        const told = (id: SubscriptionId, workspace = workspaceId(workspace_id)) =>
          Effect.map(reads.list(workspace, id, {}, undefined, 10), (deliveries) => deliveries.length)
        assert.deepStrictEqual(
          [
            yield* told(subscriptionId(named)),
            yield* told(subscriptionId(listening)),
            yield* told(subscriptionId(foreign))
          ],
          [1, 3, 0]
        )
      })
    )

    subscriptionReads(it)
  })
