// Which hosts that a workspace names a PBX may send SIP to, and from which ranges its trunk may take calls.
import { describe, expect, it } from "@effect/vitest"
import {
  type HostVerdict,
  judgeTarget,
  type KnownHosts,
  type SipTarget,
  type TrunkPlace
} from "../../../src/domain/targets/HostCheck.ts"
import { bytesOf, Choices } from "../../properties/model/Choices.ts"

const strict = { allow_insecure: false, allow_private: false }
const lenient = { allow_insecure: true, allow_private: true }
const nobody: KnownHosts = { platform: [], others: [], own: [] }
const platform = ["Carrier.example", "203.0.114.0/28", "8.8.4.4", "2620:fe::/48"]

const judgeHost = (host: string, addresses: ReadonlyArray<string>, known: Partial<KnownHosts>, policy = strict) =>
  judgeTarget({ host, addresses }, { ...nobody, ...known }, policy).host
const judgeRange = (range: string, known: Partial<KnownHosts>, policy = strict) =>
  judgeTarget({ host: "sip.example.com", addresses: ["1.1.1.1"], ranges: [range] }, { ...nobody, ...known }, policy)
    .ranges[0]

const trunk = (auth_mode: string, host: string, change: Partial<TrunkPlace> = {}): TrunkPlace => ({
  auth_mode,
  host,
  addresses: [],
  allowed_ips: [],
  ...change
})
/** Another workspace's trunk at two addresses, whose calls come from a range. */
const theirs = (auth_mode: string) => [
  trunk(auth_mode, "PBX.theirs.example", {
    addresses: ["9.9.9.9", "2620:0FE::0:9"],
    allowed_ips: auth_mode === "ip" || auth_mode === "signaling" ? ["149.112.112.0/24"] : []
  })
]

describe("a host", () => {
  it.each<[string, ReadonlyArray<string>, HostVerdict]>([
    ["sip.example.com", ["8.8.8.8"], "allowed"],
    ["sip.example.com", ["8.8.8.8", "2606:4700::1"], "allowed"],
    ["sip.example.com", [], "unknown"],
    ["carrier.example", ["8.8.8.8"], "of_platform"],
    ["CARRIER.example.", ["8.8.8.8"], "of_platform"],
    ["carrier.example", [], "of_platform"],
    ["alias.example.com", ["8.8.4.4"], "of_platform"],
    ["8.8.4.4", ["8.8.4.4"], "of_platform"],
    ["alias.example.com", ["203.0.114.3"], "of_platform"],
    ["alias.example.com", ["2620:fe::9"], "of_platform"],
    ["alias.example.com", ["2620:00FE:0:0::0.0.0.9"], "of_platform"],
    ["alias.example.com", ["::ffff:8.8.4.4"], "not_public"],
    ["mixed.example.com", ["8.8.8.8", "8.8.4.4"], "of_platform"],
    ["rebind.example.com", ["8.8.8.8", "127.0.0.1"], "not_public"],
    ["internal.example.com", ["10.0.0.5"], "not_public"],
    ["metadata.example.com", ["169.254.169.254"], "not_public"],
    ["127.0.0.1", ["127.0.0.1"], "not_public"],
    ["octal.example.com", ["010.8.4.4"], "not_public"],
    ["local6.example.com", ["::1"], "not_public"]
  ])("%s at %j is judged as %s", (host, addresses, verdict) =>
    expect(judgeHost(host, addresses, { platform })).toBe(verdict)
  )

  it("may be private where the deployment allows it, but never special, and never the platform's", () => {
    expect(judgeHost("a.example", ["10.0.0.5"], {}, lenient)).toBe("allowed")
    expect(judgeHost("a.example", [], {}, lenient)).toBe("allowed")
    expect(judgeHost("a.example", ["169.254.169.254"], {}, lenient)).toBe("not_public")
    expect(judgeHost("a.example", ["10.0.0.5"], { platform: ["10.0.0.0/8"] }, lenient)).toBe("of_platform")
    expect(judgeHost("a.example", ["127.0.0.1"], { platform: ["127.0.0.1"] }, lenient)).toBe("of_platform")
    expect(judgeHost("a.example", ["127.0.0.1"], { platform: ["::ffff:127.0.0.1"] }, lenient)).toBe("of_platform")
  })

  it.each<[string, string, ReadonlyArray<string>, HostVerdict]>([
    ["ip", "pbx.theirs.example", ["1.1.1.1"], "of_others"],
    ["ip", "pbx.theirs.example.", [], "of_others"],
    ["ip", "alias.example.com", ["9.9.9.9"], "of_others"],
    ["ip", "alias.example.com", ["1.1.1.1", "9.9.9.9"], "of_others"],
    ["signaling", "alias.example.com", ["9.9.9.9"], "of_others"],
    ["ip", "alias.example.com", ["2620:fe:0::9"], "of_others"],
    ["ip", "alias.example.com", ["149.112.112.112"], "of_others"],
    ["ip", "alias.example.com", ["9.9.9.10"], "allowed"],
    ["digest", "pbx.theirs.example", ["9.9.9.9"], "allowed"],
    ["registration", "alias.example.com", ["9.9.9.9"], "allowed"]
  ])("of another workspace's trunk in mode %s: %s at %j is judged as %s", (mode, host, addresses, verdict) =>
    expect(judgeHost(host, addresses, { others: theirs(mode) })).toBe(verdict)
  )

  it("that the workspace had before stays its own, unless it is the platform's", () => {
    const others = theirs("ip")
    const at = ["9.9.9.9"]
    expect(judgeHost("9.9.9.9", at, { others, own: ["9.9.9.9"] })).toBe("allowed")
    expect(judgeHost("sip.mine.example", at, { others, own: ["9.9.9.0/24"] })).toBe("allowed")
    expect(judgeHost("pbx.theirs.example", at, { others, own: ["PBX.theirs.example"] })).toBe("allowed")
    // A name of one's own that moves to another workspace's host.
    expect(judgeHost("sip.mine.example", at, { others, own: ["sip.mine.example", "1.1.1.1"] })).toBe("of_others")
    expect(judgeHost("sip.mine.example", ["1.1.1.1", "9.9.9.9"], { others, own: ["1.1.1.1"] })).toBe("of_others")
    expect(judgeHost("8.8.4.4", ["8.8.4.4"], { platform, own: ["8.8.4.4"] })).toBe("of_platform")
    expect(judgeHost("carrier.example", ["1.1.1.1"], { platform, own: ["carrier.example"] })).toBe("of_platform")
  })
})

