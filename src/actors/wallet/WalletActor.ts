// A workspace's wallet, which alone changes its balance. Its id is the workspace's.
import { Clock, Effect, Layer } from "effect"
import { decideWallet } from "../../domain/wallet/DecideWallet.ts"
import { type AuditHolds, planWallet } from "../../domain/wallet/PlanWallet.ts"
import { recordWallet } from "../../domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../domain/wallet/StoredWallet.ts"
import { audit_every_ms, initialWallet, evolveWallet, type Wallet } from "../../domain/wallet/Wallet.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { WalletEvent } from "../../domain/wallet/WalletEvent.ts"
import { Charges } from "../../domain/ports/Charges.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { actor, type Self } from "../runtime/Definition.ts"
import { traced } from "../../domain/Traced.ts"

export const WalletActor = actor<Wallet, WalletCommands, WalletEvent, AuditHolds>({
  type: "Wallet",
  commands: WalletCommands,
  initial: initialWallet,
  restore: restoreWallet,
  decide: decideWallet,
  evolve: evolveWallet,
  plan: planWallet,
  record: recordWallet,
  answers: { Credit: (reply) => ({ status: 201, body: JSON.stringify(reply), headers: {} }) }
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const charges = yield* Charges
    const system = yield* ActorSystem
    const auditHolds = traced("Wallet.auditHolds")(function* (self: Self<Wallet, WalletCommands>) {
      const now = yield* Clock.currentTimeMillis
      const placed_before = now - audit_every_ms
      const orphans = yield* charges.orphanedHolds(self.id, placed_before)
      yield* self.tell({
        _tag: "Audited",
        orphaned_hold_ids: orphans.map(({ id }) => id),
        unused_hold_ids: orphans.flatMap(({ id, unused }) => (unused ? [id] : [])),
        placed_before
      })
    })
    yield* system.register(WalletActor, (_work, self) => retryWithBackoff(auditHolds(self)))
  })
)
