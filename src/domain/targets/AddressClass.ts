// Classifies IP addresses, to decide which ones the engine may connect to on behalf of a customer (RFC 6890; IANA's
// registries of special-purpose addresses). An address is public only if it is known to be.

/** `private`: loopback and private use, allowed in development only. `special`: never allowed. */
export type AddressClass = "public" | "private" | "special"

interface Range {
  readonly base: bigint
  readonly shift: bigint
}

const groups = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(":"))

/**
 * A dotted quad as a number; undefined if the text is anything else. Numbers with leading zeros are refused: some
 * resolvers read them as octal, so that they would mean another address there.
 */
export const parseIpv4 = (text: string): bigint | undefined => {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined
  const bytes = text.split(".").map(Number)
  return bytes.some((byte) => byte > 255) ? undefined : BigInt(bytes.reduce((sum, byte) => sum * 256 + byte, 0))
}

/** An IPv6 address (RFC 4291, section 2.2) as a number. A zone id is ignored. */
export const parseIpv6 = (text: string): bigint | undefined => {
  let [address = ""] = text.split("%", 1)
  const quad = /[\d.]+$/.exec(address)?.[0] ?? ""
  if (quad.includes(".")) {
    const v4 = parseIpv4(quad)
    if (v4 === undefined) return undefined
    address = `${address.slice(0, -quad.length)}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`
  }
  const halves = address.split("::")
  const left = groups(halves[0] ?? "")
  const right = groups(halves[1] ?? "")
  const missing = 8 - left.length - right.length
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined
  const all = [...left, ...Array.from({ length: missing }, () => "0"), ...right]
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

const rangeOf =
  (bits: bigint, parse: (text: string) => bigint | undefined) =>
  (cidr: string): Range => {
    const [text = "", length = ""] = cidr.split("/")
    const address = parse(text)
    if (address === undefined) throw new Error(`${cidr} is no range of addresses.`)
    const shift = bits - BigInt(length)
    return { base: address >> shift, shift }
  }
const v4 = rangeOf(32n, parseIpv4)
const v6 = rangeOf(128n, parseIpv6)
const within = (ranges: ReadonlyArray<Range>, address: bigint): boolean =>
  ranges.some(({ base, shift }) => address >> shift === base)

const privateV4 = ["10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map(v4)
const privateV6 = ["::1/128", "fc00::/7"].map(v6)

const specialV4 = [
  "0.0.0.0/8", // this network
  "100.64.0.0/10", // carrier-grade NAT; metadata service of one cloud
  "168.63.129.16/32", // metadata service of another cloud
  "169.254.0.0/16", // link local; metadata service of most clouds
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4" // reserved, broadcast
].map(v4)

/** Global unicast. Everything else (IPv4-mapped, NAT64, link local, multicast, discard, …) is special. */
const globalV6 = [v6("2000::/3")]
const specialV6 = [
  "2001::/23", // protocol assignments: Teredo, ORCHID …
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: contains an IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20" // documentation
].map(v6)
/** Metadata services in ranges of private use. */
const metadataV6 = ["fd00:ec2::254/128", "fd20:ce::254/128"].map(v6)

/** The class of a literal address, as a socket or a URL writes it, without brackets. */
export const classify = (address: string): AddressClass => {
  const four = parseIpv4(address)
  if (four !== undefined) return within(privateV4, four) ? "private" : within(specialV4, four) ? "special" : "public"
  const six = parseIpv6(address)
  if (six === undefined || within(metadataV6, six)) return "special"
  if (within(privateV6, six)) return "private"
  return within(globalV6, six) && !within(specialV6, six) ? "public" : "special"
}

const touches = (ranges: ReadonlyArray<Range>, base: bigint, shift: bigint): boolean =>
  ranges.some((range) => {
    const coarser = range.shift > shift ? range.shift : shift
    return base >> coarser === (range.base << range.shift) >> coarser
  })

/**
 * The class of a range: that of its least permitted address. `base` is an address of the range as a number, `shift` the
 * number of bits after the prefix.
 */
export const classifyRange = (bits: 32 | 128, base: bigint, shift: bigint): AddressClass => {
  const isOfFour = bits === 32
  if (touches(isOfFour ? specialV4 : [...specialV6, ...metadataV6], base, shift)) return "special"
  if (touches(isOfFour ? privateV4 : privateV6, base, shift)) return "private"
  return isOfFour || globalV6.some((range) => range.shift >= shift && base >> range.shift === range.base)
    ? "public"
    : "special"
}
