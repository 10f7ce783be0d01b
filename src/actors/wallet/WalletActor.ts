// A workspace's wallet, which alone changes its balance. Its id is the workspace's. PerformWallet.ts performs its work.
import { decideWallet } from "../../domain/wallet/DecideWallet.ts"
import { planWallet, type WalletWork } from "../../domain/wallet/PlanWallet.ts"
import { recordWallet } from "../../domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../domain/wallet/StoredWallet.ts"
import { evolveWallet, initialWallet, type Wallet } from "../../domain/wallet/Wallet.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { WalletEvent } from "../../domain/wallet/WalletEvent.ts"
import { actor } from "../runtime/Definition.ts"

export const WalletActor = actor<Wallet, WalletCommands, WalletEvent, WalletWork>({
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
