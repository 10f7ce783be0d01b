import { assert, describe, it } from "@effect/vitest"
import {
  AddressGuard,
  type Attempt,
  bounds,
  networkOf
} from "../../../../../src/layers/pbx/asterisk/guard/AddressGuard.ts"
import { securityEventsIn } from "../../../../../src/layers/pbx/asterisk/guard/SecurityEvents.ts"

const minute = 60_000
const failed = (address: string, transport = "UDP"): Attempt => ({ kind: "failed", address, transport })
const unknown = (address: string, transport = "UDP"): Attempt => ({ kind: "unknown", address, transport })

/** Makes the attempts at these times, and returns the minutes of each block that became due. */
const minutesOf = (attempt: Attempt, times: ReadonlyArray<number>, guard = new AddressGuard()) =>
  times.flatMap((at) => {
    const due = guard.add(attempt, at)
    if (due !== undefined) guard.block(due)
    return due === undefined ? [] : [(due.until - at) / minute]
  })
const often = (count: number, at = 0) => Array.from({ length: count }, () => at)

describe("an address", () => {
  it.each([
    ["9 wrong passwords", failed("192.0.2.1"), often(9), []],
    ["10 wrong passwords", failed("192.0.2.1"), often(10), [15]],
    ["10 wrong passwords in more than a minute", failed("192.0.2.1"), [...often(9), minute], []],
    ["more while it is blocked", failed("192.0.2.1"), often(100), [15]],
    ["10 more after the block", failed("192.0.2.1"), [...often(10), ...often(10, 15 * minute)], [15, 15]],
    ["49 unknown requests", unknown("192.0.2.1"), often(49), []],
    ["50 unknown requests", unknown("192.0.2.1"), often(50), [1]],
    ["the engine's own", failed("127.0.0.1"), often(1_000), []],
    ["the engine's own by IPv6", failed("::1", "TCP"), often(1_000), []],
    ["the gate's", failed("192.0.2.1", "WS"), often(1_000), []]
  ])("is blocked after: %s", (_, attempt, times, minutes) => {
    assert.deepStrictEqual(minutesOf(attempt, times), minutes)
  })

  it("is not blocked by what may be forged, for a day after a device has authenticated there", () => {
    const guard = new AddressGuard()
    guard.add({ kind: "authenticated", address: "192.0.2.1", transport: "UDP" }, 0)
    const day = 24 * 60 * minute
    assert.deepStrictEqual(minutesOf(failed("192.0.2.1"), often(1_000, day - 1), guard), [])
    assert.deepStrictEqual(minutesOf(failed("192.0.2.1", "TLS"), often(10, day - 1), guard), [15])
    assert.deepStrictEqual(minutesOf(failed("192.0.2.1"), often(10, day + 15 * minute), guard), [15])
  })

  it("is not blocked over TLS for a day after a chat app's provider has authenticated there", () => {
    const guard = new AddressGuard()
    guard.addProvider({ kind: "authenticated", address: "192.0.2.1", transport: "TLS" }, 0)
    guard.addProvider({ kind: "authenticated", address: "192.0.2.2", transport: "UDP" }, 0)
    const day = 24 * 60 * minute
    for (const attempt of [unknown("192.0.2.1", "TLS"), failed("192.0.2.1", "TLS")])
      assert.deepStrictEqual(minutesOf(attempt, often(1_000, day - 1), guard), [])
    assert.deepStrictEqual(minutesOf(failed("192.0.2.1"), often(10, day - 1), guard), [15])
    assert.deepStrictEqual(minutesOf(failed("192.0.2.2", "TLS"), often(10, day - 1), guard), [15])
    assert.deepStrictEqual(minutesOf(failed("192.0.2.1", "TLS"), often(10, day + 15 * minute), guard), [15])
  })

  it("is one network of IPv6, because a host may choose any address of it", () => {
    const guard = new AddressGuard()
    const blocks = often(10).flatMap((_, index) => guard.add(failed(`2001:db8:0:1::${index + 1}`), 0) ?? [])
    assert.deepStrictEqual(blocks, [{ network: "2001:db8:0:1::/64", until: 15 * minute, forgeable: true }])
    assert.strictEqual(networkOf("192.0.2.1"), "192.0.2.1/32")
  })
})

