// The stored state of a wallet. Its open holds and the destinations dialled of late are in tables of their own.
import { HashMap, Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import { nothingCarried } from "../trunks/TrunkCapacity.ts"
import { SavedCard } from "../topups/SavedCard.ts"
import { DisabledReason } from "./AutoTopUpRecord.ts"
import { Currency } from "./Currency.ts"
import { recentDialsOf } from "./DialLimiter.ts"
import { initialWallet, type PresentWallet, type Wallet } from "./Wallet.ts"
import { WalletLetter } from "./WalletLetter.ts"
import { TopUpId, WorkspaceId } from "../BrandedIds.ts"

const Instant = Schema.Int

const StoredActivity = Schema.Struct({
  hour: Schema.optionalKey(Schema.Struct({ since: Instant, calls: Schema.Int, usual: Schema.Int })),
  attempts: Schema.optionalKey(Schema.Struct({ since: Instant, all: Schema.Int, failed: Schema.Int })),
  alerted: Schema.optionalKey(
    Schema.Struct({
      call_burst: Schema.optionalKey(Instant),
      calls_failing: Schema.optionalKey(Instant),
      spend_limit_reached: Schema.optionalKey(Instant)
    })
  )
})

const StoredAutoTopUp = Schema.Struct({
  settings: Schema.NullOr(
    Schema.Struct({
      enabled: Schema.Boolean,
      threshold_minor: Schema.Int,
      amount_minor: Schema.Int,
      monthly_ceiling_minor: Schema.Int
    })
  ),
  card: Schema.NullOr(SavedCard),
  account_ref: Schema.String,
  month: Schema.String,
  charged_minor: Schema.Int,
  charge: Schema.NullOr(
    Schema.Struct({
      topup_id: TopUpId,
      amount_minor: Schema.Int,
      card: SavedCard,
      account_ref: Schema.String,
      begun_at: Instant
    })
  ),
  failures: Schema.Int,
  not_before: Instant,
  disabled: Schema.NullOr(DisabledReason),
  told: Schema.optionalKey(Schema.Struct({ day: Schema.Int, mails: Schema.Int })),
  removed_cards: Schema.optionalKey(Schema.Array(Schema.String))
})

const StoredWallet = Schema.Struct({
  workspace_id: WorkspaceId,
  /** Null in rows of wallets that were never opened. */
  currency: Schema.NullOr(Currency),
  balance_minor: Schema.Int,
  held_minor: Schema.Int,
  low_balance_threshold_minor: Schema.Int,
  updated_at: Instant,
  groups: Schema.Record(Schema.String, Schema.Int),
  audit_at: Schema.NullOr(Instant),
  dialled: Schema.Struct({
    paced_until: Schema.Finite,
    day: Schema.Int,
    spent_minor: Schema.Int,
    countries: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ since: Instant, calls: Schema.Int }))),
    first_day: Schema.optionalKey(Schema.Struct({ since: Instant, hour: Schema.Int, calls: Schema.Int }))
  }),
  high_risk: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  activity: Schema.optionalKey(StoredActivity),
  auto: Schema.optionalKey(StoredAutoTopUp),
  waived: Schema.optionalKey(Schema.Struct({ day: Schema.Int, calls: Schema.Int })),
  fresh: Schema.optionalKey(Schema.Array(Schema.Struct({ until: Instant, amount_minor: Schema.Int }))),
  letters: Schema.optionalKey(Schema.Array(WalletLetter)),
  called_off: Schema.optionalKey(Schema.Array(Schema.Struct({ entry_id: Schema.String, at: Instant }))),
  sequence: Schema.Int,
  entries: Schema.Int
})

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
