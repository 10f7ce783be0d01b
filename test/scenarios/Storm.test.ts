import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../src/domain/calls/CallRecord.ts"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { acts, type Customer, makeCustomer } from "../support/Customer.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** The more, the surer; CI has little time. */
const kills = Number(process.env["STORM_KILLS"] ?? 15)
const calls_per_second = 30

/** What a client knows: the calls that it wants, and the ids that it was told for each, however often it asked. */
type Ledger = Map<string, Array<string>>

const destinations = ["+254711000000", "+254722000000", "+99900000001", "+99900000002", "+99900000004", "+99900000009"]

/** Asks until it has an answer. A reply that was lost makes it ask again, with the same key. */
const placeCall = (program: Program, ledger: Ledger, voice_callback_url: string) =>
  Effect.gen(function*() {
    const idempotency_key = randomUUID()
    const to = destinations[Math.floor(Math.random() * destinations.length)]
    const body = { to, from: program.demo().number.number, voice_callback_url, client_reference: idempotency_key }
    const told: Array<string> = []
    ledger.set(idempotency_key, told)
    const attempt = Effect.gen(function*() {
      const { code, json, status, text } = yield* program.ask("/v1/calls/originate", { body, idempotency_key })
      if (status === 201) told.push(json<CallRecord>().id)
      else assert.include(["service_unavailable", "idempotency.in_progress", "calls.originate_failed"], code, text)
      return status === 201
    }).pipe(Effect.catchTag("Unanswered", () => Effect.succeed(false)))
    const wanted = Effect.repeat(attempt, { until: (done) => done, schedule: Schedule.spaced("100 millis") })
    yield* wanted
    // Now and then an answered client asks once more: it did not know that it had been answered.
    if (Math.random() < 0.2) yield* wanted
  })

const makeVoices = ({ voice }: Customer): ReadonlyArray<string> => {
  const talk = acts({ say: { text: "Hello there" } })
  return [
    voice(talk),
    voice((request, response) => void setTimeout(() => talk(request, response), 300)),
    voice(acts({ say: { text: "Hello" } }, { dial: { number: "+254733000000" } })),
    voice(acts({ hangup: {} }))
  ]
}

/** Every wanted call exists once, under the one id that the client was told. */
const judge = Effect.fnUntraced(function*(ledger: Ledger) {
  const sql = yield* SqlClient.SqlClient
  const placed = yield* sql<{ readonly id: string; readonly key: string }>`
    SELECT id, client_reference AS key FROM calls WHERE client_reference IS NOT NULL`
  const found = Map.groupBy(placed, ({ key }) => key)
  for (const [key, told] of ledger) {
    assert.deepStrictEqual([...new Set(told)], found.get(key)?.map(({ id }) => id), `what was asked for under ${key}`)
  }
  assert.strictEqual(placed.length, ledger.size)
  const [money] = yield* sql<{ readonly balance: bigint; readonly costs: bigint; readonly ends: bigint }>`
    SELECT (SELECT sum(balance_minor)::int8 FROM wallets) AS balance, (SELECT sum(cost_minor)::int8 FROM calls) AS costs,
      (SELECT count(*) FROM events WHERE kind IN ('call.completed', 'call.no_answer', 'call.busy', 'call.failed', 'call.canceled')) AS ends`
  const [{ count: legs } = { count: 0n }] = yield* sql<{ readonly count: bigint }>`SELECT count(*) FROM calls`
  assert.strictEqual(money!.balance, 2_000_000n - money!.costs)
  assert.strictEqual(money!.ends, legs)
})

describe("an engine that is killed again and again under load", () => {
  it.live(`loses and doubles nothing in ${kills} kills`, () =>
    Effect.gen(function*() {
      const program = yield* makeProgram({ speed: 10 })
      const customer = yield* makeCustomer
      const starts = [yield* program.start]
      assert.strictEqual((yield* customer.subscribe(program)).status, 201)
      const ledger: Ledger = new Map()
      const voices = makeVoices(customer)
      const storm = { over: false }
      const clients = Effect.gen(function*() {
        const asking = []
        for (let turn = 0; !storm.over; turn++) {
          asking.push(yield* Effect.forkScoped(placeCall(program, ledger, voices[turn % voices.length]!)))
          yield* Effect.sleep(1_000 / calls_per_second)
        }
        return asking
      })
      const loading = yield* Effect.forkChild(clients)
      for (let kill = 0; kill < kills; kill++) {
        yield* Effect.sleep(50 + Math.random() * 800)
        yield* program.kill
        yield* booksAreSound
        starts.push(yield* program.start)
      }
      storm.over = true
      yield* Fiber.joinAll(yield* Fiber.join(loading))
      yield* settled("40 seconds")
      yield* booksAreSound
      yield* judge(ledger)
      yield* allWasTold(customer)
      assert.isBelow(Math.max(...starts), 5_000)
      assert.isAbove(ledger.size, kills * 10)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)), 60_000 + kills * 5_000)
})
