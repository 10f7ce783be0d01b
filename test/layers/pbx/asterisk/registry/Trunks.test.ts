// How Asterisk is configured for the trunks of tenants, how their state is reported, and which numbers inbound calls
// reach.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { TenantAction, TrunkTarget } from "../../../../../src/domain/pbx/TenantCommand.ts"
import type { AriResponse } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { putTrunk } from "../../../../../src/layers/pbx/asterisk/registry/TrunkObjects.ts"
import { heard, makeWorld } from "../../../../support/AsteriskRegistry.ts"
import { pbxTrunkId } from "../../../../support/Ids.ts"

const target: TrunkTarget = {
  auth_mode: "digest",
  host: "sip.example.net",
  port: 5062,
  transport: "tcp",
  allowed_ips: [],
  username: "acme",
  password: "secret",
  max_channels: 30,
  max_cps: 5,
  codecs: ["PCMA", "G729", "PCMU"],
  dtmf: "info",
  srtp: "optional",
  session_timer_seconds: 0,
  caller_id_format: "e164"
}
const put = (id: string, change: Partial<TrunkTarget> = {}) =>
  ({ kind: "trunk.put", trunk_id: pbxTrunkId(id), target: { ...target, ...change } }) satisfies TenantAction
const objects = (change: Partial<TrunkTarget>, media_timeout: number | false = false) =>
  Object.fromEntries(
    putTrunk(put("k.1", change), { tenant_pbx_id: "t1", media_timeout }).map(({ fields, type }) => [type, fields!])
  )

const ip: Partial<TrunkTarget> = { auth_mode: "ip", allowed_ips: ["192.0.2.0/28", "198.51.100.7"] }
const registering: Partial<TrunkTarget> = {
  auth_mode: "registration",
  host: "registrar.example.net",
  port: 5060,
  transport: "udp",
  username: "acme@home",
  expires_seconds: 600
}

describe("the Asterisk configuration of a trunk", () => {
  it("authenticates calls with a username and password", () => {
    const { aor, auth, endpoint, identify, registration } = objects({})
    assert.deepStrictEqual(auth, { auth_type: "userpass", username: "acme", password: "secret" })
    assert.deepStrictEqual(aor, { contact: "sip:sip.example.net:5062;transport=tcp", qualify_frequency: 30 })
    assert.deepInclude(endpoint, {
      allow: "alaw,ulaw",
      dtmf_mode: "info",
      timers: "no",
      outbound_auth: "trunk-k.1",
      accountcode: "t1",
      transport: "tcp",
      from_domain: "sip.example.net",
      identify_by: "ip",
      send_pai: "yes"
    })
    assert.notProperty(endpoint, "from_user")
    assert.notProperty(endpoint, "rtp_timeout")
    assert.deepStrictEqual(identify, { endpoint: "trunk-k.1", match: "sip.example.net" })
    assert.isUndefined(registration)
    assert.strictEqual(objects({ realm: "acme.example" })["auth"]?.["realm"], "acme.example")
  })

  it("identifies a trunk by its IP addresses", () => {
    const { auth, endpoint, identify } = objects(ip)
    assert.isUndefined(auth)
    assert.notProperty(endpoint, "outbound_auth")
    assert.strictEqual(identify?.["match"], "192.0.2.0/28,198.51.100.7")
  })

  it("registers with the trunk's registrar", () => {
    const { aor, auth, endpoint, registration } = objects(registering)
    assert.strictEqual(auth?.["username"], "acme@home")
    assert.strictEqual(endpoint?.["outbound_auth"], "trunk-k.1")
    assert.strictEqual(aor?.["qualify_frequency"], 0)
    assert.deepInclude(registration, {
      server_uri: "sip:registrar.example.net:5060",
      client_uri: "sip:acme%40home@registrar.example.net",
      outbound_auth: "trunk-k.1",
      endpoint: "trunk-k.1",
      line: "yes",
      expiration: 600,
      max_random_initial_delay: 0,
      auth_rejection_permanent: "no"
    })
  })

  it.each([
    ["off", "no", "no"],
    ["optional", "sdes", "yes"],
    ["required", "sdes", "no"]
  ])("sets the media encryption for SRTP %s", (srtp, media_encryption, media_encryption_optimistic) =>
    assert.deepInclude(objects({ srtp })["endpoint"], { media_encryption, media_encryption_optimistic })
  )

  it("reaches an IPv6 address over TLS", () => {
    const { aor, endpoint } = objects({ host: "2001:db8::1", port: 5061, transport: "tls" })
    assert.strictEqual(aor?.["contact"], "sip:[2001:db8::1]:5061;transport=tls")
    assert.strictEqual(endpoint?.["transport"], "tls")
  })

  it.each<[Partial<TrunkTarget>, string, string]>([
    [{ addresses: ["8.8.8.8"] }, "sip:sip.example.net:5062;transport=tcp;maddr=8.8.8.8", "8.8.8.8"],
    [
      { addresses: ["2606:4700::1", "8.8.8.8"] },
      "sip:sip.example.net:5062;transport=tcp;maddr=8.8.8.8",
      "2606:4700::1,8.8.8.8"
    ],
    [{ addresses: ["2606:4700::1"] }, "sip:[2606:4700::1]:5062;transport=tcp", "2606:4700::1"],
    [{ addresses: ["8.8.8.8"], transport: "tls" }, "sip:sip.example.net:5062;transport=tls", "8.8.8.8"],
    [
      { ...ip, addresses: ["8.8.8.8"] },
      "sip:sip.example.net:5062;transport=tcp;maddr=8.8.8.8",
      "192.0.2.0/28,198.51.100.7"
    ],
    [{ host: "8.8.8.8", addresses: ["8.8.8.8"] }, "sip:8.8.8.8:5062;transport=tcp", "8.8.8.8"]
  ])("sends to the addresses that it is given, and resolves no name: %o", (change, contact, match) => {
    const { aor, identify } = objects(change)
    assert.strictEqual(aor?.["contact"], contact)
    assert.strictEqual(identify?.["match"], match)
  })

  it("sets an RTP timeout only if media_timeout is on", () => {
    assert.deepInclude(objects({}, 60)["endpoint"], { rtp_timeout: 60, rtp_timeout_hold: 120 })
  })
})

