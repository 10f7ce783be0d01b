// Limits on a workspace's calls: destinations, number, speed and cost. They contain the damage of a stolen key or of a
// faulty script (docs/calling-policy.md).
import { Schema, Struct } from "effect"
import { e164 } from "../../numbers/E164.ts"
import { IsoInstant, orNull } from "../../kit/Fields.ts"
import { instantOrNull } from "../../kit/Instants.ts"
import { amount_minor_max } from "../../wallet/WalletCommand.ts"

const Count = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Amount = Count(0, amount_minor_max)
const List = <S extends Schema.Top>(row: S, max: number) => Schema.Array(row).check(Schema.isMaxLength(max))
const Matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

/** A host name, or `*.` and a domain for all names under it. */
const SipHost = Schema.String.check(
  Schema.isMaxLength(253),
  Schema.isPattern(/^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
)

export const CallingPolicy = Schema.Struct({
  allowed_countries: List(Matching(/^[A-Z]{2}$/), 300).annotate({
    description: "ISO 3166-1 alpha-2 codes. Calls to other countries are refused."
  }),
  blocked_prefixes: List(Matching(/^[0-9]{1,15}$/), 500).annotate({
    description: "Digits, country code first. Calls to numbers that begin with them are refused."
  }),
  allow_high_risk: Schema.Boolean.annotate({
    description: "Whether destinations of class high_risk or premium may be called."
  }),
  max_rate_per_min_minor: Schema.NullOr(Amount).annotate({
    description: "Calls to destinations that cost more per minute are refused; null: no limit."
  }),
  max_concurrent_calls: Count(0, 1_000_000).annotate({
    description: "Maximum number of concurrent legs."
  }),
  calls_per_second: Count(1, 1_000_000).annotate({
    description: "Maximum number of legs placed per second; twice as many in a burst."
  }),
  daily_spend_limit_minor: Schema.NullOr(Amount).annotate({
    description: "What today's calls (UTC) may cost, with the money held for current ones; null: no limit."
  }),
  max_calls_per_destination_per_hour: Schema.NullOr(Count(0, 1_000)).annotate({
    description: "Maximum number of calls to one number per hour; null: no limit."
  }),
  max_calls_to_new_country: Schema.NullOr(Count(0, 1_000_000)).annotate({
    description:
      "Maximum number of calls to a country in the hour after the first call there; null: no limit. The country of the calling number does not count."
  }),
  max_calls_per_hour_on_first_day: Schema.NullOr(Count(0, 1_000_000)).annotate({
    description: "Maximum number of calls per hour in the 24 hours after the first call; null: no limit."
  }),
  max_concurrent_high_risk_calls: Schema.NullOr(Count(0, 1_000_000)).annotate({
    description: "Maximum number of concurrent calls to destinations of class high_risk or premium; null: no limit."
  }),
  sip_allowlist: List(SipHost, 100).annotate({
    description: "Hosts that `dial` may call by SIP: `sip.example.com`, or `*.example.com` for all names under it."
  }),
  allowed_caller_ids: List(Matching(e164), 100).annotate({
    description: "Numbers in E.164 that calls may show as caller ID, in addition to the workspace's own."
  })
})
export type CallingPolicy = typeof CallingPolicy.Type

const UnprovedCallerId = Schema.Struct({
  number: Schema.String,
  shown_until: orNull(IsoInstant).annotate({
    description:
      "Until when calls show it; `null`: not at all, because the platform or another workspace has the number."
  })
}).annotate({ identifier: "UnprovedCallerId" })

/** The policy as the API shows it. */
export const CallingPolicyRecord = CallingPolicy.mapFields(
  Struct.assign({
    unproved_caller_ids: Schema.optionalKey(Schema.Array(UnprovedCallerId)).annotate({
      description: "Entries of `allowed_caller_ids` without a proof. Absent: there are none."
    })
  })
).annotate({ identifier: "CallingPolicy" })
export type CallingPolicyRecord = typeof CallingPolicyRecord.Type

/** A change of the policy. Absent members stay as they are. */
export const CallingPolicyChange = CallingPolicy.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "CallingPolicyChange"
})
export type CallingPolicyChange = typeof CallingPolicyChange.Type

/**
 * What applies to members that are not stored. It allows the countries whose currencies are supported. New workspaces
 * get further limits (`policyOfNewWorkspace`).
 */
export const default_policy: CallingPolicy = {
  allowed_countries: ["KE", "UG", "TZ", "RW", "ZA", "GH", "NG"],
  blocked_prefixes: [],
  allow_high_risk: false,
  max_rate_per_min_minor: null,
  max_concurrent_calls: 10,
  calls_per_second: 2,
  daily_spend_limit_minor: null,
  max_calls_per_destination_per_hour: 30,
  max_calls_to_new_country: null,
  max_calls_per_hour_on_first_day: null,
  max_concurrent_high_risk_calls: null,
  sip_allowlist: [],
  allowed_caller_ids: []
}

const decodeStored = Schema.decodeUnknownSync(CallingPolicyChange)

/**
 * The stored policy, with defaults for absent members. Throws if it is not valid: no call may be placed under a policy
 * that cannot be read.
 */
export const policyOf = (stored: unknown): CallingPolicy => ({ ...default_policy, ...decodeStored(stored) })

/** Whether a host may be called by SIP. Case does not matter in names (RFC 4343). */
export const allowsSipHost = ({ sip_allowlist }: CallingPolicy, host: string): boolean => {
  const name = host.toLowerCase()
  return sip_allowlist.some((allowed) =>
    allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === allowed
  )
}

/** From this instant on, numbers of `allowed_caller_ids` that were not proved are not shown. Epoch milliseconds. */
export const unprovedShownUntil = Date.UTC(2027, 2, 1)

/** Whether calls may show a number of others that nobody has proved. Such entries are older than the proofs. */
export const allowsUnproved = ({ allowed_caller_ids }: CallingPolicy, e164: string, now: number): boolean =>
  now < unprovedShownUntil && allowed_caller_ids.includes(e164)

/** `is_of_platform`: the platform or another workspace has the number. */
export const unprovedCallerId = (number: string, is_of_platform: boolean): typeof UnprovedCallerId.Type => ({
  number,
  shown_until: instantOrNull(is_of_platform ? null : unprovedShownUntil)
})
