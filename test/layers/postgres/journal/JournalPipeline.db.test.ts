import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Journal } from "../../../../src/domain/ports/engine/Journal.ts"
import type { Committed, Entry } from "../../../../src/domain/journal/Rows.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { commit, counter, event } from "../../../contract/JournalProbe.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { workspaceId } from "../../../support/Ids.ts"

const verdict = (outcome: Committed | undefined) =>
  outcome === undefined ? "none" : outcome.ok ? "ok" : outcome.error.reason

/** Appends in one go; the answers come in as they are given. */
const appendAll = (entries: ReadonlyArray<Entry>) =>
  Effect.map(Journal, (journal) => {
    const outcomes: Array<Committed | undefined> = entries.map(() => undefined)
    const order: Array<number> = []
    entries.forEach((entry, index) =>
      journal.append(entry, (outcome) => {
        outcomes[index] = outcome
        order.push(index)
      })
    )
    return { outcomes, order }
  })

const some = (count: number, version: number, ids = Array.from({ length: count }, () => randomUUID() as string)) =>
  ids.map((id) => counter(id, version))

layer(Layer.provideMerge(PostgresJournal.layer, TestDatabase.layer))("a batch behind another", (it) => {
  /** Runs while the row of a counter is locked, so that the batch that writes it is under way. */
  const behindALock = <A, E, R>(entry: Entry, body: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql.withTransaction(
        Effect.andThen(
          sql`SELECT FROM actors WHERE actor_type = 'Counter' AND actor_id = ${entry.actor_id} FOR UPDATE`,
          body
        )
      )
    })

  const statementsUnderWay = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly waiting: number }>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH %'`,
      ([row]) => row!.waiting
    )
  )

  const until = (
    reached: Effect.Effect<boolean, unknown, SqlClient.SqlClient>
  ): Effect.Effect<void, unknown, SqlClient.SqlClient> =>
    Effect.flatMap(reached, (is) => (is ? Effect.void : Effect.andThen(Effect.yieldNow, until(reached))))

  it.effect(
    "is written when the batch ahead is, and answered after it",
    () =>
      Effect.gen(function* () {
        const locked = counter(randomUUID(), 1)
        yield* commit(locked)
        const first = [counter(locked.actor_id, 2), ...some(100, 1)]
        const second = [
          counter(locked.actor_id, 3),
          ...some(
            60,
            2,
            first.slice(1, 61).map(({ actor_id }) => actor_id)
          )
        ]
        const { ahead, behind } = yield* behindALock(
          locked,
          Effect.gen(function* () {
            const ahead = yield* appendAll(first)
            yield* until(Effect.map(statementsUnderWay, (count) => count > 0))
            const behind = yield* appendAll(second)
            for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
            assert.isTrue([...ahead.outcomes, ...behind.outcomes].every((outcome) => outcome === undefined))
            return { ahead, behind }
          })
        )
        yield* until(
          Effect.sync(() => {
            if (behind.order.length > 0) assert.strictEqual(ahead.order.length, first.length)
            return behind.order.length === second.length
          })
        )
        assert.deepStrictEqual(new Set([...ahead.outcomes, ...behind.outcomes].map(verdict)), new Set(["ok"]))
      }),
    20_000
  )

  it.effect(
    "fails only as far as it depends on what failed",
    () =>
      Effect.gen(function* () {
        const locked = counter(randomUUID(), 1)
        yield* commit(locked)
        const bad = counter(randomUUID(), 7)
        const retryable = some(70, 1)
        const first = [counter(locked.actor_id, 2), bad, ...retryable]
        const second = [
          {
            actor_type: "Counter",
            actor_id: bad.actor_id,
            workspace_id: null,
            events: [event(workspaceId(randomUUID()), bad.actor_id, 1)]
          },
          counter(bad.actor_id, 8),
          counter(locked.actor_id, 3),
          ...retryable.map(({ actor_id }) => counter(actor_id, 2)),
          ...some(10, 1)
        ]
        const { ahead, behind } = yield* behindALock(
          locked,
          Effect.gen(function* () {
            const ahead = yield* appendAll(first)
            yield* until(Effect.map(statementsUnderWay, (count) => count > 0))
            const behind = yield* appendAll(second)
            for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
            return { ahead, behind }
          })
        )
        yield* until(Effect.sync(() => behind.order.length === second.length))
        assert.deepStrictEqual(ahead.outcomes.map(verdict), ["ok", "stale", ...retryable.map(() => "ok")])
        assert.deepStrictEqual(behind.outcomes.map(verdict), [
          "stale",
          "stale",
          "ok",
          ...retryable.map(() => "ok"),
          ...Array.from({ length: 10 }, () => "ok")
        ])
        const stored = yield* Effect.flatMap(Journal, ({ load }) => load("Counter", retryable[0]!.actor_id))
        assert.strictEqual(stored?.version, 2)
      }),
    20_000
  )
})
