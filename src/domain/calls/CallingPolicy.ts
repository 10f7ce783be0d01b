// Where a workspace's calls may go, and how many at once: what keeps a stolen key, or a script gone wrong, from calling
// the expensive ends of the world (docs/calls.md).
import { Schema, Struct } from "effect"

export const CallingPolicy = Schema.Struct({
  allowed_countries: Schema.Array(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))).annotate({
    description: "ISO 3166-1 alpha-2. No other country is called."
  }),
  blocked_prefixes: Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9]{1,15}$/))).annotate({
    description: "Digits, country code first. No number that begins with them is called."
  }),
  allow_high_risk: Schema.Boolean.annotate({
    description: "Whether destinations may be called whose rate is of the class high_risk or premium."
  }),
  max_rate_per_min_minor: Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).annotate({
    description: "No dearer destination is called; null: whatever it costs."
  }),
  max_concurrent_calls: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "How many calls may be under way at once. Each leg counts."
  })
}).annotate({ identifier: "CallingPolicy" })
export type CallingPolicy = typeof CallingPolicy.Type

/** The countries whose currencies a workspace can have. */
export const default_policy: CallingPolicy = {
  allowed_countries: ["KE", "UG", "TZ", "RW", "ZA", "GH", "NG"],
  blocked_prefixes: [],
  allow_high_risk: false,
  max_rate_per_min_minor: null,
  max_concurrent_calls: 10
}

const decodeStored = Schema.decodeUnknownSync(CallingPolicy.mapFields(Struct.map(Schema.optionalKey)))

/** What is stored of a policy over the defaults. Throws on what is none: nobody calls under a rule that nobody can read. */
export const policyOf = (stored: unknown): CallingPolicy => ({ ...default_policy, ...decodeStored(stored) })
