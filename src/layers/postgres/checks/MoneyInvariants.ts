// Invariants of money.
import { hasAlarm, type Invariant, terminal } from "./Invariant.ts"

/** Kinds of ledger entry that may overdraw a wallet: renewals, operator debits and reversed payments. */
const overdrawing = "('storage_charge', 'number_rental', 'manual_debit', 'topup_reversal')"

export const money: ReadonlyArray<Invariant> = [
  {
    name: "The held amount of a wallet is the sum of its open holds",
    breaches: `
      SELECT workspace_id, w.held_minor, h.amount_minor AS open_holds_minor
      FROM wallets w FULL JOIN (
        SELECT workspace_id, sum(amount_minor)::int8 AS amount_minor FROM holds WHERE status = 'open' GROUP BY workspace_id
      ) h USING (workspace_id)
      WHERE coalesce(w.held_minor, 0) <> coalesce(h.amount_minor, 0)`
  },
  {
    name: "A wallet's balance is the sum of its cash lines",
    breaches: `
      SELECT account, w.balance_minor, l.amount_minor AS cash_lines_minor
      FROM (SELECT 'workspace:' || workspace_id || ':cash' AS account, balance_minor FROM wallets) w FULL JOIN (
        SELECT account, sum(amount_minor)::int8 AS amount_minor FROM ledger_lines WHERE account LIKE 'workspace:%:cash'
        GROUP BY account
      ) l USING (account)
      WHERE coalesce(w.balance_minor, 0) <> coalesce(l.amount_minor, 0)`
  },
  {
    name: "The lines of every entry sum to 0, and its cash line is its amount",
    breaches: `
      SELECT entry_id, e.kind, e.amount_minor, l.sum_minor, l.cash_minor
      FROM (SELECT id AS entry_id, * FROM ledger_entries) e FULL JOIN (
        SELECT entry_id, sum(l.amount_minor)::int8 AS sum_minor,
          sum(l.amount_minor) FILTER (WHERE account = 'workspace:' || e.workspace_id || ':cash')::int8 AS cash_minor
        FROM ledger_lines l LEFT JOIN ledger_entries e ON e.id = entry_id GROUP BY entry_id
      ) l USING (entry_id)
      WHERE e.id IS NULL OR l.sum_minor IS DISTINCT FROM 0 OR l.cash_minor IS DISTINCT FROM CASE WHEN e.workspace_id IS NOT NULL THEN e.amount_minor END`
  },
  {
    name: "Only a renewal, an operator or a reversed payment overdraws a wallet",
    breaches: `
      SELECT workspace_id, balance_minor, held_minor FROM wallets w
      WHERE balance_minor < held_minor AND NOT EXISTS (
        SELECT FROM ledger_entries e WHERE e.workspace_id = w.workspace_id AND kind IN ${overdrawing})
      UNION ALL
      SELECT workspace_id, balance_after_minor, NULL FROM ledger_entries e
      WHERE balance_after_minor < 0 AND NOT EXISTS (
        SELECT FROM ledger_entries o
        WHERE o.workspace_id = e.workspace_id AND o.kind IN ${overdrawing} AND o.created_at <= e.created_at)`
  },
  {
    name: "A captured amount equals its charge and is at most the amount held",
    breaches: `
      SELECT call_id, h.amount_minor AS held_minor, h.captured_minor, -e.amount_minor AS charged_minor
      FROM (SELECT * FROM holds WHERE status = 'captured') h FULL JOIN (
        SELECT reference_id::uuid AS call_id, amount_minor FROM ledger_entries WHERE kind = 'call_charge'
      ) e USING (call_id)
      WHERE h.captured_minor IS DISTINCT FROM -e.amount_minor OR h.captured_minor > h.amount_minor
      UNION ALL
      SELECT call_id, amount_minor, captured_minor, NULL FROM holds WHERE status <> 'captured' AND captured_minor <> 0`
  },
  {
    name: "Every open hold has a live call or an alarm that will release it",
    breaches: `
      SELECT h.id AS hold_id, call_id, h.amount_minor, c.status AS call_status
      FROM holds h LEFT JOIN calls c ON c.id = h.call_id
      WHERE h.status = 'open' AND (
        c.id IS NULL AND NOT ${hasAlarm("Wallet", "h.workspace_id")}
        OR c.status IN ${terminal}
          AND NOT ((c.state ->> 'hold_open')::boolean AND ${hasAlarm("Call", "c.id")} OR ${hasAlarm("Wallet", "h.workspace_id")}))`
  },
  {
    name: "The ledger entries of a wallet form one chain from 0 to its balance",
    breaches: `
      SELECT workspace_id, id AS entry_id, sequence, amount_minor, balance_after_minor, balance_before_minor FROM (
        SELECT *, lag(sequence, 1, 0::int8) OVER chain AS previous,
          lag(balance_after_minor, 1, 0::int8) OVER chain AS balance_before_minor
        FROM ledger_entries WHERE workspace_id IS NOT NULL WINDOW chain AS (PARTITION BY workspace_id ORDER BY sequence)
      ) entries
      WHERE sequence IS DISTINCT FROM previous + 1 OR balance_after_minor <> balance_before_minor + amount_minor
      UNION ALL
      SELECT workspace_id, last.id, last.sequence, NULL, last.balance_after_minor, w.balance_minor
      FROM wallets w FULL JOIN (
        SELECT DISTINCT ON (workspace_id) * FROM ledger_entries WHERE workspace_id IS NOT NULL
        ORDER BY workspace_id, sequence DESC
      ) last USING (workspace_id)
      WHERE w.balance_minor IS DISTINCT FROM coalesce(last.balance_after_minor, 0)
        OR (w.state ->> 'entries')::int8 IS DISTINCT FROM coalesce(last.sequence, 0)`
  },
  {
    name: "Every entry is in the currency of its wallet",
    breaches: `
      SELECT e.id AS entry_id, e.currency, w.currency AS wallet_currency FROM ledger_entries e JOIN wallets w USING (workspace_id)
      WHERE e.currency <> w.currency`
  },
  {
    name: "A succeeded top-up has one credit of the amount paid; a reversed one has a credit and a debit; others have none",
    breaches: `
      SELECT topup_id, t.status, t.credited_minor, t.reversed_minor, e.credits, e.credited_minor AS booked_minor, e.debits,
        e.debited_minor
      FROM (SELECT id AS topup_id, provider, status, credited_minor, reversed_minor FROM topups) t FULL JOIN (
        SELECT reference_id::uuid AS topup_id,
          count(*) FILTER (WHERE kind = 'topup') AS credits,
          (sum(amount_minor) FILTER (WHERE kind = 'topup'))::int8 AS credited_minor,
          count(*) FILTER (WHERE kind = 'topup_reversal') AS debits,
          -(sum(amount_minor) FILTER (WHERE kind = 'topup_reversal'))::int8 AS debited_minor,
          sum(amount_minor)::int8 AS net_minor
        FROM ledger_entries WHERE kind IN ('topup', 'topup_reversal') AND reference_type = 'topup' GROUP BY reference_id
      ) e USING (topup_id)
      WHERE t.topup_id IS NULL
        OR (t.status = 'reversed') IS DISTINCT FROM (t.credited_minor IS NOT NULL AND t.reversed_minor = t.credited_minor)
        OR CASE
          WHEN t.status NOT IN ('succeeded', 'reversed')
            THEN e.credits > CASE WHEN ${hasAlarm("TopUp", "t.topup_id")} THEN 1 ELSE 0 END OR e.debits > 0
          -- Cards are reversed in parts, and a part may come back. A movement may be booked and not yet recorded.
          WHEN t.provider = 'card' THEN e.credits IS NULL OR e.net_minor NOT BETWEEN 0 AND t.credited_minor
            OR e.net_minor <> t.credited_minor - t.reversed_minor AND NOT ${hasAlarm("TopUp", "t.topup_id")}
          WHEN t.status = 'reversed' THEN (e.credits, e.debits, e.credited_minor, e.debited_minor)
            IS DISTINCT FROM (1::int8, 1::int8, t.credited_minor, t.credited_minor)
          ELSE (e.credits, e.credited_minor) IS DISTINCT FROM (1::int8, t.credited_minor)
            OR e.debits > CASE WHEN ${hasAlarm("TopUp", "t.topup_id")} THEN 1 ELSE 0 END
        END`
  },
  {
    name: "The suspense account equals the sum of payments without a workspace",
    breaches: `
      SELECT p.suspense_minor, l.suspense_minor AS booked_minor FROM (
        SELECT coalesce(sum(amount_minor), 0)::int8 AS suspense_minor FROM payins p
        WHERE standing = 'suspense' OR standing IN ('released', 'settled') AND EXISTS (
          SELECT FROM ledger_entries e WHERE e.kind = 'suspense' AND e.reference_id = p.receipt AND NOT EXISTS (
            SELECT FROM ledger_entries r JOIN ledger_lines rl ON rl.entry_id = r.id AND rl.account = 'suspense'
            WHERE r.metadata ->> 'provider_reference' = p.receipt))
      ) p, (SELECT coalesce(sum(amount_minor), 0)::int8 AS suspense_minor FROM ledger_lines WHERE account = 'suspense') l
      WHERE p.suspense_minor <> l.suspense_minor`
  },
  {
    name: "Triggers keep the ledger tables append-only",
    breaches: `
      SELECT t.name AS unguarded_table FROM unnest(ARRAY['ledger_entries', 'ledger_lines']) AS t (name)
      WHERE NOT EXISTS (
        SELECT FROM pg_trigger g WHERE g.tgrelid = t.name::regclass AND g.tgname = 'append_only' AND g.tgenabled = 'O')`
  }
]
