// What the judgement of a trunk's hosts means: which fields are refused, and why the trunk may not be on the PBX.
import type { Detail } from "../errors/Failure.ts"
import type { HostVerdict, SipTarget, TargetVerdict } from "../targets/HostCheck.ts"
import type { TrunkDefinition } from "./TrunkRecord.ts"

/** What a trunk names. */
export const targetOf = ({
  allowed_ips,
  host
}: Pick<TrunkDefinition, "allowed_ips" | "host">): Omit<SipTarget, "addresses"> => ({
  host,
  ranges: allowed_ips
})

interface Fault {
  readonly code: string
  readonly message: string
}

const hostFaults: { readonly [V in HostVerdict]?: Fault } = {
  not_public: { code: "private_address", message: "Has an address that is not public." },
  of_platform: { code: "host_of_platform", message: "Is a host of the platform, of its carriers or of its providers." },
  of_others: { code: "host_of_others", message: "Is in use by a trunk that is known by its address." }
}

const rangeFaults: { readonly [V in HostVerdict]?: Fault } = {
  not_public: { code: "private_address", message: "Not a public address." },
  of_platform: {
    code: "range_of_platform",
    message: "Has an address of the platform, of its carriers or of its providers."
  },
  of_others: { code: "range_of_others", message: "Has an address that is in use by another trunk." }
}

/**
 * The faults of a trunk, by field; none if it may be on the PBX. A name without an address is no fault: it may get one.
 */
export const placeFaults = (
  { auth_mode }: Pick<TrunkDefinition, "auth_mode">,
  { host, ranges }: TargetVerdict
): ReadonlyArray<Detail> => {
  const found = hostFaults[host]
  const field = auth_mode === "registration" ? "/registrar" : "/host"
  return [
    ...(found === undefined ? [] : [{ field, ...found }]),
    ...ranges.flatMap((verdict, index) => {
      const fault = rangeFaults[verdict]
      return fault === undefined ? [] : [{ field: `/allowed_ips/${index}`, ...fault }]
    })
  ]
}
