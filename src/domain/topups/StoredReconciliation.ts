// The stored state of the reconciliation of payments.
import { Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import type { Reconciliation } from "./Reconciliation.ts"

const Instant = Schema.Int

const StoredReconciliation = Schema.Struct({
  next_at: Schema.NullOr(Instant),
  last_at: Schema.NullOr(Instant),
  read_until: Schema.optionalKey(Instant)
})

export const reconciliationState = storedState({ schema: StoredReconciliation, upgrades: [] })

export const restoreReconciliation = reconciliationState.restore((stored): Reconciliation => stored)
