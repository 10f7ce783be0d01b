// The wallet's own order of its entries. Entries of one instant had no order before, so the old ones are numbered by
// their balances: each begins where the one before it ended.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { chainOrder } from "../../../domain/wallet/ChainOrder.ts"

interface EntryRow {
  readonly id: string
  readonly amount_minor: bigint
  readonly balance_after_minor: bigint
  readonly created_at: Date
}

/** Rows of one UPDATE. */
const rows_max = 10_000

const numberEntries = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, workspace_id: string) {
  const rows = yield* sql.unsafe<EntryRow>(
    "SELECT id, amount_minor, balance_after_minor, created_at FROM ledger_entries WHERE workspace_id = $1 ORDER BY created_at, id",
    [workspace_id]
  )
  const ids = chainOrder(
    rows.map(({ amount_minor, balance_after_minor, created_at, id }) => ({
      id,
      amount_minor: Number(amount_minor),
      balance_after_minor: Number(balance_after_minor),
      created_at: created_at.getTime()
    }))
  ).map(({ id }) => id)
  for (let from = 0; from < ids.length; from += rows_max) {
    yield* sql.unsafe(
      `UPDATE ledger_entries e SET sequence = $2 + r.place
       FROM unnest($1::uuid[]) WITH ORDINALITY AS r (id, place) WHERE e.id = r.id`,
      [ids.slice(from, from + rows_max), from]
    )
  }
  yield* sql.unsafe(
    `UPDATE wallets SET state = (state::jsonb || jsonb_build_object('entries', $2::int8))::json WHERE workspace_id = $1`,
    [workspace_id, ids.length]
  )
})

const indexes = [
  "CREATE UNIQUE INDEX ledger_entries_sequence ON ledger_entries (workspace_id, sequence DESC)",
  "DROP INDEX ledger_entries_of_workspace",
  "CREATE INDEX ledger_entries_of_workspace ON ledger_entries (workspace_id, created_at DESC, sequence DESC)",
  "DROP INDEX ledger_entries_by_kind",
  `CREATE INDEX ledger_entries_by_kind ON ledger_entries (workspace_id, kind, created_at DESC, sequence DESC)
   WHERE kind <> 'call_charge'`
]

export const entrySequence = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("ALTER TABLE ledger_entries ADD COLUMN sequence int8")
  // Nothing else is changed, and the trigger is back before the transaction ends.
  yield* sql.unsafe("ALTER TABLE ledger_entries DISABLE TRIGGER append_only")
  const wallets = yield* sql.unsafe<{ readonly workspace_id: string }>(
    "SELECT DISTINCT workspace_id FROM ledger_entries WHERE workspace_id IS NOT NULL"
  )
  for (const { workspace_id } of wallets) yield* numberEntries(sql, workspace_id)
  yield* sql.unsafe("ALTER TABLE ledger_entries ENABLE TRIGGER append_only")
  for (const index of indexes) yield* sql.unsafe(index)
})
