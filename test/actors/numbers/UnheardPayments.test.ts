// A month that a process debited and then died, before it heard of it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Numbers } from "../../../src/actors/numbers/Numbers.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import type { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { WalletReads } from "../../../src/domain/ports/money/WalletReads.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as MemoryWalletReads from "../../../src/layers/memory/MemoryWalletReads.ts"
import { mine, number_id, t0, terms } from "../../domain/numbers/Fixtures.ts"
import { diesAfter } from "../../support/DiesAfter.ts"
import { found, numberEngine, stock } from "../../support/NumberEngine.ts"

const price = terms.monthly_price_minor

const rentals = ({ tables }: MemoryJournal) => tables.ledger.filter(({ kind }) => kind === "number_rental")
const numberColumns = ({ tables }: MemoryJournal) => tables.snapshot("Number", number_id)!.columns
const publishedKinds = ({ tables }: MemoryJournal) =>
  tables.events.flatMap(({ kind }) => (kind.startsWith("number.") ? [kind] : []))

/** What is read of the ledger before another process has written: the first reads of an entry find nothing. */
const readsTooEarly = (journal: MemoryJournal, reads_max: number) => {
  let reads = 0
  return Layer.effect(
    WalletReads,
    Effect.map(WalletReads, (truth) =>
      WalletReads.of({
        ...truth,
        entry: (workspace_id, id) => (reads++ < reads_max ? Effect.undefined : truth.entry(workspace_id, id))
      })
    )
  ).pipe(Layer.provide(MemoryWalletReads.layer(journal)))
}

/** The engine dies after so many commits of the action. Returns whether it had paid and had not heard of it. */
const diedUnheard = (
  journal: MemoryJournal,
  commits: number,
  action: Effect.Effect<unknown, unknown, Numbers | ActorSystem>,
  before: Effect.Effect<unknown, unknown, Numbers | ActorSystem | Wallets>
) =>
  Effect.gen(function* () {
    yield* before
    const paid = rentals(journal).length
    const events = publishedKinds(journal)
    diesAfter(journal, journal.commits + commits)
    yield* action
    for (let turn = 0; turn < 200; turn++) yield* Effect.yieldNow
    journal.crash()
    return rentals(journal).length > paid && publishedKinds(journal).length === events.length
  }).pipe(Effect.provide(numberEngine(journal)))

const drained = Effect.flatMap(ActorSystem, ({ drain }) => drain)

/** The commits after which the engine has paid and has not heard of it, and what the books say in the end. */
const afterUnheard = Effect.fnUntraced(function* (
  reads: number,
  action: Effect.Effect<unknown, unknown, Numbers | ActorSystem>,
  before: Effect.Effect<unknown, unknown, Numbers | ActorSystem | Wallets>
) {
  const ends: Array<unknown> = []
  for (let commits = 0; commits < 6; commits++) {
    yield* TestClock.setTime(t0)
    const journal = yield* MemoryJournal.make
    stock(journal)
    if (!(yield* diedUnheard(journal, commits, action, before))) continue
    yield* drained.pipe(Effect.provide(numberEngine(journal, { balances: readsTooEarly(journal, reads) })))
    ends.push([numberColumns(journal)["status"], rentals(journal).length, publishedKinds(journal).join()])
  }
  assert.isNotEmpty(ends)
  return new Set(ends.map((end) => JSON.stringify(end)))
})

const claimed = Effect.flatMap(Numbers, (numbers) => numbers.claim(mine, number_id))

describe("a month that was debited, unheard, and whose money is missing when it is asked for again", () => {
  it.effect.each([2, 3])("of a claim is not lost: the number is claimed, after %i reads too early", (reads) =>
    Effect.gen(function* () {
      const ends = yield* afterUnheard(reads, Effect.forkChild(Effect.ignore(claimed)), found(mine, price))
      assert.deepStrictEqual([...ends], [JSON.stringify(["active", 1, "number.claimed"])])
    })
  )

  it.effect.each([1, 2])("of a rental is not lost: the number is renewed, after %i reads too early", (reads) =>
    Effect.gen(function* () {
      const due = TestClock.setTime(Date.parse("2027-02-28T00:00:00Z"))
      const ends = yield* afterUnheard(reads, due, Effect.andThen(found(mine, 2 * price), claimed))
      assert.deepStrictEqual([...ends], [JSON.stringify(["active", 2, "number.claimed,number.renewed"])])
    })
  )
})
