import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants } from "../../../../src/layers/postgres/checks/Invariants.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const workspace = "de300000-0000-8000-8000-000000000001"
const stranger = "de300000-0000-8000-8000-000000000002"
const completed = "0199a000-0000-7000-8000-00000000000c"
const busy = "0199a000-0000-7000-8000-00000000000b"
const live = "0199a000-0000-7000-8000-00000000000a"
const settling = "0199a000-0000-7000-8000-00000000000d"
const topup = "0199a000-0000-7000-8000-000000000011"
const charge = "0199a000-0000-7000-8000-000000000012"
const pending = "0199a000-0000-7000-8000-000000000013"
const number = "0199a000-0000-7000-8000-000000000022"
const recording = "0199a000-0000-8000-8000-00000000000c"
const subscription = "0199a000-0000-7000-8000-000000000021"

const call = (id: string, status: string, phase: string, answered: boolean, cost: number | null, sequence: number) => `
  INSERT INTO calls (id, workspace_id, session_id, version, state, status, direction, from_e164, to_e164, created_at, answered_at,
    cost_minor)
  VALUES ('${id}', '${workspace}', 'HD_${id}', 1, '{"phase": "${phase}", "sequence": ${sequence}, "hold_open": false}', '${status}',
    'outbound', '+254207900001', '+99900000001', now(), ${answered ? "now()" : "NULL"}, ${cost})`

const event = (id: string, sequence: number, kind: string) => `
  INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, recorded_at, late, payload)
  VALUES (md5('${id}${sequence}')::uuid, '${workspace}', '${id}', ${sequence}, '${kind}', now(), now(), false, '{}')`

const hold = (id: string, amount: number, status: string, captured: number) => `
  INSERT INTO holds (id, workspace_id, call_id, amount_minor, status, captured_minor, placed_at, closed_at)
  VALUES ('${id}', '${workspace}', '${id}', ${amount}, '${status}', ${captured}, now(), ${status === "open" ? "NULL" : "now()"})`

const entry = (id: string, kind: string, amount: number, after: number, reference: string, sequence: number) => `
  INSERT INTO ledger_entries (id, workspace_id, kind, amount_minor, balance_after_minor, currency, reference_type, reference_id,
    description, created_at, actor, metadata, sequence)
  VALUES ('${id}', '${workspace}', '${kind}', ${amount}, ${after}, 'KES', 'x', '${reference}', '', now(), '{}', '{}', ${sequence})`

const lines = (id: string, account: string, amount: number) => `
  INSERT INTO ledger_lines VALUES ('${id}', 'workspace:${workspace}:cash', ${amount}), ('${id}', '${account}', ${-amount})`

const alarm = (type: string, id: string) => `INSERT INTO alarms VALUES ('${type}', '${id}', now())`

