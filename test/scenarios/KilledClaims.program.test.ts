import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { InventoryItem } from "../../src/domain/numbers/InventoryItem.ts"
import type { NumberRecord } from "../../src/domain/numbers/NumberRecord.ts"
import { booksAreSound } from "../support/Books.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** How long the claims of each round are under way when the engine is killed. */
const rounds_ms = [12, 20, 30]
const claims = 6

const claim = (program: Program, { inventory_id }: InventoryItem) =>
  program.ask(`/v1/numbers/${inventory_id}/claim`, { method: "POST", idempotency_key: `claim ${inventory_id}` })

describe("claims of an engine that is killed", () => {
  it.live(
    "are each paid once, and the restarted engine answers with the number",
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram()
        const sql = yield* SqlClient.SqlClient
        yield* program.start
        const items = (yield* Effect.orDie(program.ask("/v1/numbers/available?country=KE"))).json<
          ReadonlyArray<InventoryItem>
        >()
        for (const [round, pause_ms] of rounds_ms.entries()) {
          const wanted = items.slice(round * claims, (round + 1) * claims)
          yield* Effect.forEach(wanted, (item) => Effect.forkChild(Effect.ignore(claim(program, item))), {
            discard: true
          })
          yield* Effect.sleep(pause_ms)
          yield* program.kill
          yield* booksAreSound
          yield* program.start
          const answers = yield* Effect.orDie(
            Effect.forEach(wanted, (item) => claim(program, item), { concurrency: "unbounded" })
          )
          assert.deepStrictEqual(
            answers.map(({ code, status }) => [status, code]),
            wanted.map(() => [201, undefined])
          )
          assert.deepStrictEqual(
            answers.map(({ json }) => json<NumberRecord>().id),
            wanted.map(({ inventory_id }) => inventory_id)
          )
        }
        const rentals = yield* sql`SELECT reference_id FROM ledger_entries WHERE kind = 'number_rental' ORDER BY 1`
        const rented = items.slice(0, rounds_ms.length * claims).map(({ inventory_id }) => inventory_id)
        assert.deepStrictEqual(
          rentals.map((row) => row["reference_id"]),
          rented.toSorted()
        )
        yield* booksAreSound
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    60_000
  )
})
