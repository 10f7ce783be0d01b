// The address of a client behind proxies. Each proxy appends the address of its peer to X-Forwarded-For.
import { parseIpv6 } from "../targets/AddressClass.ts"
import { isAddressRange, isWithin } from "../targets/AddressRange.ts"

/** The bits of an IPv6 address that name a network. The rest is the host's own choice (RFC 4291, section 2.5.4). */
const network_bits = 64n

/**
 * What counts as one client for a rate limit: an IPv4 address, or an IPv6 network, because each host has the whole of
 * one to choose its addresses from. Text that is no address stays as it is.
 */
export const clientNetwork = (address: string): string => {
  const six = parseIpv6(address)
  if (six === undefined) return address
  if (six >> 32n === 0xffffn) return formatIpv4(six & 0xffff_ffffn)
  return `${(six >> network_bits).toString(16).padStart(16, "0")}/64`
}

const formatIpv4 = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".")

/**
 * The last address in the chain that is not one of our proxies. Addresses before it are not trustworthy, because a
 * client can send the header itself. `peer` is the address of the connection; `trusted` are addresses and CIDR ranges
 * of proxies.
 */
export const clientAddress = (
  peer: string,
  forwarded_for: string | undefined,
  trusted: ReadonlyArray<string>
): string => {
  if (forwarded_for === undefined || !isWithin(trusted, peer)) return peer
  let nearest = peer
  for (const hop of forwarded_for.split(",").reverse()) {
    const address = hop.trim()
    if (address.includes("/") || !isAddressRange(address)) return nearest
    nearest = address
    if (!isWithin(trusted, address)) return nearest
  }
  return nearest
}