/** 1,000 came in, 300 and 100 were charged, 200 are held for a call that is under way. */
const sound = [
  `INSERT INTO wallets VALUES ('${workspace}', 1, '{"entries": 3}', 'KES', 600, 200, 0, now())`,
  entry(topup, "topup", 1_000, 1_000, topup, 1),
  lines(topup, "clearing:mobilemoney", 1_000),
  call(completed, "completed", "ended", true, 300, 3),
  ...["call.ringing", "call.answered", "call.completed"].map((kind, index) => event(completed, index + 1, kind)),
  hold(completed, 300, "captured", 300),
  entry(charge, "call_charge", -300, 700, completed, 2),
  lines(charge, "revenue:calls", -300),
  call(settling, "answered", "settling", true, null, 2),
  ...["call.ringing", "call.answered"].map((kind, index) => event(settling, index + 1, kind)),
  hold(settling, 300, "captured", 100),
  entry(pending, "call_charge", -100, 600, settling, 3),
  lines(pending, "revenue:calls", -100),
  alarm("Call", settling),
  call(busy, "busy", "ended", false, 0, 2),
  ...["call.ringing", "call.busy"].map((kind, index) => event(busy, index + 1, kind)),
  hold(busy, 300, "released", 0),
  call(live, "ringing", "ringing", false, null, 1),
  event(live, 1, "call.ringing"),
  hold(live, 200, "open", 0),
  alarm("Call", live),
  `INSERT INTO workspaces (id, name, tenant_pbx_id, gateway_id, voice_secret, created_at, number_mode)
   VALUES ('${workspace}', 'Acme', 'acme', 'default', '', now(), 'platform')`,
  `INSERT INTO numbers (id, workspace_id, number, status, source, country, type, capabilities, renews_at)
   VALUES ('${number}', '${workspace}', '+254207900001', 'active', 'platform', 'KE', 'local', '{voice}', now())`,
  alarm("Number", number),
  `INSERT INTO recordings VALUES ('${recording}', '${workspace}', 1, '{}', '${completed}', 'available', now(), ${200 * 1_048_576})`,
  `INSERT INTO alarms VALUES ('Recording', '${recording}', now() + interval '90 days')`,
  `INSERT INTO actors VALUES ('Storage', '${workspace}', '${workspace}', 1, '{"tier_mb": 1024, "renews_at": 1, "charge": null}')`,
  alarm("Storage", workspace),
  `INSERT INTO webhook_subscriptions VALUES ('${subscription}', '${workspace}', 1, '{}', 'active', '{call.ringing}', '{}', now())`,
  `INSERT INTO deliveries (id, workspace_id, subscription_id, event_id, event_kind, subject_id, sequence, status, attempts, created_at,
     attempt_log)
   SELECT id, workspace_id, '${subscription}', id, kind, subject_id, sequence, 'pending', 0, now(), '[]' FROM events
   WHERE kind = 'call.ringing'`
]

const run = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement)))

/** The tables refuse some of these rows themselves; what is tried here is that the check sees them all the same. */
const disarm = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const checks = yield* sql<{ readonly statement: string }>`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement FROM pg_constraint
    WHERE contype = 'c' AND conrelid::regclass::text IN ('calls', 'holds')`
  yield* run(checks.map(({ statement }) => statement))
})

/** As somebody would who may: triggers do not fire, and are there all the same. */
const tamper = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(run(["SET LOCAL session_replication_role = replica", ...statements]))
  )

const broken = Effect.map(checkInvariants, (findings) => findings.filter(({ count }) => count > 0))

const held = "The held amount of a wallet is the sum of its open holds"
const cash = "A wallet's balance is the sum of its cash lines"
const balanced = "The lines of every entry sum to 0, and its cash line is its amount"
const overdrawn = "Only a renewal, an operator or a reversed payment overdraws a wallet"
const captured = "A captured amount equals its charge and is at most the amount held"
const released = "Every open hold has a live call or an alarm that will release it"
const charged = "Every completed call has exactly one charge, equal to its cost; other calls have none"
const answered = "A call is answered or completed if and only if it has an answer time"
const costs = "A call has a cost if and only if it has ended; only completed calls cost more than 0"
const alarmed = "Every call that has not ended has an alarm"
const numbered = "The events of a call are numbered from 1 without a gap, up to the call's own count"
const endings = "An ended call has exactly one end event; a live call has none"
const chained = "The ledger entries of a wallet form one chain from 0 to its balance"
const oneCurrency = "Every entry is in the currency of its wallet"
const guarded = "Triggers keep the ledger tables append-only"
const chosen = "A workspace has only platform numbers or only its own numbers, as its number_mode says"
const cared = "Every number that is reserved, rented, past due, suspended or released has an alarm"
const recorded = "A recording belongs to a call of the same workspace"
const kept = "Every recording that is processing or available has an alarm"
const roomy = "Recordings fit into the storage, or an alarm will delete the oldest"
const renewed = "Every paid storage has an alarm for its renewal"
const delivered = "Every delivery, its event and its subscription belong to one workspace"

