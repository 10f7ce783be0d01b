// The HTTP server over real wallets in memory; what is not money is faked.
import { Effect, Layer } from "effect"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import * as WalletActor from "../../src/actors/WalletActor.ts"
import { Wallets } from "../../src/actors/Wallets.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { Ids } from "../../src/domain/ports/Ids.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import * as MemoryReads from "../../src/layers/memory/MemoryReads.ts"
import * as MemoryWalletReads from "../../src/layers/memory/MemoryWalletReads.ts"
import { layerOver, workspaces } from "./FakeEngine.ts"

/** Over the journal given, whose tables a test may look at. The active workspace has no wallet; the other one has 1,000 KES minor. */
export const moneyEngine = (journal: MemoryJournal) => {
  const ports = Layer.mergeAll(journal.layer, MemoryReads.charges(journal), MemoryWalletReads.layer(journal))
  const funded = Layer.effectDiscard(Effect.gen(function*() {
    const wallets = yield* Wallets
    yield* wallets.open(workspaces.other, "KES")
    yield* wallets.credit(workspaces.other, {
      entry_id: (yield* Ids).uuid(), kind: "topup", amount_minor: 1_000, reference_type: "topup", reference_id: "t", description: "", origin: systemOrigin
    })
  }))
  const started = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start))
  return layerOver(funded.pipe(
    Layer.provideMerge(Wallets.layer),
    Layer.provideMerge(started),
    Layer.provideMerge(WalletActor.layer),
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(ports)
  ))
}
