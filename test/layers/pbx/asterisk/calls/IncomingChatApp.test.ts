// Which calls of a chat app's provider reach a workspace.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { TenantAction } from "../../../../../src/domain/pbx/TenantCommand.ts"
import { identifyCaller, type Incoming } from "../../../../../src/layers/pbx/asterisk/calls/Incoming.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"
import { pbxTrunkId } from "../../../../support/Ids.ts"

const number = "+254711223344"
const endpoint = "254711223344"
const trunk_id = pbxTrunkId("chatapp-k.1")
const put = (allowed_ips: ReadonlyArray<string>) =>
  ({
    kind: "trunk.put",
    trunk_id,
    chatapp: { number, host: "sip.example.com" },
    target: {
      auth_mode: "digest",
      host: "sip.provider.example",
      port: 5061,
      transport: "tls",
      allowed_ips: [...allowed_ips],
      username: endpoint,
      password: "secret",
      max_channels: null,
      max_cps: null,
      codecs: ["opus"],
      dtmf: "rfc4733",
      srtp: "required",
      session_timer_seconds: 0,
      caller_id_format: "e164"
    }
  }) satisfies TenantAction

interface Call {
  readonly endpoint: string
  readonly accountcode: string
  readonly called: string
  readonly caller: string
  readonly presentation: string
  /** `CHANNEL(pjsip,secure)` */
  readonly secure: string
  readonly remote: string
  readonly allowed_ips: ReadonlyArray<string>
  /** Whose number it is by now; undefined: nobody's. */
  readonly owner: string | undefined
}
const call: Call = {
  endpoint,
  accountcode: "t1",
  called: number,
  caller: "+254799000001",
  presentation: "allowed",
  secure: "1",
  remote: "192.0.2.3:5061",
  allowed_ips: [],
  owner: "t1"
}

const reached = (change: Partial<Call>) =>
  Effect.gen(function* () {
    const made = { ...call, ...change }
    const values: Readonly<Record<string, string>> = {
      "CHANNEL(pjsip,secure)": made.secure,
      "CHANNEL(pjsip,remote_addr)": made.remote,
      "CALLERID(num-pres)": made.presentation,
      // No attestation comes of it: the telephone network knows nothing of the users of the chat app.
      "PJSIP_HEADER(read,P-Asserted-Identity,1)": `<sip:${made.caller};verstat=TN-Validation-Passed-A@x>`
    }
    const { ari, carryOut, registry } = yield* makeWorld((path, variable) => {
      if (path.includes("/endpoint/")) return { status: 200, body: [{ attribute: "trust_id_inbound", value: "true" }] }
      if (path.endsWith("/transport/tls")) return { status: 200, body: [{ attribute: "verify_server", value: "true" }] }
      return { status: 200, body: values[variable] === undefined ? [] : { value: values[variable] } }
    })
    yield* carryOut(put(made.allowed_ips))
    return yield* identifyCaller(
      {
        ari,
        carrier: "carrier",
        trunks: registry.trunks,
        chat_apps: registry.chat_apps,
        numbers: { read: (called) => Effect.succeed([called]), tenantOf: () => Effect.succeed(made.owner) }
      },
      {
        type: "StasisStart",
        timestamp: "2026-11-20T12:00:00.000+0000",
        args: ["inbound", "carrier"],
        channel: {
          id: "1.1",
          state: "Ring",
          name: `PJSIP/${made.endpoint}-0000002a`,
          accountcode: made.accountcode,
          dialplan: { exten: made.called },
          caller: { number: made.caller, name: "" }
        }
      }
    )
  })

const incoming: Incoming = {
  tenant_pbx_id: "t1",
  direction: "inbound",
  from: "+254799000001",
  to: number,
  transport: "tls",
  chat_app: trunk_id
}

describe("a call of a chat app's provider", () => {
  it.effect.each<[string, Partial<Call>, object]>([
    ["with its caller", {}, {}],
    ["without plus signs", { called: endpoint, caller: "254799000001" }, {}],
    ["from a user without a number", { caller: "US.8412" }, { from: "anonymous" }],
    ["from a user who is not shown", { presentation: "prohib_passed_screen" }, { from: "anonymous" }],
    ["from one of the addresses that may call", { allowed_ips: ["192.0.2.0/28"] }, {}]
  ])("reaches the number of its trunk %s", ([, change, more]) =>
    Effect.map(reached(change), (found) => assert.deepStrictEqual(found, { ...incoming, ...more }))
  )

  it.effect.each<[string, Partial<Call>]>([
    ["for another number", { called: "+254711223345" }],
    ["for a number with more behind it", { called: `${number}@x` }],
    ["without TLS", { secure: "0" }],
    ["from an address that may not call", { allowed_ips: ["192.0.2.64/28"] }],
    ["for a number that is another tenant's by now", { owner: "t2" }],
    ["for a number that is nobody's any more", { owner: undefined }],
    ["over an endpoint that the engine did not set up", { endpoint: "254711223345" }],
    ["over the endpoint of outgoing calls", { endpoint: "trunk-chatapp-k.1" }]
  ])("reaches nobody %s", ([, change]) => Effect.map(reached(change), (found) => assert.isUndefined(found)))
})
