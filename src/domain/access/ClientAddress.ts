// The address of a client behind proxies. Each proxy appends the address of its peer to X-Forwarded-For.
import { isAddressRange, isWithin } from "../targets/AddressRange.ts"

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