describe("the table of addresses", () => {
  it("ends blocks", () => {
    const guard = new AddressGuard()
    minutesOf(failed("192.0.2.1"), often(10), guard)
    assert.deepStrictEqual([guard.blocked, guard.expire(15 * minute - 1)], [["192.0.2.1/32"], false])
    assert.deepStrictEqual([guard.expire(15 * minute), guard.blocked], [true, []])
  })

  it("is bounded, whoever sends", () => {
    const guard = new AddressGuard()
    const addresses = Array.from(
      { length: 30_000 },
      (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
    )
    for (const address of addresses) {
      guard.add(unknown(address), 0)
      guard.add({ kind: "authenticated", address, transport: "UDP" }, 0)
      guard.block({ network: networkOf(address), until: 1, forgeable: true })
      guard.add(unknown(address), 2)
    }
    assert.isAtMost(guard.size, 2 * bounds.addresses + bounds.blocked)
  })
})

describe("a full table of blocks", () => {
  const block = (guard: AddressGuard, count: number, prefix: string, forgeable: boolean) => {
    for (let host = 0; host < count; host++)
      guard.block({ network: `${prefix}.${host >> 8}.${host & 255}/32`, until: minute, forgeable })
  }

  it("loses blocks by UDP first, which anybody can cause", () => {
    const guard = new AddressGuard()
    block(guard, 10, "10.1", false)
    block(guard, 2 * bounds.blocked, "10.2", true)
    assert.lengthOf(guard.blocked, bounds.blocked)
    assert.lengthOf(
      guard.blocked.filter((network) => network.startsWith("10.1.")),
      10
    )
  })

  it("loses the oldest block if all addresses are true, and the newest by UDP takes no place of theirs", () => {
    const guard = new AddressGuard()
    block(guard, bounds.blocked + 1, "10.1", false)
    block(guard, 1, "10.2", true)
    assert.lengthOf(guard.blocked, bounds.blocked)
    assert.notInclude(guard.blocked, "10.1.0.0/32")
    assert.notInclude(guard.blocked, "10.2.0.0/32")
  })
})

describe("a security event of Asterisk", () => {
  const event = (name: string, remote: string, service = "PJSIP", account = "<unknown>") =>
    `Event: ${name}\r\nPrivilege: security,all\r\nService: ${service}\r\nAccountID: ${account}\r\nRemoteAddress: ${remote}\r\nChallenge: 1/x`

  it("is read with its address and transport; what is no refusal or authentication of SIP is left out", () => {
    const text = [
      "Response: Success\r\nMessage: Waiting for Event completed.",
      event("SuccessfulAuth", "IPV4/TCP/127.0.0.1/40778", "AMI"),
      event("ChallengeSent", "IPV4/UDP/192.0.2.1/5060"),
      event("ChallengeResponseFailed", "IPV4/UDP/192.0.2.1/5060", "PJSIP", "1001-k2m9-web"),
      event("InvalidAccountID", "IPV6/TLS/2001:db8::1/5061"),
      event("SuccessfulAuth", "IPV4/UDP/192.0.2.2/5060"),
      event("InvalidPassword", "IPV4/UDP/192.0.2.3"),
      "Event: WaitEventComplete"
    ].join("\r\n\r\n")
    assert.deepStrictEqual(securityEventsIn(text), [
      { kind: "failed", address: "192.0.2.1", port: 5060, transport: "UDP", endpoint: "1001-k2m9-web" },
      { kind: "unknown", address: "2001:db8::1", port: 5061, transport: "TLS" },
      { kind: "authenticated", address: "192.0.2.2", port: 5060, transport: "UDP" }
    ])
  })
})