describe("a range that calls come from", () => {
  it.each<[string, HostVerdict]>([
    ["1.1.1.1", "allowed"],
    ["1.1.1.0/24", "allowed"],
    ["8.8.4.4", "of_platform"],
    ["8.8.4.4/32", "of_platform"],
    ["8.8.0.0/16", "of_platform"],
    ["203.0.114.8/29", "of_platform"],
    ["203.0.114.0/24", "of_platform"],
    ["2620:fe::/64", "of_platform"],
    ["2620:00fe:0000::/48", "of_platform"],
    ["2620:fe:1::/48", "allowed"],
    ["9.9.9.8/30", "of_others"],
    ["149.112.112.7", "of_others"],
    ["149.112.0.0/16", "of_others"],
    ["2620:fe0::/48", "allowed"],
    ["10.0.0.0/24", "not_public"],
    ["168.63.0.0/16", "not_public"],
    ["2001::/48", "not_public"],
    ["::ffff:1.1.1.1", "not_public"]
  ])("%s is judged as %s", (range, verdict) =>
    expect(judgeRange(range, { platform, others: theirs("ip") })).toBe(verdict)
  )

  it("meets no other trunk's, whatever its mode: the PBX tells calls apart by their addresses", () => {
    for (const mode of ["digest", "registration"]) {
      expect(judgeRange("9.9.9.0/28", { others: theirs(mode) })).toBe("of_others")
      expect(judgeRange("9.9.9.9", { others: [trunk(mode, "9.9.9.9")] })).toBe("of_others")
      expect(judgeRange("9.9.8.0/24", { others: theirs(mode) })).toBe("allowed")
    }
  })

  it("that the workspace's trunk had before stays its own, but grows into no other's", () => {
    const others = theirs("ip")
    expect(judgeRange("149.112.112.0/28", { others, own: ["149.112.112.0/24"] })).toBe("allowed")
    expect(judgeRange("149.112.0.0/16", { others, own: ["149.112.112.0/24"] })).toBe("of_others")
    expect(judgeRange("8.8.4.4", { platform, own: ["8.8.4.4"] })).toBe("of_platform")
  })

  it("may be private where the deployment allows it, but not the platform's", () => {
    expect(judgeRange("127.0.0.0/24", {}, lenient)).toBe("allowed")
    expect(judgeRange("127.0.0.0/24", { platform: ["127.0.0.1"] }, lenient)).toBe("of_platform")
    expect(judgeRange("169.254.0.0/16", {}, lenient)).toBe("not_public")
  })
})

it("judges the host and every range together", () => {
  const target: SipTarget = { host: "8.8.4.4", addresses: ["8.8.4.4"], ranges: ["1.1.1.1", "8.8.4.0/24"] }
  expect(judgeTarget(target, { ...nobody, platform }, strict)).toEqual({
    host: "of_platform",
    ranges: ["allowed", "of_platform"]
  })
})

it("allows no host and no range that meets the platform, or others where it was not one's own: 2,000 drawn cases", () => {
  const all = Array.from({ length: 256 }, (_, last) => last)
  /** Whether the address with this last byte is in one of the ranges. */
  const isIn = (ranges: ReadonlyArray<string>) => (last: number) =>
    ranges.some((range) => {
      const [, first = "", length = ""] = /\.(\d+)\/(\d+)$/.exec(range) ?? []
      return last >= Number(first) && last < Number(first) + 2 ** (32 - Number(length))
    })
  for (let seed = 0; seed < 2_000; seed++) {
    const choices = new Choices(bytesOf(seed, 64))
    const drawRange = () => {
      const length = 25 + choices.below(8)
      const last = choices.below(256)
      return `9.9.9.${last - (last % 2 ** (32 - length))}/${length}`
    }
    const draw = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: choices.below(4) }, make)
    const [platform, allowed_ips, own] = [draw(drawRange), draw(drawRange), draw(drawRange)]
    const [addresses, wanted] = [[choices.below(256), choices.below(256)], drawRange()]
    const target = { host: "a.example", addresses: addresses.map((last) => `9.9.9.${last}`), ranges: [wanted] }
    const known = { platform, others: [trunk("ip", "x.example", { allowed_ips })], own }
    const { host, ranges } = judgeTarget(target, known, strict)
    const isForeign = (last: number) => isIn(platform)(last) || (isIn(allowed_ips)(last) && !isIn(own)(last))
    expect([seed, host === "allowed"]).toEqual([seed, !addresses.some(isForeign)])
    const taken = all.filter(isIn([wanted]))
    if (ranges[0] === "allowed") expect([seed, taken.filter(isForeign)]).toEqual([seed, []])
    else expect([seed, taken.some(isIn([...platform, ...allowed_ips]))]).toEqual([seed, true])
  }
})
