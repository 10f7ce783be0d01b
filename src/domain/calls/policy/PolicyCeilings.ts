// How far the admins of a workspace may raise the limits of its own calling policy. Only an operator changes these
// ceilings (docs/calling-policy.md): whoever takes an account over is its admin, too.
import { Schema, Struct } from "effect"
import { keysOf } from "../../KeysOf.ts"
import { amount_minor_max } from "../../wallet/WalletCommand.ts"
import type { CallingPolicy, CallingPolicyChange } from "./CallingPolicy.ts"

const ceiling = (minimum: number, maximum: number) =>
  Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** The highest value of each limit; null: no ceiling. A policy without that limit is above any ceiling. */
export const PolicyCeilings = Schema.Struct({
  daily_spend_limit_minor: ceiling(0, amount_minor_max),
  max_concurrent_calls: ceiling(0, 1_000_000),
  calls_per_second: ceiling(1, 1_000_000),
  max_calls_per_destination_per_hour: ceiling(0, 1_000),
  max_calls_to_new_country: ceiling(0, 1_000_000),
  max_calls_per_hour_on_first_day: ceiling(0, 1_000_000),
  max_concurrent_high_risk_calls: ceiling(0, 1_000_000)
})
export type PolicyCeilings = typeof PolicyCeilings.Type
type Member = keyof PolicyCeilings

/** A change of the ceilings, or those that are stored. Absent members stay as they are: at first without ceiling. */
export const PolicyCeilingsChange = PolicyCeilings.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "PolicyCeilings"
})
export type PolicyCeilingsChange = typeof PolicyCeilingsChange.Type

const members = keysOf(PolicyCeilings.fields)

const none: PolicyCeilings = {
  daily_spend_limit_minor: null,
  max_concurrent_calls: null,
  calls_per_second: null,
  max_calls_per_destination_per_hour: null,
  max_calls_to_new_country: null,
  max_calls_per_hour_on_first_day: null,
  max_concurrent_high_risk_calls: null
}

/** All ceilings, of those that are stored. */
export const ceilingsOf = (stored: PolicyCeilingsChange): PolicyCeilings => ({ ...none, ...stored })

/** Those that a new workspace begins with: no more money a day than at first, and a few times as many calls. */
export const ceilingsOfNewWorkspace = ({ daily_spend_limit_minor }: CallingPolicy): PolicyCeilings => ({
  daily_spend_limit_minor,
  max_concurrent_calls: 20,
  calls_per_second: 5,
  max_calls_per_destination_per_hour: 60,
  max_calls_to_new_country: 20,
  max_calls_per_hour_on_first_day: 300,
  max_concurrent_high_risk_calls: 2
})

interface Beyond {
  readonly member: Member
  readonly ceiling: number
}

/** The limits of a change that are above their ceilings. */
export const beyondCeilings = (ceilings: PolicyCeilingsChange, change: CallingPolicyChange): ReadonlyArray<Beyond> =>
  members.flatMap((member) => {
    const { [member]: ceiling = null } = ceilings
    const { [member]: asked } = change
    if (ceiling === null || asked === undefined) return []
    return asked === null || asked > ceiling ? [{ member, ceiling }] : []
  })

/** What changes in a policy so that it keeps to the ceilings. */
export const withinCeilings = (ceilings: PolicyCeilingsChange, policy: CallingPolicy): CallingPolicyChange =>
  Object.fromEntries(beyondCeilings(ceilings, policy).map(({ ceiling, member }) => [member, ceiling]))