const extra = "0199a000-0000-7000-8000-000000000031"

const plants: ReadonlyArray<readonly [what: string, caught: ReadonlyArray<string>, statements: ReadonlyArray<string>]> =
  [
    ["a wallet that holds back too much", [held], ["UPDATE wallets SET held_minor = 201"]],
    [
      "a hold of a workspace without a wallet",
      [held],
      [`UPDATE wallets SET held_minor = 0`, `UPDATE holds SET workspace_id = '${stranger}' WHERE status = 'open'`]
    ],
    ["a balance that no line explains", [cash, chained], ["UPDATE wallets SET balance_minor = 601"]],
    ["lines of a workspace without a wallet", [cash, held, chained], ["DELETE FROM wallets"]],
    [
      "lines that do not sum to 0",
      [balanced],
      [`UPDATE ledger_lines SET amount_minor = 299 WHERE account = 'revenue:calls' AND entry_id = '${charge}'`]
    ],
    ["an entry without lines", [balanced, chained], [entry(extra, "topup", 1, 601, extra, 4)]],
    [
      "lines without an entry",
      [balanced],
      [`INSERT INTO ledger_lines VALUES ('${extra}', 'a', 1), ('${extra}', 'b', -1)`]
    ],
    [
      "an entry whose amount is not what it moved",
      [balanced, chained],
      [`UPDATE ledger_entries SET amount_minor = 999 WHERE id = '${topup}'`]
    ],
    [
      "an entry that does not follow on another",
      [chained],
      [`UPDATE ledger_entries SET balance_after_minor = 701 WHERE id = '${charge}'`]
    ],
    [
      "entries in another order than their balances",
      [chained],
      [
        `UPDATE ledger_entries SET sequence = -1 WHERE id = '${charge}'`,
        `UPDATE ledger_entries SET sequence = 2 WHERE id = '${pending}'`,
        `UPDATE ledger_entries SET sequence = 3 WHERE id = '${charge}'`
      ]
    ],
    ["a gap in the numbers of entries", [chained], [`UPDATE ledger_entries SET sequence = 4 WHERE id = '${pending}'`]],
    ["an entry without a number", [chained], [`UPDATE ledger_entries SET sequence = NULL WHERE id = '${pending}'`]],
    ["a wallet that miscounts its entries", [chained], [`UPDATE wallets SET state = '{"entries": 2}'`]],
    [
      "an entry in another currency",
      [oneCurrency],
      [`UPDATE ledger_entries SET currency = 'UGX' WHERE id = '${charge}'`]
    ],
    ["books that can be changed", [guarded], ["DROP TRIGGER append_only ON ledger_lines"]],
    ["books whose guard is asleep", [guarded], ["ALTER TABLE ledger_entries DISABLE TRIGGER append_only"]],
    [
      "a wallet that calls have overdrawn",
      [overdrawn, chained],
      [`UPDATE ledger_entries SET balance_after_minor = -1 WHERE id = '${charge}'`]
    ],
    ["more held than there is", [held, overdrawn], ["UPDATE wallets SET held_minor = 601"]],
    ["more captured than held", [captured], [`UPDATE holds SET amount_minor = 299 WHERE id = '${completed}'`]],
    [
      "a charge that is not what was captured",
      [captured],
      [`UPDATE holds SET captured_minor = 200 WHERE id = '${completed}'`]
    ],
    [
      "money captured by a hold that is released",
      [captured],
      [`UPDATE holds SET captured_minor = 1 WHERE id = '${busy}'`]
    ],
    [
      "an open hold of a call that has ended",
      [held, released],
      [`UPDATE holds SET status = 'open' WHERE id = '${busy}'`]
    ],
    ["an open hold without a call and without anybody to release it", [held, released], [hold(extra, 5, "open", 0)]],
    [
      "a completed call that was not charged",
      [charged, captured, chained],
      [
        `DELETE FROM ledger_entries WHERE id = '${charge}'`,
        `DELETE FROM ledger_lines WHERE entry_id = '${charge}'`,
        "UPDATE wallets SET balance_minor = 900"
      ]
    ],
    [
      "a charge of a call that was busy",
      [charged, captured],
      [`UPDATE ledger_entries SET reference_id = '${busy}' WHERE id = '${pending}'`]
    ],
    [
      "a charge of no call",
      [charged, captured],
      [`UPDATE ledger_entries SET reference_id = '${extra}' WHERE id = '${pending}'`]
    ],
    [
      "two charges of one call",
      [charged, captured],
      [
        "DROP INDEX ledger_entries_call_charge",
        `UPDATE ledger_entries SET reference_id = '${completed}' WHERE id = '${pending}'`
      ]
    ],
    ["a cost that is not what was charged", [charged], [`UPDATE calls SET cost_minor = 600 WHERE id = '${completed}'`]],
    [
      "a completed call that was never answered",
      [answered],
      [`UPDATE calls SET answered_at = NULL WHERE id = '${completed}'`]
    ],
    ["a busy call that was answered", [answered], [`UPDATE calls SET answered_at = now() WHERE id = '${busy}'`]],
    ["a busy call that costs", [costs], [`UPDATE calls SET cost_minor = 1 WHERE id = '${busy}'`]],
    ["an ended call without a cost", [costs], [`UPDATE calls SET cost_minor = NULL WHERE id = '${busy}'`]],
    ["a live call that nothing would bring back", [alarmed], [`DELETE FROM alarms WHERE actor_id = '${live}'`]],
    ["a lost event", [numbered], [`DELETE FROM events WHERE kind = 'call.answered' AND subject_id = '${completed}'`]],
    ["an event that the call does not count", [numbered], [event(live, 2, "call.progress")]],
    ["a call without events", [numbered, delivered], [`DELETE FROM events WHERE subject_id = '${live}'`]],
    [
      "an end that nobody was told of",
      [endings],
      [`UPDATE events SET kind = 'call.progress' WHERE kind = 'call.busy'`]
    ],
    [
      "an end of a call that goes on",
      [endings],
      [`UPDATE events SET kind = 'call.failed' WHERE subject_id = '${live}'`]
    ],
    [
      "an end of another kind than the call's",
      [endings],
      [`UPDATE events SET kind = 'call.failed' WHERE kind = 'call.busy'`]
    ],
    [
      "a number of the platform in a workspace that brings its own",
      [chosen],
      ["UPDATE workspaces SET number_mode = 'byoc'"]
    ],
    [
      "a brought number in a workspace of the platform's",
      [chosen],
      [`UPDATE numbers SET source = 'byo' WHERE id = '${number}'`]
    ],
    ["a rental that nobody would renew", [cared], [`DELETE FROM alarms WHERE actor_id = '${number}'`]],
    [
      "a claim that nobody would complete",
      [cared],
      [
        `UPDATE numbers SET status = 'available', workspace_id = NULL, renews_at = NULL, reserved_for = '${workspace}' WHERE id = '${number}'`,
        `DELETE FROM alarms WHERE actor_id = '${number}'`
      ]
    ],
    ["a recording of nobody's call", [recorded], [`UPDATE recordings SET call_id = '${extra}'`]],
    ["a recording of another's call", [recorded, roomy], [`UPDATE recordings SET workspace_id = '${stranger}'`]],
    ["a recording that nobody would ever delete", [kept], [`DELETE FROM alarms WHERE actor_id = '${recording}'`]],
    [
      "a recording that nobody would store",
      [kept],
      ["UPDATE recordings SET status = 'processing'", `DELETE FROM alarms WHERE actor_id = '${recording}'`]
    ],
    [
      "recordings without room",
      [roomy, renewed],
      [`UPDATE recordings SET size_bytes = ${1025 * 1_048_576}`, "DELETE FROM alarms WHERE actor_type = 'Storage'"]
    ],
    ["a storage that nobody would renew", [renewed], ["DELETE FROM alarms WHERE actor_type = 'Storage'"]],
    [
      "a charge that nobody would make",
      [renewed],
      [
        `UPDATE actors SET state = '{"tier_mb": 1024, "renews_at": null, "charge": {}}' WHERE actor_type = 'Storage'`,
        "DELETE FROM alarms WHERE actor_type = 'Storage'"
      ]
    ],
    [
      "a delivery of an event that is not stored",
      [delivered],
      [`UPDATE deliveries SET event_id = '${extra}' WHERE subject_id = '${live}'`]
    ],
    ["a delivery to another workspace", [delivered], [`UPDATE webhook_subscriptions SET workspace_id = '${stranger}'`]]
  ]

