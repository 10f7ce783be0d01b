// Durable decisions a second through the journal, compared with the same writes in one transaction each.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { Journal } from "../src/domain/ports/engine/Journal.ts"
import type { Entry } from "../src/domain/journal/Rows.ts"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import * as PostgresJournal from "../src/layers/postgres/journal/Journal.ts"
import { migrate } from "../src/layers/postgres/migrations/Migrations.ts"
import type { BenchRow } from "./Row.ts"
import { workspaceId } from "../test/support/Ids.ts"
import { toNumberId } from "../src/domain/BrandedIds.ts"

export interface JournalBenchOptions {
  /** A database that may be filled. If absent, a temporary server is started. */
  readonly url?: Redacted.Redacted
  /** Duration of each measurement. Default: 5,000. */
  readonly duration_ms?: number
  /** Numbers of entries that wait at once. Default: 1, 16, 64, 256 and 1,024. */
  readonly waiting?: ReadonlyArray<number>
}

/** UUIDs of version 7, like the engine's: they are ordered by time, so they touch few pages of an index. */
const uuid = (): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const workspace_id = workspaceId(uuid())
const list = (length: number) =>
  Array.from({ length }, (_, n) => ({ verb: "play", url: `https://media.example/${n}.mp3`, loop: n }))
const stateText = JSON.stringify({ status: "answered", plan: list(14), metadata: { note: "a word ".repeat(30) } })
const payloadText = JSON.stringify({
  kind: "call.answered",
  actions: list(11),
  metadata: { note: "a word ".repeat(20) }
})

const transitions = 5

/** The next of a call's five decisions: the first is an insert, every second one moves the alarm. */
const nextEntry = (previous: Entry | undefined): Entry => {
  const before = previous?.snapshot?.version === transitions ? undefined : previous
  const version = (before?.snapshot?.version ?? 0) + 1
  const id = before?.actor_id ?? uuid()
  const now = Date.now()
  const answered = version > 2
  return {
    actor_type: "Call",
    actor_id: id,
    workspace_id,
    snapshot: {
      version,
      state: `{"id":"${id}","version":${version},"call":${stateText}}`,
      columns: {
        session_id: `HD_${id}`,
        parent_call_id: null,
        number_id: toNumberId(workspace_id),
        status: answered ? "answered" : "ringing",
        direction: "outbound",
        from_e164: "+254700000001",
        to_e164: "+254711000001",
        client_reference: null,
        created_at: before?.snapshot?.columns["created_at"] ?? now,
        answered_at: answered ? now : null,
        cost_minor: null
      }
    },
    ...(version % 2 === 1 && { alarm: now + 60_000 }),
    events: [
      {
        id: uuid(),
        workspace_id,
        subject_id: id,
        sequence: version,
        kind: "call.answered",
        occurred_at: now,
        late: false,
        payload: `{"id":"${id}","sequence":${version},"call":${payloadText}}`,
        number_id: toNumberId(workspace_id),
        fan_out: true
      }
    ]
  }
}

/** Entries a second through the journal while `waiting` entries wait at any moment, and the p99 of the wait. */
const throughJournal = Effect.fnUntraced(function* (waiting: number, duration_ms: number) {
  const journal = yield* Journal
  return yield* Effect.callback<{ readonly rate: number; readonly p99_ms: number }>((resume) => {
    const start = performance.now()
    const waits: Array<number> = []
    let running = waiting
    const next = (before: Entry | undefined): void => {
      const entry = nextEntry(before)
      const appended = performance.now()
      journal.append(entry, (outcome) => {
        if (!outcome.ok) return resume(Effect.die(outcome.error))
        const now = performance.now()
        waits.push(now - appended)
        if (now - start < duration_ms) return next(entry)
        if (--running > 0) return
        waits.sort((a, b) => a - b)
        const rate = (waits.length / (now - start)) * 1_000
        resume(Effect.succeed({ rate, p99_ms: waits[Math.floor(waits.length * 0.99)]! }))
      })
    }
    for (let index = 0; index < waiting; index++) next(undefined)
  })
})

