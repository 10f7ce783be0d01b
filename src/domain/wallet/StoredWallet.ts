// The stored state of a wallet. Its open holds and the destinations dialled of late are in tables of their own.
import { Schema } from "effect"
import type { HoldRow } from "../journal/Rows.ts"
import { orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "./Currency.ts"
import { recentDialsOf } from "./DialLimiter.ts"
import { openHoldsOf } from "./OpenHolds.ts"
import type { Hold } from "./WalletEvent.ts"
import { initialWallet, type PresentWallet, type Wallet, WalletData } from "./Wallet.ts"

/** The currency is null in rows of wallets that were never opened. */
const StoredWallet = Schema.Struct({ ...WalletData.fields, currency: orNull(Currency) })

/** Rows of version 0 may lack what was added to wallets after they were written. */
const added = { groups: {}, audit_at: null, sequence: 0 }
const addedToDialled = { paced_until: 0, day: 0, spent_minor: 0 }

type Legs = Readonly<Record<string, number>>

/** Before version 3, the state had the legs of all holds that were for several, or for high-risk destinations. */
const earlierHolds = (groups: Legs = {}, high_risk: Legs = {}) =>
  Object.fromEntries(
    [...new Set([...Object.keys(groups), ...Object.keys(high_risk)])].map((id) => [
      id,
      {
        ...(groups[id] !== undefined && { legs: groups[id] }),
        ...(high_risk[id] !== undefined && { high_risk_legs: high_risk[id] })
      }
    ])
  )

export const walletState = storedState({
  schema: StoredWallet,
  upgrades: [
    (stored) => ({ ...added, ...stored, dialled: { ...addedToDialled, ...(stored["dialled"] as object) } }),
    // The migration that numbered the entries has written their number into the states of that time.
    (stored) => ({ entries: 0, ...stored }),
    ({ groups, high_risk, ...stored }) => {
      const earlier_holds = earlierHolds(groups as Legs | undefined, high_risk as Legs | undefined)
      return Object.keys(earlier_holds).length === 0 ? stored : { ...stored, earlier_holds }
    }
  ]
})

/** JSON leaves out what is undefined. A copy without these members takes as long as the writing of the text. */
const notStored = {
  _tag: undefined,
  high_risk_legs: undefined,
  holds: undefined,
  legs: undefined,
  recent: undefined,
  trunk: undefined
}

export const stateOfWallet = (wallet: PresentWallet): string => {
  const dialled = { ...wallet.dialled, recent: undefined }
  return walletState.write({ ...wallet, ...notStored, dialled })
}

const holdOfRow = ({ amount_minor, call_id, high_risk_legs, id, legs, placed_at, trunk_legs }: HoldRow): Hold => ({
  id,
  call_id,
  amount_minor,
  placed_at,
  ...(trunk_legs > 0 && { trunk_legs }),
  ...(legs > 1 && { legs }),
  ...(high_risk_legs > 0 && { high_risk_legs })
})

/** The wallet of its row, with its open holds and the calls that it dialled of late. */
export const restoreWallet = walletState.restore((stored, { dialled = [], holds }): Wallet => {
  const { currency, earlier_holds = {} } = stored
  if (currency === null) return initialWallet(stored.workspace_id)
  return {
    _tag: "Present",
    ...stored,
    currency,
    dialled: { ...stored.dialled, recent: recentDialsOf(dialled) },
    ...openHoldsOf(holds.map((row) => ({ ...holdOfRow(row), ...earlier_holds[row.id] }))),
    recent: []
  }
})
