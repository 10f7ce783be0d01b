// Who asks, where proxies stand before the engine: they say in X-Forwarded-For for whom they ask, each behind the one before.
import { isAddressRange, isWithin } from "../targets/AddressRange.ts"

/**
 * The nearest address that is no proxy of ours, seen from here: what stands before it is hearsay, for anybody can send the
 * header. `peer` is who is connected; `trusted` are addresses and CIDR ranges of proxies.
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
