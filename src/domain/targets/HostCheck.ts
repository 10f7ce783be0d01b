// Which hosts that a workspace names a PBX may send SIP to.
import { parseIpv4, parseIpv6 } from "./AddressClass.ts"
import { isAddressRange, isWithin } from "./AddressRange.ts"
import { mayConnect, type TargetPolicy } from "./TargetUrl.ts"

export type HostVerdict =
  | "allowed"
  /** It has no address. */
  | "unknown"
  /** One of its addresses is private or special, which the deployment does not allow. */
  | "not_public"
  /** It is a host of the platform or of another workspace. */
  | "of_others"

/** A host and the addresses that its name has. */
export interface ResolvedHost {
  readonly host: string
  readonly addresses: ReadonlyArray<string>
}

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "")

/** One forbidden address among allowed ones forbids the host: DNS may give the PBX any of them. */
export const judgeHost = (
  { addresses, host }: ResolvedHost,
  policy: TargetPolicy,
  /** Names, addresses and ranges of others. */
  others: ReadonlyArray<string>
): HostVerdict => {
  const names = new Set(others.filter((other) => !isAddressRange(other)).map(nameOf))
  const ranges = others.filter(isAddressRange)
  if (names.has(nameOf(host))) return "of_others"
  if (addresses.length === 0) return "unknown"
  if (!addresses.every((address) => mayConnect(address, policy))) return "not_public"
  return addresses.some((address) => isWithin(ranges, address)) ? "of_others" : "allowed"
}

export const isLiteral = (host: string): boolean => parseIpv4(host) !== undefined || parseIpv6(host) !== undefined

/** An entry of a service (RFC 2782). */
export interface ServiceEntry {
  readonly host: string
  readonly port: number
}
