import { NumberCommands } from "../../../src/domain/numbers/NumberCommand.ts"
import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { NumberActor } from "../../../src/actors/numbers/NumberActor.ts"
import { Numbers } from "../../../src/actors/numbers/Numbers.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import type { Webhooks } from "../../../src/actors/webhooks/Webhooks.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { day_ms, mine, number_id, origin, t0, terms, theirs } from "../../domain/numbers/Fixtures.ts"
import { assertPayload } from "../../support/EventPayloads.ts"
import { credit, found, numberEngine, type NumberEngineOptions, stock } from "../../support/NumberEngine.ts"
import { callId } from "../../support/Ids.ts"

const price = terms.monthly_price_minor

const rentals = ({ tables }: MemoryJournal) => tables.ledger.filter(({ kind }) => kind === "number_rental")
const numberColumns = ({ tables }: MemoryJournal) => tables.snapshot("Number", number_id)!.columns
/** The kinds of the events of numbers. Fails if a payload does not match its kind. */
const publishedKinds = ({ tables }: MemoryJournal) =>
  tables.events
    .filter(({ kind }) => kind.startsWith("number."))
    .map(({ kind, payload }) => {
      assertPayload(kind, JSON.parse(payload))
      return kind
    })
const codeOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.result(effect), (result) => (result._tag === "Success" ? "ok" : result.failure._tag))

const withNumber = <A, E>(
  test: (
    journal: MemoryJournal
  ) => Effect.Effect<A, E, Numbers | ActorSystem | Webhooks | Layer.Success<ReturnType<typeof numberEngine>>>,
  options?: NumberEngineOptions
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(t0)
    const journal = yield* MemoryJournal.make
    stock(journal)
    return yield* Effect.provide(test(journal), numberEngine(journal, options))
  })

describe("a claim", () => {
  it.effect("by many workspaces at once is won by one, which alone pays", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        yield* found(mine, 10_000)
        yield* found(theirs, 10_000)
        const all = yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, n) => codeOf(numbers.claim(n % 2 ? mine : theirs, number_id)),
          {
            concurrency: "unbounded"
          }
        )
        assert.deepStrictEqual(all.toSorted(), [...Array<string>(19).fill("numbers.already_claimed"), "ok"])
        assert.deepStrictEqual(
          rentals(journal).map(({ amount_minor, reference_id }) => [amount_minor, reference_id]),
          [[-price, number_id]]
        )
        assert.deepStrictEqual(publishedKinds(journal), ["number.claimed"])
      })
    )
  )

  it.effect("that is interrupted by a crash at any step is paid once and completed afterwards", () =>
    Effect.gen(function* () {
      // A claim makes five commits: the reservation, the choice, the charge, the number and the follow-up work.
      for (let after = 0; after < 8; after++) {
        const journal = yield* MemoryJournal.make
        stock(journal)
        yield* Effect.gen(function* () {
          const numbers = yield* Numbers
          yield* found(mine, 10_000)
          const first = journal.commits
          yield* Effect.forkChild(numbers.claim(mine, number_id))
          for (let turn = 0; turn < 2_000 && journal.commits < first + after; turn++) yield* Effect.yieldNow
          journal.crash()
        }).pipe(Effect.provide(numberEngine(journal)))
        const begun = numberColumns(journal)["reserved_for"] === mine || numberColumns(journal)["status"] === "active"
        yield* Effect.flatMap(ActorSystem, ({ drain }) => drain).pipe(Effect.provide(numberEngine(journal)))
        assert.deepInclude(numberColumns(journal), { status: begun ? "active" : "available" })
        assert.strictEqual(rentals(journal).length, begun ? 1 : 0, `after ${after} commits`)
      }
    })
  )

  it.effect("and a trunk that becomes active at the same time never both succeed", () =>
    Effect.gen(function* () {
      const winners = new Set<string>()
      for (let n = 0; n < 200; n++) {
        const journal = yield* MemoryJournal.make
        stock(journal)
        yield* Effect.gen(function* () {
          const numbers = yield* Numbers
          const system = yield* ActorSystem
          yield* found(mine, 10_000)
          const claim = codeOf(numbers.claim(mine, number_id))
          const wait = Effect.forEach(Array.from({ length: n % 40 }), () => Effect.yieldNow, { discard: true })
          const activate = Effect.andThen(
            wait,
            codeOf(system.ask(WorkspaceCommands.ChooseNumberMode, mine, { mode: "byoc" }))
          )
          const [claimed, activated] = yield* Effect.all([claim, activate], { concurrency: "unbounded" })
          winners.add(`${claimed} ${activated}`)
          yield* system.drain
          assert.strictEqual(rentals(journal).length, claimed === "ok" ? 1 : 0)
          assert.deepInclude(numberColumns(journal), { status: claimed === "ok" ? "active" : "available" })
        }).pipe(Effect.provide(numberEngine(journal)))
      }
      assert.deepStrictEqual([...winners].toSorted(), [
        "ok workspace.locked_to_platform_numbers",
        "workspace.locked_to_byoc ok"
      ])
    })
  )

  it.effect("that the wallet refuses leaves the number available", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const system = yield* ActorSystem
        assert.strictEqual(yield* codeOf(numbers.claim(mine, number_id)), "wallet.not_found")
        yield* found(mine, price)
        yield* found(theirs, price)
        // The balance suffices at the check, but a call places a hold on it before the charge.
        yield* system.ask(WalletCommands.PlaceHold, mine, { hold_id: "h", call_id: callId("h"), amount_minor: 1 })
        const command = { _tag: "Claim", workspace_id: mine, terms, entry_id: "e", origin, kept_under: null } as const
        yield* system.ask(NumberActor, number_id, command)
        yield* system.drain
        assert.deepInclude(numberColumns(journal), { status: "available", reserved_for: null })
        assert.strictEqual(yield* codeOf(numbers.claim(mine, number_id)), "wallet.insufficient_funds")
        assert.strictEqual(yield* codeOf(numbers.claim(theirs, number_id)), "ok")
      })
    )
  )
})

