import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { acts, type Customer, makeCustomer } from "../support/Customer.ts"
import { judge, underLoad } from "../support/Load.ts"
import { makeProgram } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** The more, the surer; CI has little time. */
const kills = Number(process.env["STORM_KILLS"] ?? 15)

const makeVoices = ({ voice }: Customer): ReadonlyArray<string> => {
  const talk = acts({ say: { text: "Hello there" } })
  return [
    voice(talk),
    voice((request, response) => void setTimeout(() => talk(request, response), 300)),
    voice(acts({ say: { text: "Hello" } }, { dial: { number: "+254733000000" } })),
    voice(acts({ hangup: {} }))
  ]
}

describe("an engine that is killed again and again under load", () => {
  it.live(`loses and doubles nothing in ${kills} kills`, () =>
    Effect.gen(function*() {
      const program = yield* makeProgram({ speed: 10 })
      const customer = yield* makeCustomer
      const starts_ms = [yield* program.start]
      assert.strictEqual((yield* customer.subscribe(program)).status, 201)
      const storm = Effect.gen(function*() {
        for (let kill = 0; kill < kills; kill++) {
          yield* Effect.sleep(50 + Math.random() * 800)
          yield* program.kill
          yield* booksAreSound
          starts_ms.push(yield* program.start)
        }
      })
      const ledger = yield* underLoad(program, makeVoices(customer), storm)
      yield* settled("40 seconds")
      yield* booksAreSound
      yield* judge(ledger)
      yield* allWasTold(customer)
      assert.isBelow(Math.max(...starts_ms), 5_000)
      assert.isAbove(ledger.size, kills * 10)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)), 60_000 + kills * 5_000)
})
