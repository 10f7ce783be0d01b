// Whose call it is that comes from a provider at which several tenants have trunks.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calledNumbers } from "../../../../src/domain/numbers/SipParty.ts"
import type { TenantAction } from "../../../../src/domain/pbx/TenantCommand.ts"
import { NumberPlan } from "../../../../src/domain/ports/NumberPlan.ts"
import { identifyCaller } from "../../../../src/layers/pbx/asterisk/Incoming.ts"
import * as LibPhoneNumber from "../../../../src/layers/numberplan/LibPhoneNumber.ts"
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
}

const reached = Effect.fnUntraced(function* ({ called, home, sender, ugandan = true }: Case) {
  const { ari, carryOut, registry } = yield* makeWorld((path, variable) => {
    if (variable === "CHANNEL(pjsip,remote_addr)") return { status: 200, body: { value: `${provider}:5060` } }
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
    { ari, carrier: "carrier", numbers, trunks: registry.trunks },
    {
      type: "StasisStart",
      timestamp: "2026-11-20T12:00:00.000+0000",
      args: ["inbound", "carrier"],
      channel: {
        id: "1.1",
        state: "Ring",
        name: `PJSIP/trunk-${sender}.1-0000002a`,
        accountcode: sender,
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
})