describe("the invariants", () => {
  it.effect("hold in an empty database, and while calls are in progress", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* broken, [])
      yield* run(sound)
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("hold after a crash, while an alarm is set for the interrupted work", () =>
    Effect.gen(function* () {
      yield* run([
        ...sound,
        hold(extra, 5, "open", 0),
        "UPDATE wallets SET held_minor = 505",
        alarm("Wallet", workspace),
        `UPDATE holds SET status = 'open', closed_at = NULL WHERE id = '${busy}'`,
        `UPDATE calls SET state = '{"phase": "ended", "sequence": 2, "hold_open": true}' WHERE id = '${busy}'`,
        alarm("Call", busy)
      ])
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("allow a renewal to overdraw, and the movements after it", () =>
    Effect.gen(function* () {
      const rental = "0199a000-0000-7000-8000-000000000041"
      const late = "0199a000-0000-7000-8000-000000000042"
      yield* run([
        ...sound,
        entry(rental, "number_rental", -650, -50, rental, 4),
        lines(rental, "revenue:rental", -650),
        entry(late, "topup", 10, -40, late, 5),
        lines(late, "clearing:mobilemoney", 10),
        `UPDATE wallets SET balance_minor = -40, state = '{"entries": 5}'`
      ])
      assert.deepStrictEqual(yield* broken, [])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  for (const [what, caught, statements] of plants) {
    it.effect(`see ${what}`, () =>
      Effect.gen(function* () {
        yield* run(sound)
        yield* disarm
        yield* tamper(statements)
        assert.sameMembers(
          (yield* broken).map(({ name }) => name),
          [...caught]
        )
      }).pipe(Effect.provide(TestDatabase.layer))
    )
  }

  it.effect("cannot be changed by accident", () =>
    Effect.gen(function* () {
      yield* run(sound)
      const statements = [
        "UPDATE ledger_entries SET description = 'x'",
        "DELETE FROM ledger_lines",
        "TRUNCATE ledger_lines",
        "TRUNCATE ledger_entries CASCADE"
      ]
      for (const statement of statements) {
        const { reason } = yield* Effect.flip(run([statement]))
        assert.include(String(reason.cause), "is append-only", statement)
      }
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("show every account in one view, with the money held for calls apart", () =>
    Effect.gen(function* () {
      yield* run(sound)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT account, balance_minor::int AS minor FROM account_balances ORDER BY account`,
        [
          { account: "clearing:mobilemoney", minor: -1_000 },
          { account: "revenue:calls", minor: 400 },
          { account: `workspace:${workspace}:cash`, minor: 400 },
          { account: `workspace:${workspace}:held`, minor: 200 }
        ]
      )
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("count all offending rows and show the first", () =>
    Effect.gen(function* () {
      yield* run([`INSERT INTO ledger_lines SELECT gen_random_uuid(), 'a', 1 FROM generate_series(1, 25)`])
      const [finding] = yield* broken
      assert.strictEqual(finding?.count, 25)
      assert.strictEqual(finding?.rows.length, 20)
      assert.strictEqual((JSON.parse(finding?.rows[0] ?? "") as { readonly sum_minor: number }).sum_minor, 1)
    }).pipe(Effect.provide(TestDatabase.layer))
  )
})
