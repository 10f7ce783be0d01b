// The charges of calls that the engine gives back because a voice callback failed: how many of them in a day (UTC).
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { Count } from "../kit/Fields.ts"

/** `day` counts from 1970. */
export const Waived = Schema.Struct({ day: Schema.Int, calls: Count })
export type Waived = typeof Waived.Type

/** The reason of a refusal, once as many were given back as a day allows. */
export const waiverLimit = "waiver_limit"

const day_ms = 86_400_000
const dayOf = (at: number): number => Math.floor(at / day_ms)

/** How many were given back on the day of `now`. A clock that was set back does not begin the day again. */
export const waivedToday = (waived: Waived | undefined, now: number): number =>
  waived !== undefined && waived.day >= dayOf(now) ? waived.calls : 0

export const afterWaiver = (waived: Waived | undefined, now: number): Waived => ({
  day: Math.max(waived?.day ?? 0, dayOf(now)),
  calls: waivedToday(waived, now) + 1
})

/** Whether a credit gives the charge of a call back. An operator's credit of this kind does not count. */
export const isWaiver = ({ kind, origin }: { readonly kind: string; readonly origin: Origin }): boolean =>
  kind === "fee_waiver" && origin.actor.type === "system"
