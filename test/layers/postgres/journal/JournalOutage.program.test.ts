import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Journal } from "../../../../src/domain/ports/engine/Journal.ts"
import type { Entry } from "../../../../src/domain/journal/Rows.ts"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../../../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { migrate } from "../../../../src/layers/postgres/migrations/Migrations.ts"
import { commit, counter, event } from "../../../contract/JournalProbe.ts"
import { overTcp } from "../../../support/DatabaseUrl.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { makeWire, type Wire } from "../../../support/Wire.ts"
import { workspaceId } from "../../../support/Ids.ts"
import { until, untilHolds } from "../../../support/Until.ts"

const eventsOf = (subject_id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        readonly sequence: number
      }>`SELECT sequence FROM events WHERE subject_id = ${subject_id} ORDER BY sequence`,
      (rows) => rows.map(({ sequence }) => sequence)
    )
  )

/** Runs with a journal whose connections go over a wire; the test's own do not. */
const overWire = <A, E>(test: (wire: Wire) => Effect.Effect<A, E, Journal | SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.TestDatabase
    const wired = overTcp(url)
    const wire = yield* makeWire(Number(wired.port))
    wired.port = String(wire.port)
    const journal = Layer.provide(
      PostgresJournal.layer,
      Database.layer({ url: Redacted.make(wired.href), connections: 1 })
    )
    return yield* Effect.provide(test(wire), journal)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))

/** It has no version that could save it from being written twice. */
const bare = (subject_id: string): Entry => ({
  actor_type: "Counter",
  actor_id: subject_id,
  workspace_id: null,
  events: [event(workspaceId(randomUUID()), subject_id, 1)]
})

describe("a connection that breaks in the middle of a commit", () => {
  it.effect("is no failure if the transaction was committed and only its answer was lost", () =>
    overWire((wire) =>
      Effect.gen(function* () {
        const subject = randomUUID()
        yield* commit(counter(randomUUID(), 1))
        wire.next("answer lost")
        yield* commit(bare(subject))
        assert.deepStrictEqual(yield* eventsOf(subject), [1])
      })
    )
  )

  it.effect("is no failure if the transaction was not committed: it is repeated", () =>
    overWire((wire) =>
      Effect.gen(function* () {
        const subject = randomUUID()
        yield* commit(counter(randomUUID(), 1))
        wire.next("request lost")
        yield* commit(bare(subject))
        assert.deepStrictEqual(yield* eventsOf(subject), [1])
      })
    )
  )

  it.effect("leaves no transaction behind that could still arrive", () =>
    overWire((wire) =>
      Effect.gen(function* () {
        const { load } = yield* Journal
        const id = randomUUID()
        const alarm = (alarm: number | null): Entry => ({
          actor_type: "Counter",
          actor_id: id,
          workspace_id: null,
          alarm
        })
        yield* commit(counter(id, 1))
        wire.next("request late")
        yield* commit(alarm(5_000))
        assert.strictEqual((yield* load("Counter", id))?.alarm, 5_000)
        yield* commit(alarm(null))
        yield* wire.deliver
        assert.strictEqual((yield* load("Counter", id))?.alarm, null)
      })
    )
  )

  it.effect("is noticed by a deadline if nothing comes back", () =>
    overWire((wire) =>
      Effect.gen(function* () {
        const subject = randomUUID()
        yield* commit(counter(randomUUID(), 1))
        wire.next("black hole")
        const writing = yield* Effect.forkChild(commit(bare(subject)))
        yield* TestClock.adjust("7 seconds")
        assert.deepStrictEqual(yield* eventsOf(subject), [])
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(writing)
        assert.deepStrictEqual(yield* eventsOf(subject), [1])
      })
    )
  )
})

interface Weather {
  over: boolean
  /** Decisions, of all actors. */
  written: number
}

/** Twenty actors write one decision after the other until the disturbance has ended. Returns what each was told. */
const storm = Effect.fnUntraced(function* <E, R>(disturbance: (weather: Weather) => Effect.Effect<void, E, R>) {
  const journal = yield* Journal
  const weather = { over: false, written: 0 }
  const actor = Effect.gen(function* () {
    const id = workspaceId(randomUUID())
    const told: Array<number> = []
    let refused = 0
    for (let version = 1; !weather.over; version++) {
      const entry = counter(id, version, { events: [event(id, id, version)] })
      const outcome = yield* Effect.result(commit(entry))
      if (outcome._tag === "Success") {
        told.push(version)
        weather.written++
        continue
      }
      refused++
      const stored = yield* until("answer of the database", Effect.option(journal.load("Counter", id)), Option.isSome)
      version = stored.value?.version ?? 0
    }
    return { id, told, refused }
  })
  const actors = yield* Effect.forkChild(
    Effect.all(
      Array.from({ length: 20 }, () => actor),
      { concurrency: "unbounded" }
    )
  )
  yield* disturbance(weather)
  weather.over = true
  return yield* Fiber.join(actors)
})

/** Waits until every actor may have written once more. */
const nextDecisions = (weather: Weather) =>
  Effect.suspend(() => {
    const written = weather.written + 20
    return untilHolds("further decisions", () => weather.written >= written)
  })

const killWriter = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND query LIKE 'WITH calls_updated%'`
)

describe("a writer whose backend is killed again and again", () => {
  it.live("writes everything exactly once and refuses nobody for long", () =>
    Effect.gen(function* () {
      const disturbance = Effect.fnUntraced(function* (weather: Weather) {
        for (let kill = 0; kill < 30; kill++) {
          // Time to begin something that the next kill cuts off.
          yield* Effect.sleep("20 millis")
          yield* killWriter
        }
        // A machine may be slow, but a writer that is left alone writes.
        yield* untilHolds("hundredth decision", () => weather.written > 100)
      })
      const actors = yield* storm(disturbance)
      for (const { id, told } of actors) assert.deepStrictEqual(yield* eventsOf(id), told)
    }).pipe(Effect.provide(Layer.provideMerge(PostgresJournal.layer, TestDatabase.layer)))
  )
})

describe("a PostgreSQL that crashes", () => {
  it.live(
    "causes refusals while it is down, and the writer continues afterwards",
    () =>
      Effect.gen(function* () {
        const server = yield* startEphemeral("memory")
        const database = Database.layer({ url: server.url, connections: 4 })
        yield* Effect.gen(function* () {
          yield* migrate()
          const crash = Effect.fnUntraced(function* (weather: Weather) {
            for (let kill = 0; kill < 3; kill++) {
              const pid = server.pid()
              yield* nextDecisions(weather)
              // SIGQUIT: PostgreSQL's immediate shutdown, as a crash.
              process.kill(pid, "SIGQUIT")
              yield* untilHolds("restart of PostgreSQL", () => server.pid() !== pid)
            }
            yield* nextDecisions(weather)
          })
          const actors = yield* storm(crash)
          for (const { id, told } of actors) {
            const stored = yield* eventsOf(id)
            // Whoever was refused while the database was away cannot know; whoever was told "ok" is stored.
            assert.deepStrictEqual(
              told.filter((version) => !stored.includes(version)),
              []
            )
            assert.deepStrictEqual(
              stored,
              Array.from({ length: stored.length }, (_, index) => index + 1)
            )
          }
          const last = yield* Effect.result(commit(counter(randomUUID(), 1)))
          assert.strictEqual(last._tag, "Success")
        }).pipe(Effect.provide(Layer.provideMerge(PostgresJournal.layer, database)))
      }).pipe(Effect.scoped),
    60_000
  )
})
