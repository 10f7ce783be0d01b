// A phone shows one prompt at a time: whoever prompts it has it for a minute.
import { Result, Schema } from "effect"
import type { Decided } from "../Decision.ts"
import { tagged } from "../Tagged.ts"

const held_ms = 60_000

export interface PayerPhoneLock {
  readonly topup_id: string | null
  readonly until: number
}

export const PayerPhoneLockCommand = Schema.Union([
  tagged("Reserve", {
    topup_id: Schema.String,
    /** The top-up that had it and is over. */
    instead_of: Schema.NullOr(Schema.String)
  })
])
export type PayerPhoneLockCommand = typeof PayerPhoneLockCommand.Type

export const PayerPhoneLockReply = Schema.Union([
  tagged("Reserved", {}),
  /** Another top-up has it, unless that is over. */
  tagged("Taken", { topup_id: Schema.String, until: Schema.Int })
])
export type PayerPhoneLockReply = typeof PayerPhoneLockReply.Type

export interface PayerPhoneLockEvent {
  readonly _tag: "Reserved"
  readonly topup_id: string
  readonly until: number
}

export const freePhone = (): PayerPhoneLock => ({ topup_id: null, until: 0 })

export const decidePhone = (
  phone: PayerPhoneLock,
  { instead_of, topup_id }: PayerPhoneLockCommand,
  now: number
): Decided<PayerPhoneLockEvent, PayerPhoneLockReply> => {
  const held =
    phone.topup_id !== null && phone.topup_id !== topup_id && phone.topup_id !== instead_of && now < phone.until
  return Result.succeed(
    held
      ? { events: [], reply: { _tag: "Taken", topup_id: phone.topup_id!, until: phone.until } }
      : { events: [{ _tag: "Reserved", topup_id, until: now + held_ms }], reply: { _tag: "Reserved" } }
  )
}
