// What every journal must do. Each test uses new ids, so that the tests may share a database.
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { createHash, randomUUID } from "node:crypto"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import {
  call,
  charge,
  commit,
  commitAll,
  counter,
  event,
  JournalProbe,
  outcomesOf,
  subscription,
  wallet
} from "./JournalProbe.ts"
import { holdsAndAlarms } from "./JournalHolds.ts"
import { callId, numberId, subscriptionId, workspaceId } from "../support/Ids.ts"

const load = (type: string, id: string) => Effect.flatMap(Journal, (journal) => journal.load(type, id))

export const journalContract = <E>(name: string, journal: Layer.Layer<Journal | JournalProbe, E>) => {
  layer(journal)(name, (it) => {
    it.effect("loads nothing for an actor that was never written", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* load("Counter", randomUUID()), undefined)
        assert.strictEqual(yield* load("Call", randomUUID()), undefined)
        assert.strictEqual(yield* load("Call", "not-a-uuid"), undefined)
      })
    )

    it.effect(
      "writes the lines of a call's timeline with the decision, each once, and none of a refused decision",
      () =>
        Effect.gen(function* () {
          const workspace_id = workspaceId(randomUUID())
          const call_id = callId(randomUUID())
          const probe = yield* JournalProbe
          const line = (key: string, detail = "{}") => ({
            workspace_id,
            call_id,
            key,
            kind: "action.started",
            at: 1_000,
            detail
          })
          const shown = ({ at, detail, key, kind }: ReturnType<typeof line>) => ({ key, kind, at, detail })
          const first = line("action:0", '{"text":"café \\u2028"}')
          const outcomes = yield* outcomesOf([
            call(workspace_id, call_id, 1, { trail: [first, line("action:0", '{"again":true}'), line("action:1")] }),
            call(workspace_id, call_id, 5, { trail: [line("action:2")] })
          ])
          assert.deepStrictEqual(outcomes, ["ok", "stale"])
          assert.deepStrictEqual(yield* probe.trail(call_id), [shown(first), shown(line("action:1"))])
        })
    )

    it.effect("loads the latest snapshot of every kind of actor", () =>
      Effect.gen(function* () {
        const [workspace_id, id] = [randomUUID(), randomUUID()]
        yield* commit(counter(id, 1))
        yield* commit(counter(id, 2, { alarm: 5_000 }))
        yield* commitAll([
          call(workspaceId(workspace_id), id, 1),
          wallet(workspaceId(workspace_id), 1),
          subscription(workspaceId(workspace_id), id, 1)
        ])
        yield* commitAll([
          call(workspaceId(workspace_id), id, 2),
          wallet(workspaceId(workspace_id), 2),
          subscription(workspaceId(workspace_id), id, 2)
        ])
        const rest = { alarm: null, holds: [] }
        assert.deepStrictEqual(yield* load("Counter", id), {
          version: 2,
          workspace_id: null,
          state: '{"count":2}',
          ...rest,
          alarm: 5_000
        })
        const state = '{"version":2}'
        assert.deepStrictEqual(yield* load("Call", id), {
          version: 2,
          workspace_id: workspaceId(workspace_id),
          state: `{"id":"${id}","version":2}`,
          ...rest
        })
        assert.deepInclude(yield* load("Wallet", workspace_id), {
          version: 2,
          workspace_id: workspaceId(workspace_id),
          state,
          ...rest
        })
        assert.deepStrictEqual(yield* load("Subscription", id), {
          version: 2,
          workspace_id: workspaceId(workspace_id),
          state,
          ...rest
        })
      })
    )

    it.effect("returns a state that no engine can read exactly as it was written", () =>
      Effect.gen(function* () {
        const id = randomUUID()
        const { snapshot, ...entry } = counter(id, 1)
        const state = '{"v":1000,"count":"seven","unknown":[null,{"a":1.5e300}]}'
        yield* commit({ ...entry, snapshot: { ...snapshot!, state } })
        assert.deepInclude(yield* load("Counter", id), { version: 1, state })
      })
    )

    it.effect(
      "writes entries that wait at the same moment together: the last state of an actor, and all its events",
      () =>
        Effect.gen(function* () {
          const [workspace_id, id] = [randomUUID(), randomUUID()]
          yield* TestClock.setTime(7_000)
          const entries = Array.from({ length: 100 }, (_, index) =>
            call(workspaceId(workspace_id), id, index + 1, {
              events: [event(workspaceId(workspace_id), id, index + 1)]
            })
          )
          assert.deepStrictEqual(new Set(yield* outcomesOf(entries)), new Set(["ok"]))
          assert.strictEqual((yield* load("Call", id))?.version, 100)
          const { events } = yield* JournalProbe
          assert.deepStrictEqual(
            yield* events(id),
            entries.map((_, index) => ({ sequence: index + 1, recorded_at: 7_000 }))
          )
        })
    )

    it.effect("acknowledges the entries of an actor in order", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const id = randomUUID()
        const answered = yield* Effect.callback<ReadonlyArray<number>>((resume) => {
          const order: Array<number> = []
          for (let version = 1; version <= 50; version++) {
            journal.append(counter(id, version), () => {
              order.push(version)
              if (order.length === 50) resume(Effect.succeed(order))
            })
          }
        })
        assert.deepStrictEqual(
          answered,
          Array.from({ length: 50 }, (_, index) => index + 1)
        )
      })
    )

    it.effect("refuses a version that does not follow the stored one, and everything else in the entry", () =>
      Effect.gen(function* () {
        const [workspace_id, id] = [randomUUID(), randomUUID()]
        const carried = { alarm: 9_000, events: [event(workspaceId(workspace_id), id, 9)] }
        const missing = yield* Effect.flip(commit(call(workspaceId(workspace_id), id, 2, carried)))
        assert.strictEqual(missing.reason, "stale")
        yield* commit(call(workspaceId(workspace_id), id, 1))
        for (const version of [1, 3]) {
          assert.strictEqual(
            (yield* Effect.flip(commit(call(workspaceId(workspace_id), id, version, carried)))).reason,
            "stale"
          )
        }
        const { events } = yield* JournalProbe
        assert.deepStrictEqual(yield* events(id), [])
        const stored = yield* load("Call", id)
        assert.deepStrictEqual([stored?.version, stored?.alarm], [1, null])
      })
    )

    it.effect("refuses a decision on an older state", () =>
      Effect.gen(function* () {
        const id = randomUUID()
        yield* commit(counter(id, 1))
        assert.deepStrictEqual(yield* outcomesOf([counter(id, 2), counter(id, 2)]), ["ok", "stale"])
        assert.deepStrictEqual(yield* outcomesOf([counter(id, 3), counter(id, 5), counter(id, 6)]), [
          "ok",
          "stale",
          "stale"
        ])
        assert.strictEqual((yield* load("Counter", id))?.version, 3)
      })
    )

    it.effect("limits the damage of a bad entry to its own actor", () =>
      Effect.gen(function* () {
        const [workspace_id, bad] = [randomUUID(), randomUUID()]
        yield* commit(call(workspaceId(workspace_id), bad, 1))
        const good = Array.from({ length: 40 }, () => randomUUID())
        const entries = [
          ...good.map((id) =>
            call(workspaceId(workspace_id), id, 1, { events: [event(workspaceId(workspace_id), id, 1)] })
          ),
          call(workspaceId(workspace_id), bad, 5, { events: [event(workspaceId(workspace_id), bad, 5)] }),
          // This entry follows a state that was never written.
          {
            actor_type: "Call",
            actor_id: bad,
            workspace_id: workspaceId(workspace_id),
            events: [event(workspaceId(workspace_id), bad, 6)]
          },
          ...good.map((id) => call(workspaceId(workspace_id), id, 2))
        ]
        const expected = [...good.map(() => "ok"), "stale", "stale", ...good.map(() => "ok")]
        assert.deepStrictEqual(yield* outcomesOf(entries), expected)
        const { events } = yield* JournalProbe
        assert.deepStrictEqual(yield* events(bad), [])
        for (const id of good) {
          assert.strictEqual((yield* load("Call", id))?.version, 2)
          assert.strictEqual((yield* events(id)).length, 1)
        }
      })
    )

    it.effect("stores one answer for an Idempotency-Key, also for a decision without events", () =>
      Effect.gen(function* () {
        const workspace_id = workspaceId(randomUUID())
        const row = {
          workspace_id,
          method: "POST",
          route: "/v1/calls",
          key: "k",
          fingerprint: "f",
          status: 201,
          headers: { location: "/x" },
          created_at: 1
        }
        const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
        const answered = yield* outcomesOf([
          { actor_type: "Call", actor_id: first, workspace_id, idempotency: { ...row, body: "first" } },
          call(workspace_id, second, 1, { idempotency: { ...row, body: "second" } }),
          call(workspace_id, third, 1, { idempotency: { ...row, key: "other", body: "third" } })
        ])
        assert.deepStrictEqual(answered, ["ok", "duplicate", "ok"])
        assert.strictEqual(yield* load("Call", second), undefined)
        const again = call(workspace_id, second, 1, { idempotency: { ...row, body: "again" } })
        assert.strictEqual((yield* Effect.flip(commit(again))).reason, "duplicate")
        const { answers } = yield* JournalProbe
        assert.deepStrictEqual(yield* answers(workspace_id), [
          { key: "k", body: "first" },
          { key: "other", body: "third" }
        ])
      })
    )

    it.effect("refuses a second charge for a call", () =>
      Effect.gen(function* () {
        const [workspace_id, call_id] = [randomUUID(), randomUUID()]
        yield* commit(wallet(workspaceId(workspace_id), 1))
        yield* commit(
          wallet(workspaceId(workspace_id), 2, { ledger: [charge(workspaceId(workspace_id), callId(call_id))] })
        )
        const other = workspaceId(randomUUID())
        const answered = yield* outcomesOf([
          wallet(other, 1),
          wallet(workspaceId(workspace_id), 3, { ledger: [charge(workspaceId(workspace_id), callId(call_id))] }),
          wallet(other, 2)
        ])
        assert.deepStrictEqual(answered, ["ok", "stale", "ok"])
        const { lines } = yield* JournalProbe
        assert.deepStrictEqual(yield* lines(workspaceId(workspace_id)), [
          ["revenue:calls", 60],
          [`workspace:${workspace_id}:cash`, -60]
        ])
        assert.strictEqual((yield* load("Wallet", workspace_id))?.version, 2)
      })
    )

    it.effect("creates deliveries for the active subscriptions that select an event", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(50_000)
        const journal = yield* Journal
        const [workspace_id, number_id, call_id] = [randomUUID(), randomUUID(), randomUUID()]
        const [all, numbered, otherNumber, otherKind, paused, foreign] = Array.from({ length: 6 }, () => randomUUID())
        yield* commitAll([
          subscription(workspaceId(workspace_id), all!, 1, { kinds: ['it\'s "quoted\\"', "call.ringing"] }),
          subscription(
            workspaceId(workspace_id),
            numbered!,
            1,
            { number_ids: [numberId(number_id)] },
            { alarm: 90_000 }
          ),
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

    it.effect(
      "sets the alarm of a subscription that got a delivery, whatever its own entry says in the same batch",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(60_000)
          const [workspace_id, call_id] = [randomUUID(), randomUUID()]
          const [calm, later, overdue] = [randomUUID(), randomUUID(), randomUUID()]
          yield* commitAll([
            subscription(workspaceId(workspace_id), calm, 1),
            subscription(workspaceId(workspace_id), later, 1),
            subscription(workspaceId(workspace_id), overdue, 1, {}, { alarm: 40_000 })
          ])
          const answered = yield* outcomesOf([
            call(workspaceId(workspace_id), call_id, 1, {
              events: [event(workspaceId(workspace_id), call_id, 1, { fan_out: true })]
            }),
            subscription(workspaceId(workspace_id), calm, 2, {}, { alarm: null }),
            subscription(workspaceId(workspace_id), later, 2, {}, { alarm: 99_000 })
          ])
          assert.deepStrictEqual(answered, ["ok", "ok", "ok"])
          for (const id of [calm, later]) assert.strictEqual((yield* load("Subscription", id))?.alarm, 60_000)
          assert.strictEqual((yield* load("Subscription", overdue))?.alarm, 40_000)
        })
    )

    holdsAndAlarms(it)
  })
}
