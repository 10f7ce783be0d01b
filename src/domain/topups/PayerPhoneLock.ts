// Reserves a phone for one prompt at a time. A prompt holds its phone for a minute.
import { Result, Schema } from "effect"
import { commandsOf, decideBy } from "../Command.ts"
import { TopUpId } from "../BrandedIds.ts"
import { EpochMs } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"

const lockDuration_ms = 60_000

/** The top-up that has the phone, until an instant in epoch milliseconds. */
const Holder = Schema.Struct({ topup_id: TopUpId, until: EpochMs })
type Holder = typeof Holder.Type

export type PayerPhoneLock = { readonly _tag: "Absent" } | ({ readonly _tag: "Present" } & Holder)

export const payerPhoneLockState = storedState({ schema: Holder, upgrades: [] })

export const stateOfPayerPhoneLock = ({ topup_id, until }: Holder): string =>
  payerPhoneLockState.write({ topup_id, until })

export const restorePayerPhoneLock = payerPhoneLockState.restore((holder): PayerPhoneLock => ({
  _tag: "Present",
  ...holder
}))

export const PayerPhoneLockCommands = commandsOf("PayerPhone", {
  /** Reserves the phone. Answers null if it is reserved now, and otherwise with the top-up that holds it. */
  Reserve: {
    payload: {
      topup_id: TopUpId,
      /** A top-up that still holds the phone although it is over. */
      instead_of: Schema.NullOr(TopUpId)
    },
    reply: Schema.NullOr(Holder)
  }
})
export type PayerPhoneLockCommands = typeof PayerPhoneLockCommands

export type PayerPhoneLockEvent = { readonly _tag: "Reserved" } & Holder

export const freePhone = (): PayerPhoneLock => ({ _tag: "Absent" })

export const evolvePhoneLock = (
  _: PayerPhoneLock,
  { topup_id, until }: PayerPhoneLockEvent
): PayerPhoneLock & { readonly _tag: "Present" } => ({ _tag: "Present", topup_id, until })

export const decidePhoneLock = decideBy<PayerPhoneLock, PayerPhoneLockCommands, PayerPhoneLockEvent>(() => ({
  Reserve: (lock, { instead_of, topup_id }, now) => {
    if (lock._tag === "Present" && lock.topup_id !== topup_id && lock.topup_id !== instead_of && now < lock.until)
      return Result.succeed({ events: [], reply: { topup_id: lock.topup_id, until: lock.until } })
    return Result.succeed({ events: [{ _tag: "Reserved", topup_id, until: now + lockDuration_ms }], reply: null })
  }
}))
