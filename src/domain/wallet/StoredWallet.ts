// The stored state of a wallet. Its open holds and the destinations dialled of late are in tables of their own.
import { HashMap, Schema } from "effect"
import { orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { nothingCarried } from "../trunks/TrunkCapacity.ts"
import { Currency } from "./Currency.ts"
import { recentDialsOf } from "./DialLimiter.ts"
import { initialWallet, type PresentWallet, type Wallet, WalletData } from "./Wallet.ts"

/** The currency is null in rows of wallets that were never opened. */
const StoredWallet = Schema.Struct({ ...WalletData.fields, currency: orNull(Currency) })

/** Rows of version 0 may lack what was added to wallets after they were written. */
const added = { groups: {}, audit_at: null, sequence: 0 }
const addedToDialled = { paced_until: 0, day: 0, spent_minor: 0 }

export const walletState = storedState({
  schema: StoredWallet,
  upgrades: [
    (stored) => ({ ...added, ...stored, dialled: { ...addedToDialled, ...(stored["dialled"] as object) } }),
    // The migration that numbered the entries has written their number into the states of that time.
    (stored) => ({ entries: 0, ...stored })
  ]
})

export const stateOfWallet = ({
  _tag,
  dialled,
  holds: _,
  recent: __,
  trunk: ___,
  ...wallet
}: PresentWallet): string => {
  const { recent: _recent, ...counts } = dialled
  return walletState.write({ ...wallet, dialled: counts })
}

/** The wallet of its row, with its open holds and the calls that it dialled of late. */
export const restoreWallet = walletState.restore((stored, { dialled = [], holds }): Wallet => {
  const { currency } = stored
  if (currency === null) return initialWallet(stored.workspace_id)
  const legs = holds.reduce((sum, { trunk_legs }) => sum + trunk_legs, 0)
  return {
    _tag: "Present",
    ...stored,
    currency,
    dialled: { ...stored.dialled, recent: recentDialsOf(dialled) },
    trunk: { ...nothingCarried, legs },
    holds: HashMap.fromIterable(
      holds.map(
        ({ amount_minor, call_id, id, placed_at, trunk_legs }) =>
          [id, { id, call_id, amount_minor, placed_at, ...(trunk_legs > 0 && { trunk_legs }) }] as const
      )
    ),
    recent: []
  }
})