const drained = Effect.flatMap(ActorSystem, ({ drain }) => drain)

describe("a rental", () => {
  it.effect("is paid each month for a year, on the day of the claim or the last day of a short month", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        yield* found(mine, 100_000)
        yield* numbers.claim(mine, number_id)
        for (let day = 0; day < 365; day++) {
          yield* TestClock.adjust(day_ms)
          yield* Effect.flatMap(ActorSystem, ({ drain }) => drain)
        }
        const days = rentals(journal).map(({ created_at }) => new Date(created_at).toISOString().slice(0, 16))
        assert.deepStrictEqual(days, [
          "2027-01-31T10:00",
          "2027-02-28T00:00",
          "2027-03-31T00:00",
          "2027-04-30T00:00",
          "2027-05-31T00:00",
          "2027-06-30T00:00",
          "2027-07-31T00:00",
          "2027-08-31T00:00",
          "2027-09-30T00:00",
          "2027-10-31T00:00",
          "2027-11-30T00:00",
          "2027-12-31T00:00",
          "2028-01-31T00:00"
        ])
        assert.deepStrictEqual(publishedKinds(journal), ["number.claimed", ...Array<string>(12).fill("number.renewed")])
      })
    )
  )

  it.effect("that is unpaid is retried daily, then suspends and releases the number, which returns to inventory", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const system = yield* ActorSystem
        yield* found(mine, price)
        yield* numbers.claim(mine, number_id)
        const statusOn = Effect.fnUntraced(function* (days: number) {
          yield* TestClock.setTime(Date.parse("2027-02-28T00:00:00Z") + days * day_ms)
          yield* system.drain
          return numberColumns(journal)["status"]
        })
        assert.strictEqual(yield* statusOn(0), "past_due")
        assert.strictEqual(yield* statusOn(6), "past_due")
        yield* credit(mine, price)
        assert.strictEqual(yield* statusOn(6.9), "past_due")
        assert.strictEqual(yield* statusOn(7), "active")
        assert.strictEqual(yield* statusOn(31), "past_due")
        assert.strictEqual(yield* statusOn(38), "suspended")
        assert.strictEqual(yield* statusOn(67), "suspended")
        assert.strictEqual(yield* statusOn(68), "released")
        assert.strictEqual(yield* statusOn(97), "released")
        assert.strictEqual(yield* statusOn(98), "available")
        assert.deepStrictEqual(publishedKinds(journal), [
          "number.claimed",
          "number.past_due",
          "number.renewed",
          "number.past_due",
          "number.suspended",
          "number.released"
        ])
        assert.deepInclude(numberColumns(journal), {
          claimed_at: null,
          currency: null,
          monthly_price_minor: null,
          label: null
        })
        assert.strictEqual(rentals(journal).length, 2)
      })
    )
  )

  it.effect("that is being paid as the number is released is paid first", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        yield* found(mine, 2 * price)
        yield* numbers.claim(mine, number_id)
        journal.hold()
        yield* TestClock.setTime(Date.parse("2027-02-28T00:00:00Z"))
        const release = yield* Effect.forkChild(numbers.release(mine, number_id))
        for (let turn = 0; turn < 200; turn++) yield* Effect.yieldNow
        journal.release()
        yield* drained
        yield* TestClock.adjust("100 millis")
        assert.strictEqual((yield* Fiber.join(release)).status, "released")
        assert.deepStrictEqual(publishedKinds(journal), ["number.claimed", "number.renewed", "number.released"])
        assert.lengthOf(rentals(journal), 2)
      })
    )
  )

  it.effect("may use money on hold for calls while the number is past due, down to a balance of 0", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const system = yield* ActorSystem
        yield* found(mine, price * 2)
        yield* numbers.claim(mine, number_id)
        journal.tables.snapshots.set("Call/h", {
          actor_type: "Call",
          actor_id: "h",
          workspace_id: mine,
          version: 1,
          state: "{}",
          columns: { status: "answered" }
        })
        yield* TestClock.setTime(Date.parse("2027-02-28T00:00:00Z") - 1)
        yield* system.ask(WalletCommands.PlaceHold, mine, { hold_id: "h", call_id: callId("h"), amount_minor: 1 })
        yield* TestClock.adjust(1)
        yield* system.drain
        assert.strictEqual(numberColumns(journal)["status"], "past_due")
        yield* TestClock.adjust(day_ms)
        yield* system.drain
        assert.strictEqual(numberColumns(journal)["status"], "active")
        assert.strictEqual(rentals(journal).at(-1)?.balance_after_minor, 0)
      })
    )
  )

  it.effect("that fell due while the engine was down is paid once, at its start", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(t0)
      const journal = yield* MemoryJournal.make
      stock(journal)
      yield* Effect.gen(function* () {
        yield* found(mine, 100_000)
        yield* (yield* Numbers).claim(mine, number_id)
        journal.crash()
      }).pipe(Effect.provide(numberEngine(journal)))
      yield* TestClock.setTime(Date.parse("2027-06-10T12:00:00Z"))
      yield* Effect.flatMap(ActorSystem, ({ drain }) => drain).pipe(Effect.provide(numberEngine(journal)))
      assert.strictEqual(rentals(journal).length, 2)
      assert.strictEqual(numberColumns(journal)["renews_at"], Date.parse("2027-06-30T00:00:00Z"))
    })
  )
})

