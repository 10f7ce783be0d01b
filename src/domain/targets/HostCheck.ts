// Where a PBX may send SIP for a workspace, and from where a workspace's trunk may take calls: the rule for everything
// by which a workspace names a host.
import { parseIpv4, parseIpv6 } from "./AddressClass.ts"
import { type AddressRange, classOfRange, overlap, readRange } from "./AddressRange.ts"
import { mayConnect, type TargetPolicy } from "./TargetUrl.ts"

export type HostVerdict =
  | "allowed"
  /** It has no address. */
  | "unknown"
  /** One of its addresses is private or special, which the deployment does not allow. */
  | "not_public"
  /** It belongs to the platform: a carrier, the PBX or a number provider. */
  | "of_platform"
  /** It belongs to another workspace's trunk that is known by its address. */
  | "of_others"

/** What a workspace names. */
export interface SipTarget {
  /** A name or an address. */
  readonly host: string
  /** The addresses that the name has now, or the address itself. */
  readonly addresses: ReadonlyArray<string>
  /** Addresses and ranges from which the workspace wants to take calls. */
  readonly ranges?: ReadonlyArray<string>
}

/** Where a trunk that carries calls is reached, and from where its calls come. */
export interface TrunkPlace {
  readonly auth_mode: string
  readonly host: string
  readonly addresses: ReadonlyArray<string>
  readonly allowed_ips: ReadonlyArray<string>
}

/** Whose hosts there are. A host is a name, an address or a range. */
export interface KnownHosts {
  /** Carriers, the PBX and number providers, and what their names mean now. */
  readonly platform: ReadonlyArray<string>
  /** Trunks of other workspaces. */
  readonly others: ReadonlyArray<TrunkPlace>
  /** The hosts that the workspace has had so far: of its allowlist and of its own trunk. */
  readonly own: ReadonlyArray<string>
}

export interface TargetVerdict {
  readonly host: HostVerdict
  /** Of each range. */
  readonly ranges: ReadonlyArray<HostVerdict>
}

export const isLiteral = (host: string): boolean => parseIpv4(host) !== undefined || parseIpv6(host) !== undefined

/** Case and a final dot do not matter in names (RFC 4343). */
export const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "")

/** Names and ranges apart. */
const sorted = (hosts: ReadonlyArray<string>) => {
  const names = new Set<string>()
  const ranges: Array<AddressRange> = []
  for (const host of hosts) {
    const range = readRange(host)
    if (range === undefined) names.add(nameOf(host))
    else ranges.push(range)
  }
  return { names, ranges }
}

const rangesOf = (hosts: ReadonlyArray<string>): ReadonlyArray<AddressRange> => sorted(hosts).ranges

/** Whether the far end knows the PBX by its address: who makes the PBX call it, calls on the account of the trunk. */
const isKnownByAddress = ({ auth_mode }: TrunkPlace): boolean => auth_mode === "ip" || auth_mode === "signaling"

/** From where the PBX takes calls for the trunk. */
const sourcesOf = ({ addresses, allowed_ips, host }: TrunkPlace): ReadonlyArray<AddressRange> =>
  rangesOf(allowed_ips.length > 0 ? allowed_ips : [host, ...addresses])

const judgeHost = ({ addresses, host }: SipTarget, known: KnownHosts, policy: TargetPolicy): HostVerdict => {
  const name = nameOf(host)
  const platform = sorted(known.platform)
  const own = sorted(known.own)
  const others = known.others.filter(isKnownByAddress)
  if (platform.names.has(name)) return "of_platform"
  const foreign = others.filter((trunk) => !(own.names.has(name) && nameOf(trunk.host) === name))
  if (foreign.some((trunk) => nameOf(trunk.host) === name && !isLiteral(host))) return "of_others"
  // Where private hosts are allowed, the PBX may know a name that has no address here.
  if (addresses.length === 0) return policy.allow_private ? "allowed" : "unknown"
  if (!addresses.every((address) => mayConnect(address, policy))) return "not_public"
  const found = rangesOf(addresses)
  const meets = (range: AddressRange, hosts: ReadonlyArray<AddressRange>) => hosts.some((each) => overlap(each, range))
  if (found.some((range) => meets(range, platform.ranges))) return "of_platform"
  const new_to_own = found.filter((range) => !meets(range, own.ranges))
  return foreign.some((trunk) => {
    const places = rangesOf([trunk.host, ...trunk.addresses, ...trunk.allowed_ips])
    return new_to_own.some((range) => meets(range, places))
  })
    ? "of_others"
    : "allowed"
}

/** Whether all of the range stands in one of the others. */
const isCovered = (range: AddressRange, by: ReadonlyArray<AddressRange>): boolean =>
  by.some((each) => each.shift >= range.shift && overlap(each, range))

const judgeRange = (text: string, known: KnownHosts, { allow_private }: TargetPolicy): HostVerdict => {
  const range = readRange(text)
  if (range === undefined) return "unknown"
  const of = classOfRange(text)
  if (of === "special" || (of === "private" && !allow_private)) return "not_public"
  if (rangesOf(known.platform).some((each) => overlap(each, range))) return "of_platform"
  if (isCovered(range, rangesOf(known.own))) return "allowed"
  return known.others.some((trunk) => {
    const places = isKnownByAddress(trunk) ? rangesOf([trunk.host, ...trunk.addresses, ...trunk.allowed_ips]) : []
    return [...sourcesOf(trunk), ...places].some((each) => overlap(each, range))
  })
    ? "of_others"
    : "allowed"
}

/**
 * Judges what a workspace names, in the order of the verdicts' severity for the platform. One forbidden address among
 * allowed ones forbids the host: DNS may give the PBX any of them.
 *
 * A host of others is one of a trunk that is known by its address (modes `ip` and `signaling`), by name or by address.
 * A range is of others where it meets any other trunk's: the PBX tells trunks apart by the address of a call. What the
 * workspace had before stays its own.
 */
export const judgeTarget = (target: SipTarget, known: KnownHosts, policy: TargetPolicy): TargetVerdict => ({
  host: judgeHost(target, known, policy),
  ranges: (target.ranges ?? []).map((range) => judgeRange(range, known, policy))
})

/** An entry of a service (RFC 2782). */
export interface ServiceEntry {
  readonly host: string
  readonly port: number
}
