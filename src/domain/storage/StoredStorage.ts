// The stored state of a workspace's storage. The checks of the database read `tier_mb`, `renews_at` and `charge` in
// SQL.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { WorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "../wallet/Currency.ts"
import type { Storage } from "./Storage.ts"

const Count = Schema.Int
const Minor = Schema.Int
const Instant = Schema.Int

const Charge = Schema.Struct({
  entry_id: Schema.String,
  kind: Schema.Literals(["upgrade", "renewal"]),
  tier_mb: Schema.Int,
  price_minor: Minor,
  amount_minor: Minor,
  currency: Currency,
  begun_at: Instant,
  origin: Origin
})

const StoredStorage = Schema.Struct({
  id: WorkspaceId,
  tier_mb: Schema.Int,
  price_minor: Minor,
  currency: Schema.NullOr(Currency),
  pending_tier_mb: Schema.NullOr(Schema.Int),
  renews_at: Schema.NullOr(Instant),
  past_due_since: Schema.NullOr(Instant),
  check_at: Schema.NullOr(Instant),
  charge: Schema.NullOr(Charge),
  recounts: Count,
  counted: Count,
  used_bytes: Schema.Int,
  evictions: Count,
  warned_percent: Schema.Literals([0, 80, 100]),
  sequence: Count
})

export const storageState = storedState({
  schema: StoredStorage,
  // Evictions were not counted at first.
  upgrades: [(stored) => ({ evictions: 0, ...stored })]
})

export const restoreStorage = storageState.restore((stored): Storage => stored)
