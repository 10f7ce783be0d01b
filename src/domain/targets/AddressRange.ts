// IP addresses and address ranges in CIDR notation (RFC 4632, RFC 4291).
import { parseIpv4, parseIpv6 } from "./AddressClass.ts"

interface Parsed {
  readonly value: bigint
  readonly bits: 32 | 128
}

/** Prefix of IPv4-mapped IPv6 addresses. They count as the IPv4 address. */
const mapped = 0xffffn

const parse = (address: string): Parsed | undefined => {
  const four = parseIpv4(address)
  if (four !== undefined) return { value: four, bits: 32 }
  const six = parseIpv6(address)
  if (six === undefined) return undefined
  return six >> 32n === mapped ? { value: six & 0xffff_ffffn, bits: 32 } : { value: six, bits: 128 }
}

const split = (range: string): { readonly base: Parsed; readonly shift: bigint } | undefined => {
  const [address = "", length, ...rest] = range.split("/")
  const base = parse(address)
  if (base === undefined || rest.length > 0) return undefined
  if (length === undefined) return { base, shift: 0n }
  if (!/^\d{1,3}$/.test(length) || Number(length) > base.bits) return undefined
  return { base, shift: BigInt(base.bits - Number(length)) }
}

/** Whether the text is an address, or a range whose bits after the prefix are zero. */
export const isAddressRange = (text: string): boolean => {
  const range = split(text)
  return range !== undefined && (range.base.value >> range.shift) << range.shift === range.base.value
}

/** The prefix length of a range, and the address length of its family. A single address is a range of one. */
export const prefixOf = (text: string): { readonly bits: 32 | 128; readonly length: number } | undefined => {
  const range = split(text)
  return range && { bits: range.base.bits, length: range.base.bits - Number(range.shift) }
}

/** Whether the address is in one of the ranges. Text that is no address is in none. */
export const isWithin = (ranges: ReadonlyArray<string>, address: string): boolean => {
  const inside = parse(address)
  return (
    inside !== undefined &&
    ranges.some((text) => {
      const range = split(text)
      return (
        range !== undefined &&
        range.base.bits === inside.bits &&
        inside.value >> range.shift === range.base.value >> range.shift
      )
    })
  )
}
