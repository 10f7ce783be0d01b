// What every journal must do. Each test uses new ids, so that the tests may share a database.
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
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
import { fanOuts } from "./JournalFanOut.ts"
import { holdsAndAlarms } from "./JournalHolds.ts"
import { tiedEntries } from "./JournalTied.ts"
import { callId, workspaceId } from "../support/Ids.ts"

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

    fanOuts(it)
    holdsAndAlarms(it)
    tiedEntries(it)
  })
}
