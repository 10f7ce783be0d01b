// Which tenant an inbound call belongs to, and which numbers it reaches.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calledNumbers } from "../../../../../src/domain/numbers/SipParty.ts"
import { NumberPlan } from "../../../../../src/domain/ports/numbers/NumberPlan.ts"
import * as LibPhoneNumber from "../../../../../src/layers/numberplan/LibPhoneNumber.ts"
import type { TenantAction, TrunkTarget } from "../../../../../src/domain/pbx/TenantCommand.ts"
import type { AriEvent } from "../../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { identifyCaller } from "../../../../../src/layers/pbx/asterisk/calls/Incoming.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"
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
const { read } = Effect.runSync(Effect.provide(NumberPlan, LibPhoneNumber.layer))
const put = (id: string) => ({ kind: "trunk.put", trunk_id: pbxTrunkId(id), target }) satisfies TenantAction
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
    /** `CALLERID(num-pres)`. */
    readonly presentation: string
    /** Headers of the INVITE, by name. */
    readonly headers: Readonly<Record<string, string>>
    /** `trust_id_inbound` of the endpoint. */
    readonly trust: string
  }
  const call: Call = {
    accountcode: "t1",
    called: theirs,
    remote: "192.0.2.3:5060",
    endpoint: "trunk-k.1",
    to: "sip:trunkline@192.0.2.1",
    args: ["inbound", "carrier"],
    presentation: "allowed",
    headers: {},
    trust: "true"
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

  const headerReads: Array<string> = []

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
      const header = /^PJSIP_HEADER\(read,(.+),1\)$/.exec(variable)?.[1]
      if (header !== undefined) headerReads.push(header)
      if (header !== undefined && call.headers[header] === undefined) return { status: 500, body: { message: "no" } }
      if (header !== undefined) return { status: 200, body: { value: call.headers[header] } }
      if (path.endsWith(`/endpoint/${call.endpoint}`))
        return { status: 200, body: [{ attribute: "trust_id_inbound", value: call.trust }] }
      if (variable === "CHANNEL(pjsip,remote_addr)") return { status: 200, body: { value: call.remote } }
      if (variable === "CALLERID(num-pres)") return { status: 200, body: { value: call.presentation } }
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
    const numbers = {
      read: (called: string, tenant: string | undefined) =>
        Effect.succeed(calledNumbers(called, tenant === "t1" ? ["KE"] : [], read)),
      tenantOf: (number: string) => Effect.succeed(number === mine ? "t1" : number === theirs ? "t2" : undefined)
    }
    return yield* identifyCaller(
      { ari, carrier: "carrier", numbers, trunks: registry.trunks, chat_apps: registry.chat_apps },
      event(call)
    )
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
    Effect.map(reaches({ ...call, ...change }, carrier_from), (who) => assert.strictEqual(who?.tenant_pbx_id, tenant))
  )

  it.effect.each<[string, Partial<Call>, string | undefined]>([
    ["with 00", { called: `00${mine.slice(1)}` }, mine],
    ["with parameters of a ported number", { called: `${mine};npdi;rn=+254799000000` }, mine],
    ["in the national form of the trunk's tenant", { called: "0700000001" }, mine],
    [
      "in national form from the carrier's address, although Asterisk took a trunk for the sender",
      { called: "0700000001", remote: "203.0.113.7:5060" },
      undefined
    ],
    ["in national form over the carrier, of no known country", { called: "0700000001", accountcode: "" }, undefined]
  ])("to a number %s reaches its number, or none", ([, change, to]) =>
    Effect.map(reaches({ ...call, ...change }), (who) => assert.strictEqual(who?.to, to))
  )

  it.effect.each<[string, string, string]>([
    ["who is shown", "allowed_not_screened", "+254711000001"],
    ["who asks for privacy", "prohib_not_screened", "anonymous"]
  ])("of a caller %s", ([, presentation, from]) =>
    Effect.map(reaches({ ...call, called: mine, presentation }), (who) => assert.strictEqual(who?.from, from))
  )

  const passed = "verstat=TN-Validation-Passed"
  const From = '"A" <sip:+254711000001@192.0.2.3>;tag=1'
  const identity = (parameters: string) => `<sip:+254711000001${parameters}@192.0.2.3;user=phone>`
  const overCarrier: Partial<Call> = { accountcode: "", endpoint: "carrier" }

  it.effect.each<[string, Partial<Call>, string | undefined]>([
    ["over a trunk", { headers: { From, "P-Asserted-Identity": identity(`;${passed}-B`) } }, "B"],
    ["over the carrier", { ...overCarrier, headers: { From, "P-Asserted-Identity": identity(`;${passed}-B`) } }, "B"],
    [
      "with the level in a header of its own",
      { headers: { From, "P-Asserted-Identity": identity(`;${passed}`), "P-Attestation-Indicator": "C" } },
      "C"
    ],
    ["in From", { headers: { From: `${From};verstat=TN-Validation-Failed` } }, "failed"],
    [
      "over a carrier whose endpoint does not trust it",
      { ...overCarrier, trust: "false", headers: { From, "P-Asserted-Identity": identity(`;${passed}-A`) } },
      undefined
    ],
    ["of an unknown value", { headers: { From, "P-Asserted-Identity": identity(";verstat=Passed") } }, undefined],
    ["without headers", { headers: {} }, undefined]
  ])("has its attestation %s", ([, change, attestation]) =>
    Effect.map(reaches({ ...call, called: mine, ...change }), (who) => {
      assert.strictEqual(who?.direction, "inbound")
      assert.strictEqual(who?.attestation, attestation)
    })
  )

  it.effect("that attests nothing costs two questions", () =>
    Effect.gen(function* () {
      headerReads.length = 0
      yield* reaches({ ...call, called: mine, headers: { From, "P-Attestation-Indicator": "A" } })
      assert.deepStrictEqual(headerReads.toSorted(), ["From", "P-Asserted-Identity"])
    })
  )

  it.effect("that reaches nobody is not asked for its attestation", () =>
    Effect.gen(function* () {
      headerReads.length = 0
      assert.isUndefined(yield* reaches({ ...call, headers: { From: `${From};${passed}-A` } }))
      assert.deepStrictEqual(headerReads, [])
    })
  )

  it.effect.each<[string, string, string]>([
    ["of a device that writes another user into the dialled number is a call of its own user", "u1", "u1"],
    ["of a browser is a call of its user", "u1-web", "u1"]
  ])("%s", ([, endpoint, from]) =>
    Effect.gen(function* () {
      const attested = { status: 200, body: { value: `<sip:+254711000001@x>;${passed}-A` } }
      const { ari, registry } = yield* makeWorld(() => attested)
      const numbers = { read: () => Effect.succeed([]), tenantOf: () => Effect.undefined }
      const options = { ari, carrier: "carrier", numbers, trunks: registry.trunks, chat_apps: registry.chat_apps }
      const called = "+254711000200,u2"
      const who = yield* identifyCaller(options, event({ ...call, endpoint, called, args: ["inbound", "user"] }))
      assert.deepInclude(who, { tenant_pbx_id: "t1", direction: "outbound", from, to: called })
      assert.notProperty(who, "attestation")
    })
  )
})
