// How Asterisk is configured for the trunks of tenants, how their state is reported, and which numbers inbound calls
// reach.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { TenantAction, TrunkTarget } from "../../../../src/domain/pbx/TenantCommand.ts"
import type { AriResponse } from "../../../../src/layers/pbx/asterisk/Ari.ts"
import type { AriEvent } from "../../../../src/layers/pbx/asterisk/AriEvent.ts"
import { identifyCaller, numberInTo } from "../../../../src/layers/pbx/asterisk/Incoming.ts"
import { putTrunk } from "../../../../src/layers/pbx/asterisk/TrunkObjects.ts"
import { heard, makeWorld } from "../../../support/AsteriskRegistry.ts"

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
const put = (trunk_id: string, change: Partial<TrunkTarget> = {}) =>
  ({ kind: "trunk.put", trunk_id, target: { ...target, ...change } }) satisfies TenantAction
const objects = (change: Partial<TrunkTarget>, media_timeout = false) =>
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

  it("sets an RTP timeout only if media_timeout is on", () => {
    assert.deepInclude(objects({}, true)["endpoint"], { rtp_timeout: 60, rtp_timeout_hold: 120 })
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
      yield* carryOut({ kind: "trunk.delete", trunk_id: "k.1" })
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
        yield* carryOut({ kind: "trunk.probe", trunk_id: "k.1" })
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
      yield* carryOut({ kind: "trunk.probe", trunk_id: "k.1" })
      assert.deepStrictEqual(news(), [["t1", "trunk.state", "k.1", false, undefined]])
      yield* is("Registered")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(news(), [["t1", "trunk.state", "k.1", true, 200]])
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(news(), [])
      yield* is("Rejected")
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(news(), [["t1", "trunk.state", "k.1", false, undefined]])
      yield* carryOut({ kind: "trunk.delete", trunk_id: "k.1" })
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
      const probe = Effect.suspend(() => carryOut({ kind: "trunk.probe", trunk_id: "k.1" }))
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
        yield* carryOut({ kind: "trunk.probe", trunk_id: "k.2" })
        yield* TestClock.adjust("500 millis")
      }
      assert.deepStrictEqual(
        told.filter(([, , { trunk_id }]) => trunk_id === "k.1").map(([, , { reachable }]) => reachable),
        [false]
      )
    })
  )
})