/** The same rows, written as by an application without a journal. */
const inTransaction = (sql: PgClient.PgClient, { actor_id, alarm, events, snapshot }: Entry) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const { state, version } = snapshot!
      const columns = snapshot!.columns
      const event = events![0]!
      if (version === 1) {
        yield* sql`INSERT INTO calls (id, workspace_id, session_id, number_id, version, state, status, direction, from_e164,
          to_e164, created_at)
        VALUES (${actor_id}, ${workspace_id}, ${columns["session_id"] as string}, ${workspace_id}, 1, ${state},
          'ringing', 'outbound', '+254700000001', '+254711000001', ${new Date(event.occurred_at)})`
      } else {
        yield* sql`UPDATE calls SET version = ${version}, state = ${state}, status = ${columns["status"] as string},
          answered_at = ${new Date(event.occurred_at)}
        WHERE id = ${actor_id} AND version = ${version - 1}`
      }
      yield* sql`INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, recorded_at, late, payload)
      VALUES (${event.id}, ${workspace_id}, ${actor_id}, ${event.sequence}, ${event.kind},
        ${new Date(event.occurred_at)}, ${new Date(event.occurred_at)}, false, ${event.payload})`
      if (typeof alarm === "number") {
        yield* sql`INSERT INTO alarms (actor_type, actor_id, due_at) VALUES ('Call', ${actor_id}, ${new Date(alarm)})
        ON CONFLICT (actor_type, actor_id) DO UPDATE SET due_at = excluded.due_at`
      }
    })
  )

const connections = 32

/** Entries a second with one transaction each, over the best number of connections. */
const oneByOne = Effect.fnUntraced(function* (duration_ms: number) {
  const sql = yield* PgClient.PgClient
  const start = performance.now()
  let written = 0
  const writer = Effect.gen(function* () {
    let entry: Entry | undefined
    while (performance.now() - start < duration_ms) {
      entry = nextEntry(entry)
      yield* inTransaction(sql, entry)
      written++
    }
  })
  yield* Effect.all(
    Array.from({ length: connections }, () => writer),
    { concurrency: "unbounded", discard: true }
  )
  return (written / (performance.now() - start)) * 1_000
})

/** Rows for the table of `npm run bench`. */
export const journalBench = (
  options: JournalBenchOptions = {}
): Effect.Effect<ReadonlyArray<BenchRow>, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { duration_ms = 5_000, waiting = [1, 16, 64, 256, 1_024] } = options
    const url = options.url ?? (yield* startEphemeral("disk")).url
    const database = Database.layer({ url, connections })
    return yield* Effect.gen(function* () {
      yield* migrate()
      const rows: Array<BenchRow> = []
      const best = { rate: 0 }
      for (const count of waiting) {
        const { p99_ms, rate } = yield* Effect.provide(throughJournal(count, duration_ms), PostgresJournal.layer)
        if (rate > best.rate) best.rate = rate
        rows.push({ name: `journal, ${count} waiting`, value: rate, unit: "entries/s" })
        rows.push({ name: `journal, ${count} waiting, p99`, value: p99_ms, unit: "ms" })
      }
      const limit = yield* oneByOne(duration_ms)
      rows.push({ name: `one transaction each, ${connections} connections`, value: limit, unit: "entries/s" })
      rows.push({
        name: "journal at its best, relative to one transaction each",
        value: best.rate / limit,
        unit: "times"
      })
      return rows
    }).pipe(Effect.provide(Layer.fresh(database)))
  })

if (import.meta.main) {
  const rows = await Effect.runPromise(Effect.scoped(journalBench()))
  console.table(rows.map(({ name, unit, value }) => ({ name, value: Number(value.toPrecision(4)), unit })))
}
