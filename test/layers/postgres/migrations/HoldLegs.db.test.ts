// The upgrade of a database whose wallets keep the legs of their open dials in their states.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { ActorSystem } from "../../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../../src/actors/runtime/LocalSystem.ts"
import * as PerformWallet from "../../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../../src/actors/wallet/WalletOwner.ts"
import { toWorkspaceId, type WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { systemOrigin } from "../../../../src/domain/access/Origin.ts"
import { Journal } from "../../../../src/domain/ports/engine/Journal.ts"
import { presentOf } from "../../../../src/domain/Presence.ts"
import { restoreWallet } from "../../../../src/domain/wallet/StoredWallet.ts"
import { WalletCommands } from "../../../../src/domain/wallet/WalletCommand.ts"
import * as SystemIds from "../../../../src/layers/ids/SystemIds.ts"
import { checkInvariants } from "../../../../src/layers/postgres/checks/Invariants.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { schema } from "../../../../src/layers/postgres/migrations/0110_schema.ts"
import { migrate } from "../../../../src/layers/postgres/migrations/Migrations.ts"
import * as PgCharges from "../../../../src/layers/postgres/reads/Charges.ts"
import { callId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const engine = PerformWallet.layer.pipe(
  Layer.provide(WalletOwner.none),
  Layer.provideMerge(LocalSystem.layer),
  Layer.provide([PgCharges.layer, SystemIds.layer])
)

/** Runs with an engine of its own, which ends with the part. */
const withEngine = <A, E, R>(part: (system: ActorSystem["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.flatMap(ActorSystem, part), Layer.fresh(engine))

const stored = (workspace_id: WorkspaceId) =>
  Effect.map(
    Effect.flatMap(Journal, (journal) => journal.load("Wallet", workspace_id)),
    (row) => {
      assert.isDefined(row)
      return presentOf(restoreWallet(row!, workspace_id))
    }
  )

const legsOf = (workspace_id: WorkspaceId) =>
  Effect.map(stored(workspace_id), ({ held_minor, high_risk_legs, legs }) => [held_minor, legs, high_risk_legs])

const placed_at = new Date()

/** A wallet with 1,100, of which 300 are held by each of these dials, as the version before wrote it. */
const writeWallet = Effect.fnUntraced(function* (workspace_id: WorkspaceId, groups: object, high_risk: object) {
  const sql = yield* SqlClient.SqlClient
  const ids = Object.keys({ ...groups, ...high_risk })
  const state = {
    v: 2,
    workspace_id,
    currency: "KES",
    balance_minor: 1_100,
    held_minor: 300 * ids.length,
    low_balance_threshold_minor: 0,
    updated_at: placed_at.getTime(),
    groups,
    audit_at: placed_at.getTime() + 45_000,
    dialled: { paced_until: 0, day: 0, spent_minor: 0 },
    high_risk,
    sequence: 0,
    entries: 1
  }
  yield* sql`INSERT INTO wallets VALUES (${workspace_id}, 1, ${JSON.stringify(state)}, 'KES', 1100, ${state.held_minor},
    0, ${placed_at})`
  yield* sql`INSERT INTO alarms (actor_type, actor_id, due_at) VALUES ('Wallet', ${workspace_id}, ${new Date(state.audit_at)})`
  const entry_id = randomUUID()
  yield* sql`INSERT INTO ledger_entries (id, workspace_id, kind, amount_minor, balance_after_minor, currency, reference_type,
      reference_id, description, created_at, actor, metadata, sequence)
    VALUES (${entry_id}, ${workspace_id}, 'topup', 1100, 1100, 'KES', 'other', ${entry_id}, '', ${placed_at}, '{"type":"system"}',
      '{}', 1)`
  yield* sql`INSERT INTO ledger_lines VALUES (${entry_id}, ${`workspace:${workspace_id}:cash`}, 1100),
    (${entry_id}, 'clearing:mobilemoney', -1100)`
  for (const id of ids)
    yield* sql`INSERT INTO holds (id, workspace_id, call_id, amount_minor, status, captured_minor, placed_at)
      VALUES (${id}, ${workspace_id}, ${randomUUID()}, 300, 'open', 0, ${placed_at})`
})

/** The dials of this test have no calls, so that a charge is of none. */
const breached = Effect.map(checkInvariants, (found) => found.flatMap(({ count, name }) => (count > 0 ? [name] : [])))

describe("a wallet with open dials that is upgraded", () => {
  it.effect("keeps the legs of each, over restarts, until each has ended once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate({ "0110_schema": schema })
      const workspace_id = toWorkspaceId(randomUUID())
      const [answered, released, risky] = [randomUUID(), randomUUID(), randomUUID()]
      yield* writeWallet(workspace_id, { [answered]: 2, [released]: 3 }, { [risky]: 1 })
      assert.include(yield* migrate(), "0111_hold_legs")
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* legsOf(workspace_id), [900, 6, 1])
        yield* withEngine((system) =>
          system.ask(WalletCommands.Debit, workspace_id, {
            kind: "number_rental",
            may_overdraw: false,
            entry_id: randomUUID(),
            amount_minor: 50,
            reference_type: "number",
            reference_id: randomUUID(),
            description: "",
            origin: systemOrigin
          })
        )
        assert.deepStrictEqual(yield* legsOf(workspace_id), [900, 6, 1])
        const leg = randomUUID()
        yield* withEngine((system) =>
          Effect.gen(function* () {
            const over = { from_hold_id: answered, hold_id: leg, call_id: callId(leg), amount_minor: 300 }
            yield* system.ask(WalletCommands.HandOverHold, workspace_id, over)
            yield* system.ask(WalletCommands.ExtendHold, workspace_id, { hold_id: risky, amount_minor: 400 })
          })
        )
        assert.deepStrictEqual(yield* legsOf(workspace_id), [1_000, 5, 1])
        assert.deepStrictEqual(yield* breached, [])
        yield* withEngine((system) =>
          Effect.gen(function* () {
            for (const hold_id of [released, risky])
              yield* system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id })
            const capture = { hold_id: leg, amount_minor: 200, entry_id: randomUUID(), description: "" }
            const captured = yield* system.ask(WalletCommands.CaptureHold, workspace_id, capture)
            assert.strictEqual(captured?.balance_minor, 850)
            assert.isNull(yield* system.ask(WalletCommands.CaptureHold, workspace_id, capture))
          })
        )
        assert.deepStrictEqual(yield* legsOf(workspace_id), [0, 0, 0])
        assert.notProperty(yield* stored(workspace_id), "earlier_holds")
        const rows = yield* sql`SELECT id, status, legs, high_risk_legs FROM holds ORDER BY placed_at, id`
        assert.sameDeepMembers(
          [...rows],
          [
            { id: answered, status: "released", legs: 2, high_risk_legs: 0 },
            { id: released, status: "released", legs: 3, high_risk_legs: 0 },
            { id: risky, status: "released", legs: 1, high_risk_legs: 1 },
            { id: leg, status: "captured", legs: 1, high_risk_legs: 0 }
          ]
        )
        assert.deepStrictEqual(yield* breached, [
          "Every completed call has exactly one charge, equal to its cost; other calls have none"
        ])
      }).pipe(Effect.provide(PostgresJournal.layer))
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )
})
