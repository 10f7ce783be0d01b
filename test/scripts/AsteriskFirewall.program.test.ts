// What scripts/asterisk/firewall allows and forbids. That nft takes the rules is tested in test/e2e/Firewall.e2e.ts.
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { classify } from "../../src/domain/targets/AddressClass.ts"
import { isWithin } from "../../src/domain/targets/AddressRange.ts"

const root = join(import.meta.dirname, "../..")
const rules = (env: Readonly<Record<string, string>> = {}) =>
  execFileSync(join(root, "scripts/asterisk/firewall"), {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NAMESERVERS: "", ...env }
  })

const setOf = (text: string, name: string): ReadonlyArray<string> =>
  new RegExp(`set ${name} \\{[^}]*elements = \\{ ([^}]*) \\}`).exec(text)?.[1]?.split(", ") ?? []

const ipv4 = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".")
const ipv6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, place) => ((value >> BigInt(112 - 16 * place)) & 0xffffn).toString(16)).join(":")
const valueOf = (address: string): number => address.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0)

/** The first and last address of each range of the classification, and those beside them. */
const edges4 = (): ReadonlyArray<string> =>
  [...readFileSync(join(root, "src/domain/targets/AddressClass.ts"), "utf8").matchAll(/"([\d.]+)\/(\d+)"/g)].flatMap(
    ([, base = "", length]) => {
      const first = valueOf(base)
      const size = 2 ** (32 - Number(length))
      return [first - 1, first, first + size - 1, first + size]
        .filter((value) => value >= 0 && value < 2 ** 32)
        .map(ipv4)
    }
  )

describe("scripts/asterisk/firewall", () => {
  it("forbids exactly the addresses that are not public", () => {
    const text = rules()
    const of4 = setOf(text, "forbidden4")
    const sample = Array.from({ length: 4_096 }, (_, high) => ipv4(high * 2 ** 20 + 257))
    for (const address of [...edges4(), ...sample])
      assert.strictEqual(isWithin(of4, address), classify(address) !== "public", address)
    const of6 = setOf(text, "forbidden6")
    const named = ["::1", "::", "fc00::1", "fd00:ec2::254", "fe80::1", "ff02::1", "64:ff9b::a00:1", "2001:db8::1"]
    const others = ["2001:1ff:ffff::1", "2001:200::1", "2002::1", "2003::1", "2620:4f:8000::1", "3ffe::1", "3fff::1"]
    const samples = Array.from({ length: 2_048 }, (_, high) => ipv6((BigInt(high) << 117n) + 1n))
    for (const address of [...named, ...others, "3fff:1000::1", ...samples])
      assert.strictEqual(isWithin(of6, address), classify(address) !== "public", address)
  })

  it("allows what the operator names, and of loopback the ports of engine, carrier and nameserver alone", () => {
    const text = rules({
      SIP_BIND: "0.0.0.0",
      LOCAL_NETWORKS: "192.168.7.0/24,10.0.0.5,fd00:7::/48",
      CARRIER: "127.0.0.1:5070",
      CARRIER_FROM: "127.0.0.1:5070,10.8.0.1:5060,10.9.0.0/24,[fd00:9::1]:5060,sip.carrier.example",
      ARI_LISTEN: "ws://localhost:8090/pbx/ari",
      NAMESERVERS: "127.0.0.53"
    })
    assert.deepStrictEqual(
      ["hosts4", "hosts6", "ranges4", "ranges6"].map((name) => setOf(text, name)),
      [["10.0.0.5", "10.8.0.1"], ["fd00:9::1"], ["192.168.7.0/24", "10.9.0.0/24"], ["fd00:7::/48"]]
    )
    assert.deepStrictEqual(
      text.match(/^ +ip6? daddr (?!@).*$/gm)?.map((line) => line.trim()),
      [
        "ip daddr 127.0.0.1 meta l4proto { tcp, udp } th dport 5070 accept",
        "ip daddr 127.0.0.53 meta l4proto { tcp, udp } th dport 53 accept",
        "ip daddr 127.0.0.1 tcp dport 8090 accept",
        "ip6 daddr ::1 tcp dport 8090 accept"
      ]
    )
  })

  it("concerns one group, or a whole network namespace", () => {
    assert.include(rules(), "meta skgid 70060 meta l4proto { tcp, udp } jump sends")
    assert.include(rules({ ASTERISK_GROUP: "asterisk" }), "meta skgid asterisk meta l4proto { tcp, udp } jump sends")
    const all = rules({ ASTERISK_GROUP: "any" })
    assert.include(all, "    meta l4proto { tcp, udp } jump sends")
    assert.notInclude(all, "skgid")
  })

  it("refuses a local network that is none", () => {
    assert.throws(() => rules({ LOCAL_NETWORKS: "10.0.0.0/8; flush ruleset" }), /is no address and no range/)
    assert.throws(() => rules({ ASTERISK_GROUP: "x accept" }), /ASTERISK_GROUP/)
    assert.throws(() => rules({ SIP_PORT: "5060 {}" }), /SIP_PORT/)
  })
})
