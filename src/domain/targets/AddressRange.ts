// IP addresses and address ranges in CIDR notation (RFC 4632, RFC 4291).
import { type AddressClass, classify, classifyRange, parseIpv4, parseIpv6 } from "./AddressClass.ts"

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

/** A range as numbers: `base` is one of its addresses, `shift` the number of bits after the prefix. */
export interface AddressRange {
  readonly bits: 32 | 128
  readonly base: bigint
  readonly shift: bigint
}

/** Reads an address or a range. Undefined: the text is neither. */
export const readRange = (range: string): AddressRange | undefined => {
  const [address = "", length, ...rest] = range.split("/")
  const base = parse(address)
  if (base === undefined || rest.length > 0) return undefined
  const { bits, value } = base
  if (length === undefined) return { bits, base: value, shift: 0n }
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined
  return { bits, base: value, shift: BigInt(bits - Number(length)) }
}

/** Whether the text is an address without a zone, or a range whose bits after the prefix are zero. */
export const isAddressRange = (text: string): boolean => {
  const range = text.includes("%") ? undefined : readRange(text)
  return range !== undefined && (range.base >> range.shift) << range.shift === range.base
}

/** The prefix length of a range, and the address length of its family. A single address is a range of one. */
export const prefixOf = (text: string): { readonly bits: 32 | 128; readonly length: number } | undefined => {
  const range = readRange(text)
  return range && { bits: range.bits, length: range.bits - Number(range.shift) }
}

/** Whether two ranges have an address in common. */
export const overlap = (one: AddressRange, other: AddressRange): boolean => {
  const shift = one.shift > other.shift ? one.shift : other.shift
  return one.bits === other.bits && one.base >> shift === other.base >> shift
}

/** The class of the least permitted address of a range. Text that is no range is special. */
export const classOfRange = (text: string): AddressClass => {
  const range = readRange(text)
  if (range === undefined) return "special"
  // An IPv4-mapped address is special as such, although it counts as its IPv4 address in comparisons.
  return range.shift === 0n || text.includes(":") === (range.bits === 32)
    ? classify(text.replace(/\/.*$/, ""))
    : classifyRange(range.bits, range.base, range.shift)
}

/** Whether the address is in one of the ranges. Text that is no address is in none. */
export const isWithin = (ranges: ReadonlyArray<string>, address: string): boolean => {
  const inside = address.includes("/") ? undefined : readRange(address)
  return (
    inside !== undefined &&
    ranges.some((text) => {
      const range = readRange(text)
      return range !== undefined && overlap(range, inside)
    })
  )
}
