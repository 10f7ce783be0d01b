// Where a workspace's calls may go, how many, how fast and at what cost: what keeps a stolen key, or a script gone
// wrong, from calling the expensive ends of the world (docs/calling-policy.md).
import { Schema, Struct } from "effect"
import { amount_minor_max } from "../wallet/WalletCommand.ts"

const Count = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Amount = Count(0, amount_minor_max)
const List = <S extends Schema.Top>(row: S, max: number) => Schema.Array(row).check(Schema.isMaxLength(max))
const Matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

/** A host name, or all names under one. */
const SipHost = Schema.String.check(
  Schema.isMaxLength(253),
  Schema.isPattern(/^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
)

export const CallingPolicy = Schema.Struct({
  allowed_countries: List(Matching(/^[A-Z]{2}$/), 300).annotate({
    description: "ISO 3166-1 alpha-2. No other country is called."
  }),
  blocked_prefixes: List(Matching(/^[0-9]{1,15}$/), 500).annotate({
    description: "Digits, country code first. No number that begins with them is called."
  }),
  allow_high_risk: Schema.Boolean.annotate({
    description: "Whether destinations may be called whose rate is of the class high_risk or premium."
  }),
  max_rate_per_min_minor: Schema.NullOr(Amount).annotate({
    description: "No dearer destination is called; null: whatever it costs."
  }),
  max_concurrent_calls: Count(0, 1_000_000).annotate({
    description: "How many calls may be under way at once. Each leg counts."
  }),
  calls_per_second: Count(1, 1_000_000).annotate({
    description: "How many calls may be placed in a second, each leg counted; twice as many in one burst."
  }),
  daily_spend_limit_minor: Schema.NullOr(Amount).annotate({
    description:
      "No call is placed when what calls have cost today (UTC) and what is held for others would exceed it; null: no limit."
  }),
  max_calls_per_destination_per_hour: Schema.NullOr(Count(0, 1_000)).annotate({
    description: "How often one number may be called within an hour; null: no limit."
  }),
  sip_allowlist: List(SipHost, 100).annotate({
    description:
      "Hosts that `dial` may reach by SIP, in lower case: `sip.example.com`, or `*.example.com` for all names under it."
  }),
  allowed_caller_ids: List(Matching(/^\+[1-9][0-9]{6,14}$/), 100).annotate({
    description: "Numbers, E.164, that calls may show as their caller beside the workspace's own."
  })
}).annotate({ identifier: "CallingPolicy" })
export type CallingPolicy = typeof CallingPolicy.Type

/** What is to be different; members that are absent stay as they are. */
export const CallingPolicyChange = CallingPolicy.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "CallingPolicyChange"
})
export type CallingPolicyChange = typeof CallingPolicyChange.Type

/** The countries are those whose currencies a workspace can have. */
export const default_policy: CallingPolicy = {
  allowed_countries: ["KE", "UG", "TZ", "RW", "ZA", "GH", "NG"],
  blocked_prefixes: [],
  allow_high_risk: false,
  max_rate_per_min_minor: null,
  max_concurrent_calls: 10,
  calls_per_second: 2,
  daily_spend_limit_minor: null,
  max_calls_per_destination_per_hour: 30,
  sip_allowlist: [],
  allowed_caller_ids: []
}

const decodeStored = Schema.decodeUnknownSync(CallingPolicyChange)

/**
 * What is stored of a policy over the defaults. Throws on what is none: nobody calls under a rule that nobody can read.
 */
export const policyOf = (stored: unknown): CallingPolicy => ({ ...default_policy, ...decodeStored(stored) })

/** Whether a host may be reached by SIP. Names are compared without regard to case (RFC 4343). */
export const allowsSipHost = ({ sip_allowlist }: CallingPolicy, host: string): boolean => {
  const name = host.toLowerCase()
  return sip_allowlist.some((allowed) =>
    allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === allowed
  )
}

/** Whether calls may show a number that is not the workspace's own. */
export const allowsCallerId = ({ allowed_caller_ids }: CallingPolicy, e164: string): boolean =>
  allowed_caller_ids.includes(e164)
