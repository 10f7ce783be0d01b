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
  /** The verdict on each range. */
  readonly ranges: ReadonlyArray<HostVerdict>
}

export const isLiteral = (host: string): boolean => parseIpv4(host) !== undefined || parseIpv6(host) !== undefined

/** Case and a final dot do not matter in names (RFC 4343). */
export const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "")

/** Names and ranges apart. */
interface Sorted {
  readonly names: ReadonlySet<string>
  readonly ranges: ReadonlyArray<AddressRange>
}

const sorted = (hosts: ReadonlyArray<string>): Sorted => {
  const names = new Set<string>()
  const ranges: Array<AddressRange> = []
  for (const host of hosts) {
    const range = readRange(host)
    if (range === undefined) names.add(nameOf(host))
    else ranges.push(range)
  }
  return { names, ranges }
}

interface Trunk {
  readonly name: string
  /** Whether the far end knows the PBX by its address: who makes the PBX call it, calls on the account of the trunk. */
  readonly is_known_by_address: boolean
  /** The addresses of its host. */
  readonly hosts: ReadonlyArray<AddressRange>
  /** From where its calls come, if not from its host. */
  readonly allowed: ReadonlyArray<AddressRange>
}

const trunkOf = ({ addresses, allowed_ips, auth_mode, host }: TrunkPlace): Trunk => ({
  name: nameOf(host),
  is_known_by_address: auth_mode === "ip" || auth_mode === "signaling",
  hosts: sorted([host, ...addresses]).ranges,
  allowed: sorted(allowed_ips).ranges
})

interface Known {
  readonly platform: Sorted
  readonly own: Sorted
  readonly others: ReadonlyArray<Trunk>
}

const meets = (range: AddressRange, hosts: ReadonlyArray<AddressRange>): boolean =>
  hosts.some((each) => overlap(each, range))

const judgeHost = ({ addresses, host }: SipTarget, known: Known, policy: TargetPolicy): HostVerdict => {
  const name = nameOf(host)
  const { own, platform } = known
  if (platform.names.has(name)) return "of_platform"
  const others = known.others.filter(
    (trunk) => trunk.is_known_by_address && !(trunk.name === name && own.names.has(name))
  )
  if (!isLiteral(host) && others.some((trunk) => trunk.name === name)) return "of_others"
  // Where private hosts are allowed, the PBX may know a name that has no address here.
  if (addresses.length === 0) return policy.allow_private ? "allowed" : "unknown"
  if (!addresses.every((address) => mayConnect(address, policy))) return "not_public"
  const found = sorted(addresses).ranges
  if (found.some((range) => meets(range, platform.ranges))) return "of_platform"
  return found
    .filter((range) => !meets(range, own.ranges))
    .some((range) => others.some(({ allowed, hosts }) => meets(range, hosts) || meets(range, allowed)))
    ? "of_others"
    : "allowed"
}

/** Whether all of the range stands in one of the others. */
const isCovered = (range: AddressRange, by: ReadonlyArray<AddressRange>): boolean =>
  by.some((each) => each.shift >= range.shift && overlap(each, range))

const judgeRange = (text: string, { others, own, platform }: Known, { allow_private }: TargetPolicy): HostVerdict => {
  const range = readRange(text)
  if (range === undefined) return "unknown"
  const of = classOfRange(text)
  if (of === "special" || (of === "private" && !allow_private)) return "not_public"
  if (meets(range, platform.ranges)) return "of_platform"
  if (isCovered(range, own.ranges)) return "allowed"
  return others.some(
    ({ allowed, hosts, is_known_by_address }) =>
      meets(range, allowed) || ((is_known_by_address || allowed.length === 0) && meets(range, hosts))
  )
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
export const judgeTarget = (target: SipTarget, hosts: KnownHosts, policy: TargetPolicy): TargetVerdict => {
  const known = { platform: sorted(hosts.platform), own: sorted(hosts.own), others: hosts.others.map(trunkOf) }
  return {
    host: judgeHost(target, known, policy),
    ranges: (target.ranges ?? []).map((range) => judgeRange(range, known, policy))
  }
}

/** An entry of a service (RFC 2782). */
export interface ServiceEntry {
  readonly host: string
  readonly port: number
}
