// Triggers that keep the ledger append-only, and a view of the balance of every account.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A statement-level trigger, so that inserts cost nothing. */
const guard = (table: string): string =>
  `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`

const statements = [
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END $$`,
  guard("ledger_entries"),
  guard("ledger_lines"),

  // Held money stays in the wallet, so it has no ledger entry. The holds table records it.
  `CREATE VIEW account_balances AS
  SELECT account, currency, sum(amount_minor)::int8 AS balance_minor FROM (
    SELECT l.account, e.currency, l.amount_minor FROM ledger_lines l JOIN ledger_entries e ON e.id = l.entry_id
    UNION ALL
    SELECT 'workspace:' || workspace_id || ':held', w.currency, h.amount_minor
    FROM holds h JOIN wallets w USING (workspace_id) WHERE h.status = 'open'
    UNION ALL
    SELECT 'workspace:' || workspace_id || ':cash', w.currency, -h.amount_minor
    FROM holds h JOIN wallets w USING (workspace_id) WHERE h.status = 'open'
  ) movements GROUP BY account, currency`
]

export const books = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