describe("a number of a closed workspace", () => {
  it.effect("is released when its rental is due, and not charged", () =>
    withNumber(
      (journal) =>
        Effect.gen(function* () {
          yield* found(mine, 10_000)
          yield* (yield* Numbers).claim(mine, number_id)
          yield* TestClock.setTime(Date.parse("2027-02-28T00:00:00Z"))
          yield* (yield* ActorSystem).drain
          assert.strictEqual(numberColumns(journal)["status"], "released")
          assert.strictEqual(rentals(journal).length, 1)
          assert.deepStrictEqual(publishedKinds(journal), ["number.claimed", "number.released"])
        }),
      { closed: new Set([mine]) }
    )
  )
})

describe("a claim by a workspace that is closed", () => {
  it.effect("is refused, unless its first month was paid before the closure", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const system = yield* ActorSystem
        const wallets = yield* Wallets
        yield* found(mine, 10_000)
        yield* system.ask(WorkspaceCommands.Close, mine, { origin })
        const claim = (entry_id: string) =>
          Effect.andThen(
            system.ask(NumberCommands.Claim, number_id, {
              workspace_id: mine,
              terms,
              entry_id,
              origin,
              kept_under: null
            }),
            system.drain
          )
        yield* claim("late")
        assert.deepInclude(numberColumns(journal), { status: "available", reserved_for: null })
        yield* wallets.debit(mine, {
          entry_id: "paid",
          kind: "number_rental",
          amount_minor: price,
          may_overdraw: false,
          reference_type: "number",
          reference_id: number_id,
          description: "",
          origin
        })
        yield* claim("paid")
        assert.strictEqual(numberColumns(journal)["status"], "active")
        assert.deepStrictEqual(
          rentals(journal).map(({ id }) => id),
          ["paid"]
        )
      })
    )
  )
})
