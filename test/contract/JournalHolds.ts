// The part of the journal's contract about holds, alarms and the outcomes of deliveries.
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import type { Alarm } from "../../src/domain/journal/Rows.ts"
import {
  call,
  commit,
  commitAll,
  counter,
  event,
  hold,
  JournalProbe,
  outcomesOf,
  subscription,
  wallet
} from "./JournalProbe.ts"
import { subscriptionId, workspaceId } from "../support/Ids.ts"
import type { WorkspaceId } from "../../src/domain/BrandedIds.ts"

const load = (type: string, id: string) => Effect.flatMap(Journal, (journal) => journal.load(type, id))

export const holdsAndAlarms = (it: Vitest.MethodsNonLive<Journal | JournalProbe>) => {
  it.effect("loads a wallet with its own open holds", () =>
    Effect.gen(function* () {
      const [workspace_id, other] = [randomUUID(), randomUUID()]
      const late = hold(workspaceId(workspace_id), { placed_at: 3_000 })
      const early = hold(workspaceId(workspace_id), { placed_at: 2_000, amount_minor: 9_000_000_000 })
      const closing = hold(workspaceId(workspace_id))
      yield* commit(wallet(workspaceId(workspace_id), 1, { holds: [late, early, closing] }))
      yield* commit(wallet(workspaceId(other), 1, { holds: [hold(workspaceId(other))] }))
      yield* commit(
        wallet(workspaceId(workspace_id), 2, { holds: [{ ...closing, status: "released", closed_at: 4_000 }] })
      )
      assert.deepStrictEqual((yield* load("Wallet", workspace_id))?.holds, [early, late])
    })
  )

  it.effect("loads a wallet with the destinations of the last hour, oldest first", () =>
    Effect.gen(function* () {
      const [workspace_id, other] = [randomUUID(), randomUUID()]
      const now = Date.now()
      const placed = (of: WorkspaceId, to_e164: string, ago_ms: number, direction = "outbound") => {
        const entry = call(of, randomUUID(), 1)
        const columns = { ...entry.snapshot!.columns, to_e164, direction, created_at: now - ago_ms }
        return { ...entry, snapshot: { ...entry.snapshot!, columns } }
      }
      yield* commitAll([
        placed(workspaceId(workspace_id), "+254711000002", 1_000),
        placed(workspaceId(workspace_id), "+254711000001", 3_500_000),
        placed(workspaceId(workspace_id), "+254711000001", 3_700_000),
        placed(workspaceId(workspace_id), "+254711000003", 0, "inbound"),
        placed(workspaceId(other), "+254711000004", 0),
        wallet(workspaceId(workspace_id), 1)
      ])
      const dialled = (yield* load("Wallet", workspace_id))?.dialled ?? []
      const lately = dialled.filter(([, at]) => at > now - 3_600_000)
      assert.deepStrictEqual(lately, [
        ["+254711000001", now - 3_500_000],
        ["+254711000002", now - 1_000]
      ])
    })
  )

  it.effect("stores the last change of a hold in a batch", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const placed = hold(workspace_id)
      const extended = { ...placed, amount_minor: 240 }
      const captured = { ...extended, status: "captured" as const, captured_minor: 60, closed_at: 5_000 }
      yield* commitAll([
        wallet(workspace_id, 1, { holds: [placed] }),
        wallet(workspace_id, 2, { holds: [extended] }),
        wallet(workspace_id, 3, { holds: [captured] })
      ])
      const probe = yield* JournalProbe
      assert.deepStrictEqual(yield* probe.hold(placed.id), {
        amount_minor: 240,
        captured_minor: 60,
        status: "captured"
      })
      assert.deepStrictEqual((yield* load("Wallet", workspace_id))?.holds, [])
    })
  )

  it.effect("stores a new call only while its hold is open", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const [open, released, captured] = [hold(workspace_id), hold(workspace_id), hold(workspace_id)]
      const closed_at = 5_000
      yield* commit(wallet(workspace_id, 1, { holds: [open, released, captured] }))
      const ends = [
        { ...released, status: "released" as const, closed_at },
        { ...captured, status: "captured" as const, closed_at }
      ]
      yield* commit(wallet(workspace_id, 2, { holds: ends }))
      const begin = ({ id }: { readonly id: string }) => call(workspace_id, id, 1, { needs_hold: id })
      const unknown = { id: randomUUID() }
      assert.deepStrictEqual(
        yield* outcomesOf([begin(open), begin(released), begin(captured), begin(unknown), counter(randomUUID(), 1)]),
        ["ok", "stale", "stale", "stale", "ok"]
      )
      assert.isUndefined(yield* load("Call", released.id))
    })
  )

  it.effect("releases a hold as unused only while its call is not stored", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const [used, unused] = [hold(workspace_id), hold(workspace_id)]
      yield* commit(wallet(workspace_id, 1, { holds: [used, unused] }))
      yield* commit(call(workspace_id, used.id, 1, { needs_hold: used.id }))
      const release = (version: number, of: typeof used, more: { readonly unused?: true }) =>
        wallet(workspace_id, version, { holds: [{ ...of, status: "released", closed_at: 5_000, ...more }] })
      assert.deepStrictEqual(yield* outcomesOf([release(2, used, { unused: true })]), ["stale"])
      assert.deepStrictEqual(yield* outcomesOf([release(2, unused, { unused: true })]), ["ok"])
      assert.deepStrictEqual((yield* load("Wallet", workspace_id))?.holds, [used])
      assert.deepStrictEqual(yield* outcomesOf([release(3, unused, { unused: true })]), ["stale"])
      assert.deepStrictEqual(yield* outcomesOf([release(3, used, {})]), ["ok"])
    })
  )

  it.effect("never opens a captured hold again, but a released one", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const [captured, released] = [hold(workspace_id), hold(workspace_id)]
      yield* commit(wallet(workspace_id, 1, { holds: [captured, released] }))
      yield* commit(
        wallet(workspace_id, 2, {
          holds: [
            { ...captured, status: "captured", captured_minor: 60, closed_at: 5_000 },
            { ...released, status: "released", closed_at: 5_000 }
          ]
        })
      )
      const other = workspaceId(randomUUID())
      const batch = [wallet(other, 1), wallet(workspace_id, 3, { holds: [captured] }), wallet(workspace_id, 4)]
      assert.deepStrictEqual(yield* outcomesOf(batch), ["ok", "captured", "stale"])
      assert.deepStrictEqual(yield* outcomesOf([wallet(workspace_id, 3, { holds: [released] })]), ["ok"])
      const probe = yield* JournalProbe
      assert.deepStrictEqual(yield* probe.hold(captured.id), {
        amount_minor: captured.amount_minor,
        captured_minor: 60,
        status: "captured"
      })
      assert.deepStrictEqual((yield* load("Wallet", workspace_id))?.holds, [released])
    })
  )

  it.effect("sets, keeps and clears an alarm", () =>
    Effect.gen(function* () {
      const id = randomUUID()
      const alarmAfter = Effect.fnUntraced(function* (version: number, alarm?: number | null) {
        yield* commit(counter(id, version, alarm === undefined ? {} : { alarm }))
        return (yield* load("Counter", id))?.alarm
      })
      assert.strictEqual(yield* alarmAfter(1, 8_000), 8_000)
      assert.strictEqual(yield* alarmAfter(2), 8_000)
      assert.strictEqual(yield* alarmAfter(3, 9_000), 9_000)
      assert.strictEqual(yield* alarmAfter(4, null), null)
      const batch = [
        counter(id, 5, { alarm: 1_000 }),
        counter(id, 6, { alarm: null }),
        counter(id, 7, { alarm: 2_000 }),
        counter(id, 8)
      ]
      yield* commitAll(batch)
      assert.strictEqual((yield* load("Counter", id))?.alarm, 2_000)
    })
  )

  it.effect("pages through due alarms in order, and postpones those that have not been set again", () =>
    Effect.gen(function* () {
      const journal = yield* Journal
      // Earlier than the alarms of all other tests.
      const ids = Array.from({ length: 5 }, () => randomUUID()).sort()
      const dues = [3, 1, 2, 2, 4]
      yield* commitAll(ids.map((id, index) => counter(id, 1, { alarm: dues[index]! })))
      const expected: ReadonlyArray<Alarm> = [1, 2, 3, 0].map((index) => ({
        actor_type: "Counter",
        actor_id: ids[index]!,
        due_at: dues[index]!
      }))
      const first = yield* journal.alarms({ before: 3, limit: 2 })
      assert.deepStrictEqual(first, expected.slice(0, 2))
      assert.deepStrictEqual(yield* journal.alarms({ before: 3, after: first[1]!, limit: 10 }), expected.slice(2))
      yield* commit(counter(ids[1]!, 2, { alarm: 2 }))
      yield* journal.postpone(expected, 500_000)
      yield* journal.postpone([], 500_000)
      assert.deepStrictEqual(yield* journal.alarms({ before: 4, limit: 10 }), [
        { actor_type: "Counter", actor_id: ids[1]!, due_at: 2 },
        { actor_type: "Counter", actor_id: ids[4]!, due_at: 4 }
      ])
      assert.strictEqual((yield* load("Counter", ids[0]!))?.alarm, 500_000)
      yield* commitAll([counter(ids[1]!, 3, { alarm: null }), counter(ids[4]!, 2, { alarm: null })])
    })
  )

  it.effect("updates a delivery with the outcome of an attempt", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(70_000)
      const [workspace_id, call_id, id] = [randomUUID(), randomUUID(), randomUUID()]
      yield* commit(subscription(workspaceId(workspace_id), id, 1))
      yield* commit(
        call(workspaceId(workspace_id), call_id, 1, {
          events: [event(workspaceId(workspace_id), call_id, 1, { fan_out: true })]
        })
      )
      const { deliveries } = yield* JournalProbe
      const [pending] = yield* deliveries(subscriptionId(id))
      const outcome = {
        id: pending!.id,
        created_at: pending!.created_at,
        finished_at: null,
        last_error: '{"code":"timeout"}'
      }
      yield* commitAll([
        subscription(
          workspaceId(workspace_id),
          id,
          2,
          {},
          {
            deliveries: [{ ...outcome, status: "in_flight", attempts: 1, next_attempt_at: null, attempt_log: "[]" }]
          }
        ),
        subscription(
          workspaceId(workspace_id),
          id,
          3,
          {},
          {
            deliveries: [{ ...outcome, status: "retrying", attempts: 1, next_attempt_at: 75_000, attempt_log: "[1]" }]
          }
        )
      ])
      assert.deepStrictEqual(yield* deliveries(subscriptionId(id)), [
        { ...pending!, status: "retrying", attempts: 1, next_attempt_at: 75_000, attempt_log: "[1]" }
      ])
    })
  )
}
