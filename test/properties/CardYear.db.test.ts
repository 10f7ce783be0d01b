// The books of a year of card payments, in the database, where `npm run check:db` judges them.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants } from "../../src/layers/postgres/checks/Invariants.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { bookedCardYear } from "./model/BookedCardYear.ts"

it.effect(
  "a year of card payments leaves clean books",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { journal } = yield* bookedCardYear(101)
      const { ledger, snapshots } = journal.tables
      for (const { actor_id, actor_type, columns, state, version, workspace_id } of snapshots.values()) {
        const { created_at, updated_at, ...others } = columns
        if (actor_type === "Wallet")
          yield* sql`INSERT INTO wallets ${sql.insert({
            ...others,
            workspace_id,
            version,
            state,
            updated_at: new Date(Number(updated_at))
          })}`
        if (actor_type === "TopUp")
          yield* sql`INSERT INTO topups ${sql.insert({
            ...others,
            id: actor_id,
            workspace_id,
            version,
            state,
            created_at: new Date(Number(created_at))
          })}`
      }
      for (const { created_at, lines, ...entry } of ledger) {
        yield* sql`INSERT INTO ledger_entries ${sql.insert({ ...entry, created_at: new Date(created_at) })}`
        for (const line of lines) yield* sql`INSERT INTO ledger_lines ${sql.insert({ ...line, entry_id: entry.id })}`
      }
      assert.isAbove(ledger.length, 20)
      assert.deepStrictEqual(
        (yield* checkInvariants).filter(({ count }) => count > 0),
        []
      )
      // The check finds a top-up whose row says that more was reversed than the ledger has.
      yield* sql`UPDATE topups SET reversed_minor = reversed_minor + 1 WHERE status = 'succeeded'`
      assert.isAbove((yield* checkInvariants).filter(({ count }) => count > 0).length, 0)
    }).pipe(Effect.provide(TestDatabase.layer)),
  120_000
)
