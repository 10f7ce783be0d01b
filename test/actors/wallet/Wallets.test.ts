import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { Credit, Debit } from "../../../src/domain/wallet/WalletCommand.ts"
import { engine, MemoryJournal, TestEngine, workspace } from "../../../src/testing.ts"
import { callId, workspaceId } from "../../support/Ids.ts"

const { id } = workspace
const movement = { reference_type: "number", reference_id: "n", description: "", origin: systemOrigin }
const credit = (entry_id: string, amount_minor: number): Omit<Credit, "_tag"> => ({
  ...movement,
  entry_id,
  kind: "topup",
  amount_minor
})
const debit = (entry_id: string, amount_minor: number, may_overdraw = false): Omit<Debit, "_tag"> => ({
  ...movement,
  entry_id,
  kind: "number_rental",
  amount_minor,
  may_overdraw
})

const booked = Effect.map(TestEngine, ({ journal }) =>
  journal.tables.ledger.map(({ amount_minor, id }) => [id, amount_minor])
)

describe("Wallets", () => {
  it.effect("move money once per entry id, however often and from wherever it is requested", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const first = Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* wallets.open(workspaceId(id), "KES")
        assert.deepStrictEqual(yield* wallets.credit(workspaceId(id), credit("c", 1_000)), { balance_minor: 1_000 })
        assert.deepStrictEqual(yield* wallets.debit(workspaceId(id), debit("d", 400)), { balance_minor: 600 })
        const all = yield* Effect.forEach([1, 2, 3], () => wallets.debit(workspaceId(id), debit("e", 100)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          all.map(({ balance_minor }) => balance_minor),
          [500, 500, 500]
        )
      })
      yield* Effect.provide(first, engine({ journal }))
      journal.crash()
      const second = Effect.gen(function* () {
        const wallets = yield* Wallets
        assert.deepStrictEqual(yield* wallets.credit(workspaceId(id), credit("c", 1_000)), { balance_minor: 1_000 })
        assert.deepStrictEqual(yield* wallets.debit(workspaceId(id), debit("d", 400)), { balance_minor: 600 })
        assert.deepStrictEqual(yield* booked, [
          ["c", 1_000],
          ["d", -400],
          ["e", -100]
        ])
      })
      yield* Effect.provide(second, engine({ journal }))
    })
  )

  it.effect("take holds into account, and overdraw only if allowed", () =>
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const system = yield* ActorSystem
      assert.strictEqual(
        (yield* Effect.flip(wallets.debit(workspaceId(id), debit("none", 1))))._tag,
        "wallet.not_found"
      )
      yield* wallets.open(workspaceId(id), "KES")
      yield* wallets.credit(workspaceId(id), credit("c", 1_000))
      yield* system.ask(WalletCommands.PlaceHold, workspaceId(id), {
        hold_id: "h",
        call_id: callId("h"),
        amount_minor: 300
      })
      assert.strictEqual(
        (yield* Effect.flip(wallets.debit(workspaceId(id), debit("d", 701))))._tag,
        "wallet.insufficient_funds"
      )
      assert.deepStrictEqual(yield* wallets.debit(workspaceId(id), debit("d", 700)), { balance_minor: 300 })
      assert.deepStrictEqual(yield* wallets.debit(workspaceId(id), debit("o", 1_000, true)), { balance_minor: -700 })
      assert.strictEqual(
        (yield* Effect.flip(wallets.debit(workspaceId(id), debit("z", 0))))._tag,
        "wallet.invalid_amount"
      )
    }).pipe(Effect.provide(engine()))
  )

  it.effect("find an entry that was written although its reply was lost", () =>
    Effect.gen(function* () {
      const { journal } = yield* TestEngine
      const wallets = yield* Wallets
      yield* wallets.open(workspaceId(id), "KES")
      yield* wallets.credit(workspaceId(id), credit("c", 1_000))
      journal.failNext("unavailable")
      assert.strictEqual((yield* Effect.flip(wallets.debit(workspaceId(id), debit("d", 400))))._tag, "NotCommitted")
      assert.deepStrictEqual(yield* wallets.debit(workspaceId(id), debit("d", 400)), { balance_minor: 600 })
      assert.deepStrictEqual(yield* booked, [
        ["c", 1_000],
        ["d", -400]
      ])
    }).pipe(Effect.provide(engine()))
  )

  it.effect("call a debit off, which then never takes money, or return it if it was made", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const first = Effect.gen(function* () {
        const wallets = yield* Wallets
        assert.isUndefined(yield* wallets.callOff(workspaceId(id), "d"))
        yield* wallets.open(workspaceId(id), "KES")
        yield* wallets.credit(workspaceId(id), credit("c", 1_000))
        yield* wallets.debit(workspaceId(id), debit("d", 400))
        const { commits } = journal
        assert.isUndefined(yield* wallets.callOff(workspaceId(id), "off"))
        // Its version stops a write of another process that is still under way.
        assert.strictEqual(journal.commits, commits + 1)
      })
      yield* Effect.provide(first, engine({ journal }))
      journal.crash()
      const second = Effect.gen(function* () {
        const wallets = yield* Wallets
        const late = yield* Effect.flip(wallets.debit(workspaceId(id), debit("off", 100)))
        assert.strictEqual(late._tag, "wallet.insufficient_funds")
        assert.deepStrictEqual(yield* wallets.callOff(workspaceId(id), "d"), { balance_minor: 600 })
        assert.deepStrictEqual(yield* booked, [
          ["c", 1_000],
          ["d", -400]
        ])
      })
      yield* Effect.provide(second, engine({ journal }))
    })
  )

  it.effect("rely on the ledger's unique key if an entry was not looked up", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const paid = Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* wallets.open(workspaceId(id), "KES")
        yield* wallets.credit(workspaceId(id), credit("c", 1_000))
      })
      yield* Effect.provide(paid, engine({ journal }))
      journal.crash()
      const again = Effect.gen(function* () {
        const system = yield* ActorSystem
        const unlooked = yield* Effect.flip(
          system.ask(WalletCommands.Credit, workspaceId(id), { ...credit("c", 1_000) })
        )
        assert.strictEqual(unlooked._tag, "NotCommitted")
        assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ balance_minor }) => balance_minor), 1_000)
      })
      yield* Effect.provide(again, engine({ journal }))
    })
  )
})