describe("an inbound call", () => {
  const mine = "+254700000001"
  const theirs = "+254700000002"
  interface Call {
    readonly accountcode: string
    readonly called: string
    /** The address and port that it comes from. */
    readonly remote: string
    readonly endpoint: string
    readonly to: string
    readonly args: ReadonlyArray<string>
  }
  const call: Call = {
    accountcode: "t1",
    called: theirs,
    remote: "192.0.2.3:5060",
    endpoint: "trunk-k.1",
    to: "sip:trunkline@192.0.2.1",
    args: ["inbound", "carrier"]
  }
  const event = ({ accountcode, args, called, endpoint }: Call): Extract<AriEvent, { type: "StasisStart" }> => ({
    type: "StasisStart",
    timestamp: "2026-11-20T12:00:00.000+0000",
    args,
    channel: {
      id: "1.1",
      state: "Ring",
      name: endpoint.includes("/") ? endpoint : `PJSIP/${endpoint}-0000002a`,
      accountcode,
      dialplan: { exten: called },
      caller: { number: "+254711000001", name: "" }
    }
  })

  /** The tenant whose number the call reaches. `k.3` of t2 and `k.4` of t1 have the same provider. */
  const reaches = Effect.fnUntraced(function* (call: Call, carrier_from = "203.0.113.0/255.255.255.0") {
    const matches: Readonly<Record<string, string>> = {
      carrier: carrier_from,
      "trunk-k.1": "192.0.2.0/255.255.255.240,198.51.100.7/255.255.255.255",
      "trunk-k.2": "192.0.2.9/255.255.255.255",
      "trunk-k.3": "198.18.0.1/255.255.255.255",
      "trunk-k.4": "198.18.0.1/255.255.255.255",
      "trunk-k.6": "2001:db8::/ffff:ffff::"
    }
    const { ari, carryOut, registry } = yield* makeWorld((path, variable) => {
      const match = matches[/\/identify\/([^/]+)$/.exec(path)?.[1] ?? ""]
      if (variable === "CHANNEL(pjsip,remote_addr)") return { status: 200, body: { value: call.remote } }
      if (variable === "CHANNEL(pjsip,local_uri)") return { status: 200, body: { value: call.to } }
      return { status: 200, body: match === undefined ? {} : [{ attribute: "match", value: match }] }
    })
    for (const [trunk_id, tenant] of Object.entries({
      "k.1": "t1",
      "k.2": "t2",
      "k.3": "t2",
      "k.4": "t1",
      "k.6": "t1"
    }))
      yield* carryOut(put(trunk_id), tenant)
    const tenantOf = (number: string) => Effect.succeed(number === mine ? "t1" : number === theirs ? "t2" : undefined)
    const who = yield* identifyCaller({ ari, carrier: "carrier", tenantOf, trunks: registry.trunks }, event(call))
    return who?.tenant_pbx_id
  })

  it.effect.each<[string, Partial<Call>, string | undefined, string?]>([
    ["from the carrier reaches every tenant", { accountcode: "", endpoint: "carrier" }, "t2"],
    ["from a tenant's trunk reaches that tenant", { called: mine }, "t1"],
    ["from a tenant's trunk reaches no other tenant", {}, undefined],
    ["from an address that two tenants share reaches the second tenant", { remote: "192.0.2.9:5060" }, "t2"],
    [
      "from a provider that two tenants share reaches the second tenant",
      { endpoint: "trunk-k.4", remote: "198.18.0.1:5060" },
      "t2"
    ],
    [
      "from an address of a trunk whose host another tenant shares does not reach the other tenant",
      { endpoint: "trunk-k.4", remote: "192.0.2.3:5060" },
      undefined
    ],
    [
      "from another address with the line token of a registration reaches nobody",
      { called: mine, endpoint: "trunk-k.4", remote: "192.0.2.66:5060" },
      undefined
    ],
    [
      "from an IPv6 range of a trunk reaches its tenant",
      { called: mine, endpoint: "trunk-k.6", remote: "[2001:db8::9]:5060" },
      "t1"
    ],
    [
      "from another IPv6 range reaches nobody",
      { called: mine, endpoint: "trunk-k.6", remote: "[2001:db9::9]:5060" },
      undefined
    ],
    [
      "from the carrier's address reaches the called tenant even if another tenant's trunk lists that address",
      { remote: "203.0.113.7:5060" },
      "t2"
    ],
    [
      "from an address that the carrier's endpoint excludes reaches no other tenant",
      { remote: "203.0.113.7:5060" },
      undefined,
      "203.0.113.0/255.255.255.0,!203.0.113.7/255.255.255.255"
    ],
    [
      "from another port than the carrier's reaches no other tenant",
      { remote: "203.0.113.7:5062" },
      undefined,
      "203.0.113.7:5060/255.255.255.255"
    ],
    [
      "from the carrier's port reaches every tenant",
      { remote: "203.0.113.7:5060" },
      "t2",
      "203.0.113.7:5060/255.255.255.255"
    ],
    ["to an unknown number reaches no tenant", { called: "+15551234567" }, undefined],
    [
      "to the registered contact reaches the number in the To header",
      { called: "trunkline", to: `"A" <sip:${mine}@x>` },
      "t1"
    ],
    ["to a number with a comma and an address reaches nobody", { called: `${mine},192.0.2.3:5060` }, undefined],
    [
      "with surplus arguments of the dialplan reaches nobody",
      { called: mine, args: ["inbound", "carrier", mine] },
      undefined
    ],
    ["of an unknown kind reaches nobody", { called: mine, args: ["inbound", "somebody"] }, undefined],
    [
      "of a channel that Asterisk itself has made reaches nobody",
      { called: mine, endpoint: "Local/1@from-carrier-00000001;2" },
      undefined
    ]
  ])("%s", ([, change, tenant, carrier_from]) =>
    Effect.map(reaches({ ...call, ...change }, carrier_from), (who) => assert.strictEqual(who, tenant))
  )

  it.effect.each<[string, string, string]>([
    ["of a device that writes another user into the dialled number is a call of its own user", "u1", "u1"],
    ["of a browser is a call of its user", "u1-web", "u1"]
  ])("%s", ([, endpoint, from]) =>
    Effect.gen(function* () {
      const { ari, registry } = yield* makeWorld()
      const options = { ari, carrier: "carrier", tenantOf: () => Effect.undefined, trunks: registry.trunks }
      const called = "+254711000200,u2"
      const who = yield* identifyCaller(options, event({ ...call, endpoint, called, args: ["inbound", "user"] }))
      assert.deepInclude(who, { tenant_pbx_id: "t1", direction: "outbound", from, to: called })
    })
  )

  it.each([
    ['"Acme" <sip:+254700000001@192.0.2.9;user=phone>', "+254700000001"],
    ["sip:acme@192.0.2.9", ""]
  ])("reads the number of the To header %s", (header, number) => assert.strictEqual(numberInTo(header), number))
})
