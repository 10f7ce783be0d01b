// Clients that place calls continuously and retry until they have an answer, and what they know afterwards.
import { assert } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { Program } from "./Program.ts"
import { until } from "./Until.ts"

/** The requested calls by idempotency key, and the ids in the answers. */
type Ledger = ReadonlyMap<string, ReadonlyArray<string>>

/** Codes after which a client retries. A gateway may return later than a restarted engine waits for it. */
const passing = ["service_unavailable", "idempotency.in_progress", "calls.gateway_unavailable"]

const destinations = ["+254711000000", "+254722000000", "+99900000001", "+99900000002", "+99900000004", "+99900000009"]

/** Requests until it has an answer. After a lost answer it repeats the request with the same key. */
const placeCall = (program: Program, ledger: Map<string, Array<string>>, voice_callback_url: string) =>
  Effect.gen(function* () {
    const idempotency_key = randomUUID()
    const to = destinations[Math.floor(Math.random() * destinations.length)]
    const body = { to, from: program.demo().number.number, voice_callback_url, client_reference: idempotency_key }
    const told: Array<string> = []
    ledger.set(idempotency_key, told)
    const attempt = Effect.gen(function* () {
      const { code, json, status, text } = yield* program.ask("/v1/calls/originate", { body, idempotency_key })
      if (status === 201) told.push(json<CallRecord>().id)
      else assert.include(passing, code, text)
      return status === 201
    }).pipe(Effect.catchTag("Unanswered", () => Effect.succeed(false)))
    const wanted = until(`answer to ${idempotency_key}`, attempt, (done) => done, { every_ms: 100, within_ms: 90_000 })
    yield* wanted
    // Now and then a client repeats an answered request, as if the answer had been lost.
    if (Math.random() < 0.2) yield* wanted
  })

/**
 * Clients that place calls, with these callbacks in turn, until `meanwhile` has ended and all have their answers. Where
 * it lasts long, choose few `calls_per_second`: clients that wait for an answer ask all at once afterwards.
 */
export const underLoad = <A, E, R>(
  program: Program,
  voices: ReadonlyArray<string>,
  meanwhile: Effect.Effect<A, E, R>,
  calls_per_second = 30
): Effect.Effect<Ledger, E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const ledger = new Map<string, Array<string>>()
    const weather = { over: false }
    const clients = Effect.gen(function* () {
      const asking = []
      for (let turn = 0; !weather.over; turn++) {
        asking.push(yield* Effect.forkScoped(placeCall(program, ledger, voices[turn % voices.length]!)))
        yield* Effect.sleep(1_000 / calls_per_second)
      }
      return asking
    })
    const loading = yield* Effect.forkScoped(clients)
    yield* meanwhile
    weather.over = true
    yield* Fiber.joinAll(yield* Fiber.join(loading))
    return ledger
  })

const ends = ["call.completed", "call.no_answer", "call.busy", "call.failed", "call.canceled"]

/** Asserts that every requested call exists once, under the answered id, ended once, and that the money is exact. */
export const judge = Effect.fnUntraced(function* (ledger: Ledger) {
  const sql = yield* SqlClient.SqlClient
  const placed = yield* sql<{ readonly id: string; readonly key: string }>`
    SELECT id, client_reference AS key FROM calls WHERE client_reference IS NOT NULL`
  const found = Map.groupBy(placed, ({ key }) => key)
  for (const [key, told] of ledger) {
    assert.deepStrictEqual(
      [...new Set(told)],
      found.get(key)?.map(({ id }) => id),
      `what was asked for under ${key}`
    )
  }
  assert.strictEqual(placed.length, ledger.size)
  const [sums] = yield* sql<{
    readonly spent: bigint
    readonly costs: bigint
    readonly legs: bigint
    readonly ends: bigint
  }>`
    SELECT (SELECT sum(amount_minor) FILTER (WHERE amount_minor > 0) - (SELECT sum(balance_minor) FROM wallets) FROM ledger_entries)::int8 AS spent,
      (SELECT sum(cost_minor) FROM calls)::int8 AS costs,
      (SELECT count(*) FROM calls) AS legs,
      (SELECT count(*) FROM events WHERE ${sql.in("kind", ends)}) AS ends`
  assert.strictEqual(sums!.spent, sums!.costs)
  assert.strictEqual(sums!.ends, sums!.legs)
}, Effect.orDie)
