// What an attack must leave as it is: the calls, the registrations and the money of every workspace.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isEmpty } from "./Pbx.ts"
import { PbxWorld } from "./PbxWorld.ts"

type Ask = (
  path: string
) => Effect.Effect<{ readonly status: number; readonly text: string; readonly json: <A>() => A }>

interface Balance {
  readonly balance_minor: number
  readonly held_minor: number
}

/** Watches the demo workspace and these tenants. */
export const makeStanding = (tenants: ReadonlyArray<Ask>) =>
  Effect.gen(function* () {
    const world = yield* PbxWorld
    const { program } = world
    const demo: Ask = (path) => Effect.orDie(program.ask(path))
    const of = (ask: Ask) =>
      Effect.gen(function* () {
        // A refused question would compare nothing.
        const read = (path: string) =>
          Effect.tap(ask(path), ({ status, text }) =>
            Effect.sync(() => assert.strictEqual(status, 200, `${path}: ${text}`))
          )
        const { text: calls } = yield* read("/v1/calls?limit=100")
        const { balance_minor, held_minor } = (yield* read("/v1/wallet/balance")).json<Balance>()
        assert.isNumber(balance_minor)
        assert.isNumber(held_minor)
        const { text: ledger } = yield* read("/v1/wallet/statements?limit=100")
        const numbers = (yield* read("/v1/numbers")).json<ReadonlyArray<{ readonly id: string }>>()
        const registrations = yield* Effect.forEach(numbers, ({ id }) =>
          Effect.map(read(`/v1/numbers/${id}/sip-credentials`), ({ text }) => text)
        )
        return { calls, balance_minor, held_minor, ledger, registrations }
      })
    const now = Effect.forEach([demo, ...tenants], of)
    return {
      /** Carries out the attack and asserts that it has changed nothing. */
      nothingHappens: <A, E, R>(attack: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const before = yield* now
          const result = yield* attack
          yield* Effect.sleep("200 millis")
          assert.deepStrictEqual(yield* now, before)
          yield* isEmpty(world)
          return result
        })
    }
  })
