// Fills the wallets of the demo workspaces through their actors before the program is started: the seed finds the
// wallets and leaves them unchanged.
import { WalletCommands } from "../../src/domain/wallet/WalletCommand.ts"
import { Effect, Layer } from "effect"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import * as PerformWallet from "../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../src/actors/wallet/WalletOwner.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import * as PgCharges from "../../src/layers/postgres/reads/Charges.ts"
import * as PostgresJournal from "../../src/layers/postgres/journal/Journal.ts"
import { credits } from "../../src/layers/postgres/seed/SeedRows.ts"

const wallets = PerformWallet.layer
  .pipe(Layer.provide(WalletOwner.none))
  .pipe(Layer.provideMerge(LocalSystem.layer), Layer.provide([PostgresJournal.layer, PgCharges.layer, SystemIds.layer]))

/** The workspace starts with this balance, in minor units, instead of that of the seed. */
export const fillWallet = Effect.fnUntraced(
  function* (whose: "demo" | "other", amount_minor: number) {
    const { currency, entry_id, workspace_id } = credits[whose === "demo" ? 0 : 1]!
    const system = yield* ActorSystem
    yield* system.ask(WalletCommands.Open, workspace_id, { currency })
    yield* system.ask(WalletCommands.Credit, workspace_id, {
      entry_id,
      kind: "manual_credit",
      amount_minor,
      reference_type: "adjustment",
      reference_id: entry_id,
      description: "Money to try the engine with",
      origin: systemOrigin
    })
  },
  (filling) => Effect.provide(filling, wallets)
)
