// A larger size that was paid for, unheard: the wallet refuses the second question, because its money is missing.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import * as PerformStorage from "../../../src/actors/storage/PerformStorage.ts"
import { StorageActor } from "../../../src/actors/storage/StorageActor.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"
import { StorageReads } from "../../../src/domain/ports/calls/StorageReads.ts"
import { StorageCommands } from "../../../src/domain/storage/StorageCommand.ts"
import { storageState } from "../../../src/domain/storage/Storage.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import * as MemoryWalletReads from "../../../src/layers/memory/MemoryWalletReads.ts"
import { workspaceId } from "../../support/Ids.ts"

const id = workspaceId("0199a000-0000-7000-8000-0000000000a1")
const size_mb = 10_240

/** The size of the storage after a change that the wallet refuses. `made`: what the ledger has of the debit. */
const sizeAfter = Effect.fnUntraced(function* (made: { readonly balance_minor: number } | undefined) {
  const journal = yield* MemoryJournal.make
  const asked: Array<string> = []
  const wallets = Layer.mock(Wallets)({
    debit: () => Effect.fail(new WalletInsufficientFunds()),
    callOff: (_workspace_id, entry_id) => Effect.sync(() => (asked.push(entry_id), made))
  })
  const ports = Layer.mergeAll(
    journal.layer,
    SystemIds.layer,
    MemoryDirectory.layer({ workspaces: [], rates: [] }),
    MemoryWalletReads.layer(journal),
    Layer.mock(StorageReads)({ usage: () => Effect.succeed({ used_bytes: 0, recordings: 0 }) }),
    wallets
  )
  const running = PerformStorage.layer.pipe(Layer.provideMerge(LocalSystem.layer), Layer.provideMerge(ports))
  yield* Effect.gen(function* () {
    const system = yield* ActorSystem
    yield* system.start
    const terms = { tier_mb: size_mb, price_minor: 20_000, currency: "KES", origin: systemOrigin } as const
    yield* system.ask(StorageCommands.Switch, id, { ...terms, entry_id: "entry" })
    yield* system.drain
  }).pipe(Effect.provide(running))
  assert.deepStrictEqual(asked, ["entry"])
  const { charge, tier_mb } = storageState.read(journal.tables.snapshot(StorageActor.type, id)!.state)
  assert.isNull(charge)
  return tier_mb
})

describe("a larger size of the storage", () => {
  it.effect("takes effect if it was paid for, although the wallet refuses to pay again", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* sizeAfter({ balance_minor: 0 }), size_mb)
    })
  )

  it.effect("is given up only once its debit is called off", () =>
    Effect.gen(function* () {
      assert.isBelow(yield* sizeAfter(undefined), size_mb)
    })
  )
})
