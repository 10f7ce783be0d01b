// The stored state of a payer's phone lock.
import { storedState } from "../state/StoredState.ts"
import { Holder, type PayerPhoneLock } from "./PayerPhoneLock.ts"

export const payerPhoneLockState = storedState({ schema: Holder, upgrades: [] })

export const stateOfPayerPhoneLock = ({ topup_id, until }: Holder): string =>
  payerPhoneLockState.write({ topup_id, until })

export const restorePayerPhoneLock = payerPhoneLockState.restore((holder): PayerPhoneLock => ({
  _tag: "Present",
  ...holder
}))
