// Whose call it is that comes from a provider at which several tenants have trunks.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calledNumbers } from "../../../../src/domain/numbers/SipParty.ts"
import type { TenantAction } from "../../../../src/domain/pbx/TenantCommand.ts"
import { NumberPlan } from "../../../../src/domain/ports/numbers/NumberPlan.ts"
import { identifyCaller } from "../../../../src/layers/pbx/asterisk/calls/Incoming.ts"
import * as LibPhoneNumber from "../../../../src/layers/numberplan/LibPhoneNumber.ts"
import { sharedEndpoint } from "../../../../src/layers/pbx/asterisk/registry/TrunkObjects.ts"
import { makeWorld } from "../../../support/AsteriskRegistry.ts"
import { pbxTrunkId } from "../../../support/Ids.ts"

const provider = "9.9.9.9"
const { read } = Effect.runSync(Effect.provide(NumberPlan, LibPhoneNumber.layer))
const countries: Readonly<Record<string, ReadonlyArray<string>>> = { kenyan: ["KE"], ugandan: ["UG"], rwandan: ["RW"] }
/** Both are 0712 345678 at home. */
const kenyas = "+254712345678"
const ugandas = "+256712345678"

const put = (tenant: string): TenantAction => ({
  kind: "trunk.put",
  trunk_id: pbxTrunkId(`${tenant}.1`),
  target: {
    auth_mode: "digest",
    host: "sip.provider.example",
    addresses: [provider],
    port: 5060,
    transport: "udp",
    allowed_ips: [],
    max_channels: 1,
    max_cps: 1,
    codecs: ["PCMA"],
    dtmf: "info",
    srtp: "off",
    session_timer_seconds: 0,
    caller_id_format: "e164"
  }
})

interface Case {
  /** The tenant whose trunk Asterisk takes for the sender. */
  readonly sender: string
  readonly called: string
  /** Whose the Ugandan number is, if anybody's. */
  readonly ugandan?: boolean
  /** The country of the carrier. */
  readonly home?: string
  /** Asterisk took no tenant's trunk for the sender, but the endpoint for shared addresses. */
  readonly is_shared?: boolean
  /** Where the call comes from. Default: the provider. */
  readonly from?: string
}

const reached = Effect.fnUntraced(function* ({
  called,
  from = provider,
  home,
  is_shared,
  sender,
  ugandan = true
}: Case) {
  const { ari, carryOut, registry } = yield* makeWorld((path, variable) => {
    if (variable === "CHANNEL(pjsip,remote_addr)") return { status: 200, body: { value: `${from}:5060` } }
    const match = path.endsWith("/carrier") ? "8.8.8.8" : `${provider}/255.255.255.255`
    return { status: 200, body: path.includes("/identify/") ? [{ attribute: "match", value: match }] : {} }
  })
  for (const tenant of Object.keys(countries)) yield* carryOut(put(tenant), tenant)
  const numbers = {
    read: (text: string, tenant: string | undefined) =>
      Effect.succeed(
        calledNumbers(text, [...(countries[tenant ?? ""] ?? []), ...(home === undefined ? [] : [home])], read)
      ),
    tenantOf: (number: string) =>
      Effect.succeed(number === kenyas ? "kenyan" : number === ugandas && ugandan ? "ugandan" : undefined)
  }
  const found = yield* identifyCaller(
    { ari, carrier: "carrier", numbers, trunks: registry.trunks, chat_apps: registry.chat_apps },
    {
      type: "StasisStart",
      timestamp: "2026-11-20T12:00:00.000+0000",
      args: ["inbound", "carrier"],
      channel: {
        id: "1.1",
        state: "Ring",
        name: `PJSIP/${is_shared ? sharedEndpoint : `trunk-${sender}.1`}-0000002a`,
        accountcode: is_shared ? "" : sender,
        dialplan: { exten: called },
        caller: { number: "+254711000001", name: "" }
      }
    }
  )
  return found?.tenant_pbx_id
})

