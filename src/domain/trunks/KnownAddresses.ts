// The addresses of a trunk's peer that a block by UDP must not hit, because anybody can forge them (docs/asterisk.md).
import type { TrunkTarget } from "../pbx/TenantCommand.ts"
import { isAddressRange, prefixOf } from "../targets/AddressRange.ts"

/** A workspace may name ranges of others, so only so many single addresses of a trunk count. */
export const knownAddressesMax = 16

const isSingle = (range: string): boolean => {
  const prefix = isAddressRange(range) ? prefixOf(range) : undefined
  return prefix !== undefined && prefix.length === prefix.bits
}

/** The addresses of the host, and the single addresses from which it may call. Ranges do not count. */
export const knownAddresses = ({
  addresses = [],
  allowed_ips,
  host
}: Pick<TrunkTarget, "addresses" | "allowed_ips" | "host">): ReadonlyArray<string> =>
  [host, ...addresses, ...allowed_ips].filter(isSingle).slice(0, knownAddressesMax)
