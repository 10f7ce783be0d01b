// A statement whose lines were written at once: each begins at the balance of the line below it, on every page.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ActorSystem } from "../../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../../src/actors/runtime/LocalSystem.ts"
import * as PerformWallet from "../../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../../src/actors/wallet/WalletOwner.ts"
import { systemOrigin } from "../../../../src/domain/access/Origin.ts"
import { WalletReads } from "../../../../src/domain/ports/money/WalletReads.ts"
import type { StatementEntry, StatementFilter } from "../../../../src/domain/wallet/StatementEntry.ts"
import { WalletCommands } from "../../../../src/domain/wallet/WalletCommand.ts"
import * as SystemIds from "../../../../src/layers/ids/SystemIds.ts"
import { checkInvariants } from "../../../../src/layers/postgres/checks/Invariants.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import * as PgCharges from "../../../../src/layers/postgres/reads/Charges.ts"
import * as PgWalletReads from "../../../../src/layers/postgres/reads/WalletReads.ts"
import { workspaceId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const id = workspaceId("0199a000-0000-7000-8000-000000000001")
const lines = 607

const engine = Layer.fresh(PerformWallet.layer.pipe(Layer.provide(WalletOwner.none))).pipe(
  Layer.provideMerge(Layer.fresh(LocalSystem.layer)),
  Layer.provide([PostgresJournal.layer, PgCharges.layer, SystemIds.layer])
)

const movement = () => ({
  entry_id: crypto.randomUUID(),
  reference_type: "adjustment",
  reference_id: "r",
  description: "",
  origin: systemOrigin
})
const credit = (system: ActorSystem["Service"], amount_minor: number) =>
  system.ask(WalletCommands.Credit, id, { ...movement(), kind: "manual_credit", amount_minor })
const debit = (system: ActorSystem["Service"], amount_minor: number) =>
  system.ask(WalletCommands.Debit, id, { ...movement(), kind: "number_rental", amount_minor, may_overdraw: false })

/** Every line of a statement, read in pages. */
const everyLine = Effect.fnUntraced(function* (filter: StatementFilter, limit: number) {
  const reads = yield* WalletReads
  const found: Array<StatementEntry> = []
  while (true) {
    const last = found.at(-1)
    const after = last && { at: Date.parse(last.created_at), id: last.id }
    const page = yield* reads.statements(id, filter, after, limit)
    found.push(...page)
    if (page.length < limit) return found
  }
})

const misplaced = (newestFirst: ReadonlyArray<StatementEntry>): number =>
  newestFirst.filter(
    ({ amount_minor, balance_after_minor }, index) =>
      balance_after_minor - amount_minor !== (newestFirst[index + 1]?.balance_after_minor ?? 0)
  ).length

layer(PgWalletReads.layer.pipe(Layer.provideMerge(TestDatabase.layer)))((it) => {
  it.effect("follows the wallet's own order, also after a restart and with a clock that was set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      yield* Effect.provide(
        Effect.gen(function* () {
          const system = yield* ActorSystem
          yield* system.ask(WalletCommands.Open, id, { currency: "KES" })
          yield* credit(system, 1_000_000)
          yield* Effect.forEach(
            Array.from({ length: lines - 3 }, (_, n) => n),
            (n) => (n % 3 === 0 ? credit(system, 7) : debit(system, 11)),
            { concurrency: "unbounded", discard: true }
          )
        }),
        engine
      )
      // Another process, whose clock is a minute behind.
      yield* TestClock.setTime(940_000)
      yield* Effect.provide(
        Effect.flatMap(ActorSystem, (system) => Effect.andThen(debit(system, 5), credit(system, 9))),
        engine
      )
      const all = yield* everyLine({}, 50)
      assert.lengthOf(all, lines)
      assert.deepStrictEqual(
        all.map(({ sequence }) => sequence),
        Array.from({ length: lines }, (_, n) => lines - n)
      )
      assert.strictEqual(misplaced(all), 0)
      assert.deepStrictEqual(yield* everyLine({ from: 0 }, 41), all)
      const credits = all.filter(({ kind }) => kind === "manual_credit")
      assert.isAbove(credits.length, 200)
      assert.deepStrictEqual(yield* everyLine({ kind: "manual_credit" }, 17), credits)
      assert.lengthOf(yield* everyLine({ to: 1_000_000 }, 50), 0)
      assert.deepStrictEqual(
        (yield* checkInvariants).filter(({ count }) => count > 0),
        []
      )
    })
  )
})