describe("a trunk", () => {
  it.effect("is created in the order of its dependencies, and deleted in reverse", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld()
      const parts = ["auth", "aor", "endpoint", "identify", "registration"]
      assert.isUndefined(yield* carryOut(put("k.1", registering)))
      assert.deepStrictEqual(
        asked.splice(0).map(({ what }) => what),
        ["GET transport/udp", ...parts.map((part) => `PUT ${part}/trunk-k.1`)]
      )
      yield* carryOut({ kind: "trunk.delete", trunk_id: pbxTrunkId("k.1") })
      assert.deepStrictEqual(
        asked.map(({ what }) => what),
        parts.toReversed().map((part) => `DELETE ${part}/trunk-k.1`)
      )
    })
  )

  it.effect.each<[string, Partial<TrunkTarget>, AriResponse | undefined]>([
    ["a registration whose state cannot be read", registering, undefined],
    ["a missing transport", { transport: "tls" }, { status: 404, body: {} }],
    ["an unavailable codec", { codecs: ["G729"] }, undefined]
  ])("is rejected because of %s", ([, change, answer]) =>
    Effect.gen(function* () {
      const { asked, carryOut, registrations } = yield* makeWorld(() => answer ?? { status: 200, body: {} })
      registrations.states = undefined
      assert.isString(yield* carryOut(put("k.1", change)))
      assert.deepStrictEqual(
        asked.filter(({ what }) => what.startsWith("PUT")),
        []
      )
    })
  )

  it.effect.each<[string, Partial<TrunkTarget>]>([
    ["by name", { host: "Carrier.example." }],
    ["by the address of its name", { host: "alias.example.net", addresses: ["8.8.8.8", "9.9.9.7"] }],
    ["by address", { host: "9.9.9.7" }],
    ["by a range of its calls", { ...ip, allowed_ips: ["8.8.8.8", "9.9.9.6/31"] }],
    ["by another spelling of an address", { host: "2620:fe:0::0:7" }]
  ])("that names the platform's host %s is rejected, whatever the engine knew when it sent it", ([, change]) =>
    Effect.gen(function* () {
      const platform = ["carrier.example", "9.9.9.0/28", "2620:FE::7"]
      const { asked, carryOut } = yield* makeWorld(undefined, platform)
      assert.isString(yield* carryOut(put("k.1", change)))
      assert.deepStrictEqual(asked, [])
      assert.isUndefined(yield* carryOut(put("k.2", { ...ip, host: "8.8.8.8" })))
    })
  )

  it.effect("reports whether it is reachable after a probe, and again when that changes", () =>
    Effect.gen(function* () {
      for (const [state, reachable] of [
        ["online", true],
        ["offline", false]
      ] as const) {
        const { carryOut, qualified, registry, told } = yield* makeWorld((path) => ({
          status: 200,
          body: path.startsWith("/endpoints") ? { state } : {}
        }))
        yield* carryOut(put("k.1"))
        yield* carryOut({ kind: "trunk.probe", trunk_id: pbxTrunkId("k.1") })
        assert.deepStrictEqual(qualified, ["trunk-k.1"])
        registry.contactChanged(heard("trunk-k.1", reachable ? "Unreachable" : "Reachable"), 2_000)
        assert.deepStrictEqual(
          told.map(([, , data]) => data.reachable),
          [reachable, !reachable]
        )
      }
    })
  )

  it.effect("reports when its registration succeeds, is rejected or ends", () =>
    Effect.gen(function* () {
      const { carryOut, registrations, registry, told } = yield* makeWorld()
      const is = (state: string) =>
        Effect.sync(
          () =>
            (registrations.states = new Map([
              ["trunk-k.1", state],
              ["trunk-of-others", "Rejected"]
            ]))
        )
      const news = () =>
        told
          .splice(0)
          .map(([tenant, type, { reachable, sip_code, trunk_id }]) => [tenant, type, trunk_id, reachable, sip_code])
      yield* is("Unregistered")
      yield* carryOut(put("k.1", registering))
      yield* TestClock.adjust("2 seconds")
      registry.contactChanged(heard("trunk-k.1", "Reachable"), 2_000)
      assert.deepStrictEqual(news(), [])
      yield* carryOut({ kind: "trunk.probe", trunk_id: pbxTrunkId("k.1") })
      assert.deepStrictEqual(news(), [["t1", "trunk.state", "k.1", false, undefined]])
      yield* is("Registered")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(news(), [["t1", "trunk.state", "k.1", true, 200]])
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(news(), [])
      yield* is("Rejected")
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(news(), [["t1", "trunk.state", "k.1", false, undefined]])
      yield* carryOut({ kind: "trunk.delete", trunk_id: pbxTrunkId("k.1") })
      yield* is("Registered")
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(news(), [])
    })
  )

  it.effect("registers again when it is probed, and reports only the outcome of that registration", () =>
    Effect.gen(function* () {
      const { carryOut, registered, registrations, told } = yield* makeWorld()
      const is = (state: string) => Effect.sync(() => (registrations.states = new Map([["trunk-k.1", state]])))
      const news = () => told.splice(0).map(([, , { reachable }]) => reachable)
      const probe = Effect.suspend(() => carryOut({ kind: "trunk.probe", trunk_id: pbxTrunkId("k.1") }))
      yield* is("Rejected")
      yield* carryOut(put("k.1", registering))
      yield* probe
      assert.deepStrictEqual([news(), registered], [[false], []])
      for (const [state, later] of [
        ["Registered", []],
        ["Rejected", [false]]
      ] as const) {
        yield* is("Registered")
        yield* TestClock.adjust("15 seconds")
        news()
        yield* probe
        assert.deepStrictEqual([news(), registered.splice(0)], [[true], ["trunk-k.1"]])
        yield* is("Unregistered")
        yield* TestClock.adjust("32 seconds")
        assert.deepStrictEqual(news(), [])
        yield* is(state)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(news(), [...later])
      }
      yield* is("Registered")
      yield* TestClock.adjust("15 seconds")
      yield* probe
      assert.deepStrictEqual(news(), [true, true])
      yield* is("Unregistered")
      yield* TestClock.adjust("75 seconds")
      assert.deepStrictEqual(news(), [false])
    })
  )

  it.effect("reports until when it is registered, and again when the registration was renewed", () =>
    Effect.gen(function* () {
      const { carryOut, registrations, told } = yield* makeWorld()
      const is = (state: string, left_s?: number) =>
        Effect.sync(() => {
          registrations.states = new Map([["trunk-k.1", state]])
          registrations.left_s = new Map(left_s === undefined ? [] : [["trunk-k.1", left_s]])
        })
      const news = () =>
        told.splice(0).map(([, , { reachable, registered_until }]) => [reachable, registered_until ?? null])
      yield* is("Registered", 100)
      yield* carryOut(put("k.1", registering))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(news(), [[true, "1970-01-01T00:01:42.000Z"]])
      yield* is("Registered", 86)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(news(), [])
      yield* is("Registered", 100)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(news(), [[true, "1970-01-01T00:02:12.000Z"]])
      yield* is("Rejected", 30)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(news(), [[false, null]])
      yield* is("Registered")
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(news(), [[true, null]])
    })
  )

  it.effect("is checked on time even while another trunk is probed repeatedly", () =>
    Effect.gen(function* () {
      const { carryOut, registrations, told } = yield* makeWorld()
      const state = (one: string) =>
        Effect.sync(
          () =>
            (registrations.states = new Map([
              ["trunk-k.1", one],
              ["trunk-k.2", "Registered"]
            ]))
        )
      yield* state("Registered")
      for (const trunk_id of ["k.1", "k.2"]) yield* carryOut(put(trunk_id, registering))
      yield* TestClock.adjust("1 second")
      told.splice(0)
      yield* state("Rejected")
      for (let n = 0; n < 4; n++) {
        yield* carryOut({ kind: "trunk.probe", trunk_id: pbxTrunkId("k.2") })
        yield* TestClock.adjust("500 millis")
      }
      assert.deepStrictEqual(
        told.filter(([, , { trunk_id }]) => trunk_id === "k.1").map(([, , { reachable }]) => reachable),
        [false]
      )
    })
  )

  it.effect("is withdrawn if its registrar makes Asterisk register too often, and is refused for 15 minutes", () =>
    Effect.gen(function* () {
      const { asked, carryOut, registrations, told } = yield* makeWorld()
      const handles = (one: number) =>
        Effect.andThen(
          Effect.sync(
            () =>
              (registrations.handled = new Map([
                ["trunk-k.1", one],
                ["trunk-k.2", 5]
              ]))
          ),
          TestClock.adjust("1 second")
        )
      for (const trunk_id of ["k.1", "k.2"]) yield* carryOut(put(trunk_id, registering))
      yield* handles(5)
      asked.splice(0)
      told.splice(0)
      yield* handles(6_000)
      assert.deepStrictEqual(told, [
        ["t1", "trunk.state", { trunk_id: pbxTrunkId("k.1"), reachable: false, reason: "registers_too_often" }]
      ])
      assert.deepStrictEqual(
        asked.map(({ what }) => what),
        ["registration", "identify", "endpoint", "aor", "auth"].map((type) => `DELETE ${type}/trunk-k.1`)
      )
      asked.splice(0)
      assert.isString(yield* carryOut(put("k.3", registering)))
      assert.isUndefined(yield* carryOut(put("k.4")))
      assert.isUndefined(yield* carryOut(put("k.5", registering), "t2"))
      assert.deepStrictEqual(told.at(-1), [
        "t1",
        "trunk.state",
        { trunk_id: pbxTrunkId("k.3"), reachable: false, reason: "registers_too_often" }
      ])
      assert.isUndefined(asked.find(({ what }) => what.includes("trunk-k.3")))
      yield* TestClock.adjust("15 minutes")
      assert.isUndefined(yield* carryOut(put("k.3", registering)))
    })
  )

  it.effect("has known addresses only while it answers, and none of its ranges", () =>
    Effect.gen(function* () {
      const { carryOut, registry } = yield* makeWorld()
      yield* carryOut(put("k.1", { ...ip, addresses: ["192.0.2.1"] }))
      assert.deepStrictEqual(registry.trunks.addresses, [])
      registry.contactChanged(heard("trunk-k.1", "Reachable"), 2_000)
      assert.deepStrictEqual(registry.trunks.addresses, ["192.0.2.1", "198.51.100.7"])
      registry.contactChanged(heard("trunk-k.1", "Unreachable"), 3_000)
      assert.deepStrictEqual(registry.trunks.addresses, [])
    })
  )
})
