// Money that disappears during calls: by a reversed payment, and by a crash between a hold and its call.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import type { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { WalletActor } from "../../src/actors/wallet/WalletActor.ts"
import type { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { engine, type EngineOptions, MemoryJournal, TestEngine, workspace } from "../../src/testing.ts"
import { diesAfter } from "../support/DiesAfter.ts"
import { booksAreRight, charges, ended, look, pass, place } from "../support/Scenario.ts"

const rate_minor = workspace.rate_per_min_minor
const affordable = 7
const talkative = "+99900000001"
const talk: EngineOptions = { callback: () => Effect.succeed([{ say: { text: "x".repeat(3000) } }]) }

const credit = (amount_minor: number) => Effect.flatMap(TestEngine, (engine) => engine.credit(amount_minor))

/** The balance of the wallet, held or not. */
const takeBack = Effect.gen(function* () {
  const { balance_minor } = yield* TestEngine
  const taken = {
    entry_id: "0199a000-0000-7000-8000-0000000000f1",
    kind: "topup_reversal",
    may_overdraw: true,
    amount_minor: yield* balance_minor,
    reference_type: "topup",
    reference_id: "t",
    description: "Taken back",
    origin: systemOrigin
  } as const
  const { ask } = yield* ActorSystem
  yield* Effect.all(
    [1, 2].map(() => ask(WalletActor, workspace.id, { _tag: "Debit", ...taken })),
    { concurrency: 2 }
  )
})

type Inside = ActorSystem | Calls | CallReads | TestEngine

/**
 * How many engines died, the first with the first commit that comes of `then`, the next with the second and so on,
 * until one outlived them all. What the next engine finds is judged by `after`.
 */
const deaths = <E, E2, E3>(
  before: Effect.Effect<void, E, Inside>,
  then: Effect.Effect<unknown, E2, Inside>,
  after: Effect.Effect<void, E3, Inside>
) => {
  const dyingWith = Effect.fnUntraced(function* (commit: number) {
    const journal = yield* MemoryJournal.make
    const fresh = Layer.fresh(engine({ ...talk, journal }))
    const died = yield* Effect.gen(function* () {
      yield* before
      const isDead = diesAfter(journal, journal.commits + commit)
      yield* then
      // A dead engine never answers: nothing is waited for.
      for (let second = 0; second < 90 && !isDead(); second++) yield* TestClock.adjust("1 second")
      return isDead()
    }).pipe(Effect.provide(fresh))
    if (died) yield* Effect.provide(after, fresh)
    return died
  })
  return Effect.gen(function* () {
    let commit = 0
    while (yield* dyingWith(commit)) commit++
    return commit
  })
}

/** The ids of the calls that the money sufficed for. */
const placeMany = (wanted: number) =>
  Effect.gen(function* () {
    const answers = yield* Effect.all(
      Array.from({ length: wanted }, () => Effect.result(place(talkative))),
      { concurrency: wanted }
    )
    const refused = answers.filter(Result.isFailure).map(({ failure }) => failure._tag)
    assert.deepStrictEqual(new Set(refused), new Set(["wallet.insufficient_funds"]))
    return answers.filter(Result.isSuccess).map(({ success }) => success.id)
  })

const booksAfter = (balance: number) =>
  Effect.gen(function* () {
    const { balance_minor, held_minor } = yield* TestEngine
    assert.deepStrictEqual([yield* balance_minor, yield* held_minor], [balance, 0])
    assert.deepStrictEqual(
      (yield* charges).map(({ amount_minor }) => amount_minor),
      Array.from({ length: affordable }, () => -rate_minor)
    )
    assert.strictEqual((yield* Effect.flip(place(talkative)))._tag, "wallet.insufficient_funds")
    yield* credit(rate_minor - balance - 1)
    assert.strictEqual((yield* Effect.flip(place(talkative)))._tag, "wallet.insufficient_funds")
    yield* credit(1)
    assert.strictEqual((yield* place(talkative)).status, "ringing")
    yield* pass(70)
    yield* booksAreRight
  })

describe("a payment that is reversed while its calls talk", () => {
  it.effect("leaves each call its held minute, and a debt that must be paid before the next call", () =>
    Effect.gen(function* () {
      yield* credit(affordable * rate_minor)
      const ids = yield* placeMany(50)
      assert.lengthOf(ids, affordable)
      yield* pass(30)
      yield* takeBack
      yield* pass(2 + 60 - 30 - 1)
      for (const id of ids) ended(yield* look(id), { status: "answered" })
      yield* pass(5)
      for (const id of ids) {
        ended(yield* look(id), {
          status: "completed",
          hangup_cause: "balance_exhausted",
          duration_seconds: 60,
          cost_minor: rate_minor
        })
      }
      yield* booksAfter(-affordable * rate_minor)
    }).pipe(Effect.provide(engine(talk)))
  )

  it.effect("has the same result if the engine crashes at any commit", () =>
    Effect.gen(function* () {
      const talking = Effect.gen(function* () {
        yield* credit(affordable * rate_minor)
        yield* placeMany(50)
        yield* pass(30)
        yield* takeBack
      })
      assert.isAbove(
        yield* deaths(talking, Effect.void, Effect.andThen(pass(300), booksAfter(-affordable * rate_minor))),
        2
      )
    })
  )
})

it.effect("an engine that crashes at any commit of many originates leaves no hold without a call", () =>
  Effect.gen(function* () {
    // To place a call cannot be broken off: nobody waits for it.
    const placing = Effect.all(Array.from({ length: 12 }, () => Effect.forkDetach(Effect.ignore(place(talkative)))))
    const sound = Effect.gen(function* () {
      const { balance_minor, held_minor } = yield* TestEngine
      yield* pass(400)
      assert.strictEqual(yield* held_minor, 0)
      const charged = (yield* charges).reduce((sum, { amount_minor }) => sum + amount_minor, 0)
      assert.strictEqual(yield* balance_minor, affordable * rate_minor + charged)
      yield* booksAreRight
    })
    assert.isAbove(yield* deaths(credit(affordable * rate_minor), placing, sound), 8)
  })
)
