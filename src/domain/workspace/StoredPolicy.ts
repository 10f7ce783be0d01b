// The calling policy of a workspace and its ceilings, as they are stored.
import { Schema } from "effect"
import type { CallingPolicyChange } from "../calls/policy/CallingPolicy.ts"
import type { PolicyCeilings } from "../calls/policy/PolicyCeilings.ts"
import { Count, Minor, optional, orNull } from "../kit/Fields.ts"

const texts = optional(Schema.Array(Schema.String))

/** Its limits are checked when it is set, and again by each call (`policyOf`). */
export const StoredPolicy = Schema.Struct({
  allowed_countries: texts,
  blocked_prefixes: texts,
  allow_high_risk: optional(Schema.Boolean),
  max_rate_per_min_minor: optional(orNull(Minor)),
  max_concurrent_calls: optional(Count),
  calls_per_second: optional(Count),
  daily_spend_limit_minor: optional(orNull(Minor)),
  max_calls_per_destination_per_hour: optional(orNull(Count)),
  max_calls_to_new_country: optional(orNull(Count)),
  max_calls_per_hour_on_first_day: optional(orNull(Count)),
  max_concurrent_high_risk_calls: optional(orNull(Count)),
  sip_allowlist: texts,
  allowed_caller_ids: texts
} satisfies Record<keyof CallingPolicyChange, Schema.Top>)

const ceiling = optional(orNull(Count))

/** Their limits are checked when they are set. */
export const StoredCeilings = Schema.Struct({
  daily_spend_limit_minor: ceiling,
  max_concurrent_calls: ceiling,
  calls_per_second: ceiling,
  max_calls_per_destination_per_hour: ceiling,
  max_calls_to_new_country: ceiling,
  max_calls_per_hour_on_first_day: ceiling,
  max_concurrent_high_risk_calls: ceiling
} satisfies Record<keyof PolicyCeilings, Schema.Top>)
