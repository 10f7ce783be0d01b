// Checks of the database after a test: calls, holds, deliveries and invariants.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { families } from "../../src/domain/events/EventTable.ts"
import { checkInvariants } from "../../src/layers/postgres/checks/Invariants.ts"
import type { Customer } from "./Customer.ts"
import { until } from "./Until.ts"

const unfinished = `
  SELECT (SELECT count(*) FROM calls WHERE status IN ('ringing', 'answered'))::int AS calls,
    (SELECT count(*) FROM holds WHERE status = 'open')::int AS holds,
    (SELECT count(*) FROM deliveries WHERE status NOT IN ('succeeded', 'dead_letter'))::int AS deliveries`

export interface Unfinished {
  readonly calls: number
  readonly holds: number
  readonly deliveries: number
}

/** The work that the engine has not finished yet. */
export const stillOpen = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql.unsafe<Unfinished>(unfinished)
  return row!
}).pipe(Effect.orDie)

/** Returns when every call has ended, no money is held and every webhook was delivered. */
export const settled = (patience: `${number} seconds`) =>
  until(
    "end of all calls, holds and deliveries",
    stillOpen,
    (open) => open.calls + open.holds + open.deliveries === 0,
    {
      every_ms: 50,
      within_ms: Number.parseInt(patience) * 1_000
    }
  )

/** Asserts that no invariant is violated, whatever the engine is doing. */
export const booksAreSound = Effect.gen(function* () {
  const findings = yield* Effect.orDie(checkInvariants)
  assert.deepStrictEqual(
    findings.filter(({ count }) => count > 0),
    []
  )
})

/** Asserts that every event reached the customer, and that repetitions have the same delivery id. */
export const allWasTold = ({ told, workspace_id }: Customer) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const kinds = families["call_lifecycle"]!
    const events = yield* sql<{ readonly id: string }>`SELECT id FROM events
      WHERE ${sql.in("kind", kinds)} AND workspace_id = ${workspace_id()}`
    const deliveries = new Map<string, Set<string>>()
    for (const { delivery_id, event_id } of told) {
      deliveries.set(event_id, (deliveries.get(event_id) ?? new Set()).add(delivery_id))
    }
    assert.deepStrictEqual(
      events.filter(({ id }) => !deliveries.has(id)),
      [],
      "events that were not told"
    )
    assert.deepStrictEqual(
      [...deliveries].filter(([, ids]) => ids.size > 1),
      [],
      "events told under two ids"
    )
  }).pipe(Effect.catch(Effect.die))