describe("a call from a provider that tenants share", () => {
  it.effect.each<[string, Case, string | undefined]>([
    ["with the country code reaches its number", { sender: "ugandan", called: kenyas }, "kenyan"],
    [
      "in national form reaches the only tenant that has the number",
      { sender: "ugandan", called: "0712345678", ugandan: false },
      "kenyan"
    ],
    [
      "reaches that tenant, too, if Asterisk took a third one for the sender",
      { sender: "rwandan", called: "0712345678", ugandan: false },
      "kenyan"
    ],
    [
      "in national form reaches neither of two tenants that may have the number",
      { sender: "ugandan", called: "0712345678" },
      undefined
    ],
    [
      "reaches neither of them if Asterisk took the other for the sender",
      { sender: "kenyan", called: "0712345678" },
      undefined
    ],
    [
      "in national form reaches the tenant in the carrier's country",
      { sender: "ugandan", called: "0712345678", home: "KE" },
      "kenyan"
    ],
    [
      "reaches the tenant in the carrier's country, and not the sender before it",
      { sender: "kenyan", called: "0712345678", home: "UG" },
      "ugandan"
    ]
  ])("%s", ([, call, tenant]) => Effect.map(reached(call), (found) => assert.strictEqual(found, tenant)))

  it.effect.each<[string, Omit<Case, "sender">, string | undefined]>([
    ["with the country code reaches its number", { called: kenyas }, "kenyan"],
    [
      "in national form reaches the only tenant that has the number",
      { called: "0712345678", ugandan: false },
      "kenyan"
    ],
    ["in national form reaches neither of two tenants that may have it", { called: "0712345678" }, undefined],
    ["in national form reaches the tenant in the carrier's country", { called: "0712345678", home: "UG" }, "ugandan"],
    ["from another address reaches nobody", { called: kenyas, from: "9.9.9.10" }, undefined],
    ["from the carrier's address reaches every number", { called: kenyas, from: "8.8.8.8" }, "kenyan"]
  ])("over the endpoint for shared addresses %s", ([, call, tenant]) =>
    Effect.map(reached({ ...call, sender: "", is_shared: true }), (found) => assert.strictEqual(found, tenant))
  )
})

describe("trunks of several tenants at one address", () => {
  const moved = (
    asked: ReadonlyArray<{ readonly what: string; readonly fields?: Record<string, string> | undefined }>
  ) =>
    asked.flatMap(({ fields, what }) =>
      what.startsWith("PUT identify/") ? [`${what.slice(13)} ${fields?.["endpoint"]}`] : []
    )

  it.effect("take their calls over one endpoint, which asks for nothing of one tenant's", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld()
      yield* carryOut(put("kenyan"), "kenyan")
      assert.deepStrictEqual(moved(asked.splice(0)), ["trunk-kenyan.1 trunk-kenyan.1"])
      yield* carryOut(put("ugandan"), "ugandan")
      const shared = asked.find(({ what }) => what === `PUT endpoint/${sharedEndpoint}`)
      assert.deepInclude(shared?.fields, { media_encryption_optimistic: "yes", allow: "alaw,ulaw,opus,g722" })
      assert.notProperty(shared?.fields, "accountcode")
      assert.deepStrictEqual(moved(asked.splice(0)), [
        `trunk-ugandan.1 ${sharedEndpoint}`,
        `trunk-kenyan.1 ${sharedEndpoint}`
      ])
      // Put again, by a probe.
      yield* carryOut(put("kenyan"), "kenyan")
      assert.deepStrictEqual(moved(asked.splice(0)), [`trunk-kenyan.1 ${sharedEndpoint}`])
    })
  )

  it.effect("of one tenant, or at different addresses, keep their own endpoints", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld()
      const at = (id: string, address: string): TenantAction => {
        const action = put(id)
        return action.kind === "trunk.put" ? { ...action, target: { ...action.target, addresses: [address] } } : action
      }
      yield* carryOut(at("a", "9.9.9.9"), "one")
      yield* carryOut(at("b", "9.9.9.9"), "one")
      yield* carryOut(at("c", "9.9.9.10"), "two")
      yield* carryOut({ kind: "trunk.delete", trunk_id: pbxTrunkId("c.1") }, "two")
      yield* carryOut(at("d", "9.9.9.10"), "three")
      assert.deepStrictEqual(
        asked.filter(({ what }) => what.endsWith(sharedEndpoint)),
        []
      )
      assert.deepStrictEqual(
        moved(asked),
        ["a", "b", "c", "d"].map((id) => `trunk-${id}.1 trunk-${id}.1`)
      )
    })
  )
})
