import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { journalContract } from "../../../contract/Journal.ts"
import { type DeliverySeen, JournalProbe } from "../../../contract/JournalProbe.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const epoch = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8 AS ${column}`

const probe = Layer.effect(
  JournalProbe,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const query = <Row extends object>(text: string, id: string) => Effect.orDie(sql.unsafe<Row>(text, [id]))
    return {
      events: (id: string) =>
        query<{ sequence: number; recorded_at: number }>(
          `SELECT sequence, ${epoch("recorded_at")} FROM events WHERE subject_id = $1 ORDER BY sequence`,
          id
        ),
      deliveries: (id: string) =>
        query<DeliverySeen>(
          `SELECT id, event_id, event_kind, sequence, status, attempts, ${epoch("next_attempt_at")}, ${epoch("created_at")},
             attempt_log::text FROM deliveries WHERE subscription_id = $1 ORDER BY sequence`,
          id
        ),
      hold: (id: string) =>
        Effect.map(
          query<{ amount_minor: number; captured_minor: number; status: "open" | "captured" | "released" }>(
            "SELECT amount_minor::float8, captured_minor::float8, status FROM holds WHERE id = $1",
            id
          ),
          ([row]) => row
        ),
      lines: (id: string) =>
        Effect.map(
          query<{ account: string; amount_minor: number }>(
            `SELECT account, l.amount_minor::float8 FROM ledger_lines l JOIN ledger_entries e ON e.id = l.entry_id
             WHERE e.workspace_id = $1 ORDER BY account`,
            id
          ),
          (rows) => rows.map(({ account, amount_minor }) => [account, amount_minor] as const)
        ),
      trail: (id: string) =>
        query<{ key: string; kind: string; at: number; detail: string }>(
          `SELECT key, kind, ${epoch("at")}, detail::text FROM call_trail WHERE call_id = $1 ORDER BY key`,
          id
        ),
      answers: (id: string) =>
        query<{ key: string; body: string }>(
          "SELECT key, body FROM idempotency_keys WHERE workspace_id = $1 ORDER BY key",
          id
        )
    }
  })
)

const journal = (often: number) =>
  Layer.provide(Layer.merge(PostgresJournal.layerWith(often), probe), TestDatabase.layer)

journalContract("the journal on PostgreSQL, by the statements that all shapes of batches share", journal(Infinity))
journalContract("the journal on PostgreSQL, by a statement for each shape of batches", journal(1))
