import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { depth } from "../support/Depth.ts"
import { acts, type Customer, makeCustomer } from "../support/Customer.ts"
import { judge, underLoad } from "../support/Load.ts"
import { makeOutsidePhones, outside, type OutsidePhones } from "../support/OutsidePhones.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { fillWallet } from "../support/Treasury.ts"

const kills = Number(process.env["STORM_KILLS"] ?? depth(3, 10))

const makeVoices = ({ voice }: Customer): ReadonlyArray<string> => {
  const talk = acts({ say: { text: "Hello there" } })
  return [
    voice(talk),
    voice((request, response) => void setTimeout(() => talk(request, response), 300)),
    voice(acts({ say: { text: "Hello" } }, { dial: { number: "+254733000000" } })),
    voice(acts({ dial: { numbers: ["+254733000000", "+254733000001", "+254733000002"] } })),
    voice(acts({ hangup: {} }))
  ]
}

/** Kills the engine under load, and judges what has come of it. */
const storm = Effect.fnUntraced(function* (program: Program, kills: number, phones?: OutsidePhones) {
  yield* fillWallet("demo", 1_000_000_000)
  const customer = yield* makeCustomer
  const starts_ms = [yield* program.start]
  if (phones !== undefined) yield* phones.connect
  assert.strictEqual((yield* customer.subscribe(program)).status, 201)
  const killing = Effect.gen(function* () {
    for (let kill = 0; kill < kills; kill++) {
      yield* Effect.sleep(50 + Math.random() * 800)
      yield* program.kill
      if (phones !== undefined) yield* phones.disconnect
      yield* booksAreSound
      starts_ms.push(yield* program.start)
      if (phones !== undefined) yield* phones.connect
    }
  })
  const ledger = yield* underLoad(program, makeVoices(customer), killing)
  yield* settled("40 seconds")
  yield* booksAreSound
  yield* judge(ledger)
  yield* allWasTold(customer)
  // The first start has no calls to resume. A later one may take twice as long; on a fast machine, 5 s.
  const [first_ms = 0, ...later_ms] = starts_ms
  assert.isBelow(Math.max(...later_ms), Math.max(5_000, 2 * first_ms), `the first start took ${first_ms} ms`)
  assert.isAbove(ledger.size, kills * 10)
})

const actionTimeout_ms = 60_000 + kills * 15_000

describe("an engine that is killed again and again under load", () => {
  it.live(
    `loses and duplicates nothing in ${kills} kills`,
    () =>
      Effect.flatMap(makeProgram({ speed: 10 }), (program) => storm(program, kills)).pipe(
        Effect.scoped,
        Effect.provide(TestDatabase.layer)
      ),
    actionTimeout_ms
  )

  it.live(
    `continues every live talk in ${kills} kills, while the phones stay connected`,
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const program = yield* makeProgram({ speed: 4, env: outside })
        yield* storm(program, kills, yield* makeOutsidePhones(program))
        const lost =
          yield* sql`SELECT id FROM calls WHERE status = 'completed' AND state -> 'ending' ->> 'cause' = 'session_lost'`
        assert.lengthOf(lost, 0)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    actionTimeout_ms
  )
})
