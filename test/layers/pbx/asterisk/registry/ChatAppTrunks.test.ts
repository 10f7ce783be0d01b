// How Asterisk is configured for the trunks of a chat app's provider, and how their state is reported.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { TenantAction, TrunkTarget } from "../../../../../src/domain/pbx/TenantCommand.ts"
import type { AriResponse } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { putChatApp } from "../../../../../src/layers/pbx/asterisk/registry/ChatAppObjects.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"
import { pbxTrunkId } from "../../../../support/Ids.ts"

const number = "+254711223344"
const target: TrunkTarget = {
  auth_mode: "digest",
  host: "sip.provider.example",
  port: 5061,
  transport: "tls",
  allowed_ips: [],
  username: "254711223344",
  password: "secret",
  max_channels: null,
  max_cps: null,
  codecs: ["opus", "PCMA"],
  dtmf: "rfc4733",
  srtp: "required",
  session_timer_seconds: 0,
  caller_id_format: "e164"
}
const first = pbxTrunkId("chatapp-k.1")
const second = pbxTrunkId("chatapp-k.2")
const put = (trunk_id = first, change: Partial<TrunkTarget> = {}, chatapp = { number, host: "sip.example.com" }) =>
  ({ kind: "trunk.put", trunk_id, target: { ...target, ...change }, chatapp }) satisfies TenantAction

/** The fields of an object as ARI reports them. */
const reported = (fields: Readonly<Record<string, string>>): AriResponse => ({
  status: 200,
  body: Object.entries(fields).map(([attribute, value]) => ({ attribute, value }))
})
/** A state of Asterisk: what it says of its transport, of the provider and of the objects of the number. */
const asterisk =
  (says: Readonly<Record<string, AriResponse>> = {}) =>
  (path: string): AriResponse => {
    const known = Object.entries(says).find(([end]) => path.endsWith(end))
    if (known !== undefined) return known[1]
    if (path.endsWith("/transport/tls")) return reported({ verify_server: "Yes", ca_list_file: "/ca.pem" })
    return { status: 200, body: {} }
  }
const online = { "/endpoints/PJSIP/trunk-chatapp-k.1": { status: 200, body: { state: "online" } } }

/** Lets the work that was begun go on for this long. */
const passes = (time: "1 second" | "10 seconds") => TestClock.adjust(time)

describe("the Asterisk configuration of a chat app's trunk", () => {
  const [auth, aor, outgoing, incoming] = putChatApp(put(), { tenant_pbx_id: "t1", media_timeout: false })

  it("calls the provider over TLS, as the number, with a password and SRTP", () => {
    assert.deepStrictEqual(auth?.fields, { auth_type: "userpass", username: "254711223344", password: "secret" })
    assert.deepStrictEqual(aor?.fields, {
      contact: "sip:sip.provider.example:5061;transport=tls",
      qualify_frequency: 30,
      qualify_timeout: 3
    })
    assert.strictEqual(outgoing?.id, "trunk-chatapp-k.1")
    assert.deepInclude(outgoing?.fields, {
      outbound_auth: "trunk-chatapp-k.1",
      from_user: number,
      from_domain: "sip.example.com",
      identify_by: "ip",
      transport: "tls",
      allow: "opus,alaw",
      media_encryption: "sdes",
      media_encryption_optimistic: "no",
      accountcode: "t1"
    })
  })

  it("takes calls only from who knows the password, and believes nothing else", () => {
    assert.strictEqual(incoming?.id, "254711223344")
    assert.deepInclude(incoming?.fields, {
      auth: "trunk-chatapp-k.1",
      identify_by: "auth_username",
      trust_id_inbound: "no",
      media_encryption: "sdes",
      media_encryption_optimistic: "no",
      accountcode: "t1"
    })
    for (const absent of ["aors", "outbound_auth"]) assert.notProperty(incoming?.fields, absent)
  })

  it("sends nothing within a call that the provider refuses", () => {
    for (const object of [outgoing, incoming])
      assert.deepInclude(object?.fields, { timers: "no", send_connected_line: "no", direct_media: "no" })
  })
})

describe("a chat app's trunk", () => {
  it.effect.each<[string, TenantAction]>([
    ["digest", put(first, { auth_mode: "ip" })],
    ["TLS", put(first, { transport: "udp" })],
    ["SRTP", put(first, { srtp: "optional" })],
    ["user name", put(first, { username: "carrier" })],
    ["password", put(first, { password: "a\r\nb" })],
    ["host names", put(first, { host: "a;maddr=b" })],
    ["host names", put(first, {}, { number, host: "a>b" })],
    ["E.164", put(first, { username: "x" }, { number: "x", host: "sip.example.com" })],
    ["codecs", put(first, { codecs: ["G729"] })],
    ["begins with chatapp-", put(pbxTrunkId("k.1"))]
  ])("is refused without what it needs: %s", ([what, action]) =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld(asterisk())
      assert.include(yield* carryOut(action), what)
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect.each<[string, Readonly<Record<string, AriResponse>>]>([
    ["no transport for tls", { "/transport/tls": { status: 404, body: {} } }],
    ["does not verify certificates", { "/transport/tls": reported({ verify_server: "No" }) }],
    ["no SRTP", { "/modules/res_srtp.so": { status: 404, body: {} } }]
  ])("is refused by an Asterisk with %s", ([what, says]) =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld(asterisk(says))
      assert.include(yield* carryOut(put()), what)
      assert.notInclude(asked.map(({ what }) => what).join(), "PUT")
    })
  )

  it.effect("names the provider's host, although that is one of the platform's", () =>
    Effect.gen(function* () {
      const { carryOut } = yield* makeWorld(asterisk(), [target.host])
      assert.isUndefined(yield* carryOut(put()))
    })
  )

  it.effect("has no address from which calls of others would be taken for its own", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld(asterisk())
      yield* carryOut(put())
      assert.deepStrictEqual(
        asked.map(({ what }) => what).filter((what) => what.startsWith("PUT")),
        [
          "PUT auth/trunk-chatapp-k.1",
          "PUT aor/trunk-chatapp-k.1",
          "PUT endpoint/trunk-chatapp-k.1",
          "PUT endpoint/254711223344"
        ]
      )
    })
  )

  const auths = (owner: string) => ({
    "/auth/trunk-chatapp-k.1": reported({ username: "254711223344" }),
    "/endpoint/254711223344": reported({ auth: owner })
  })

  it.effect("is deleted with what takes its calls, also by an engine that did not set it up", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld(asterisk(auths("trunk-chatapp-k.1")))
      yield* carryOut({ kind: "trunk.delete", trunk_id: first })
      assert.deepStrictEqual(
        asked.map(({ what }) => what).filter((what) => what.startsWith("DELETE")),
        [
          "DELETE endpoint/254711223344",
          "DELETE endpoint/trunk-chatapp-k.1",
          "DELETE aor/trunk-chatapp-k.1",
          "DELETE auth/trunk-chatapp-k.1"
        ]
      )
    })
  )

  it.effect("that a newer one has followed leaves that one its calls", () =>
    Effect.gen(function* () {
      const { asked, carryOut, registry } = yield* makeWorld(asterisk(auths("trunk-chatapp-k.2")))
      yield* carryOut(put(first))
      yield* carryOut(put(second))
      yield* carryOut({ kind: "trunk.delete", trunk_id: first })
      assert.notInclude(
        asked.map(({ what }) => what),
        "DELETE endpoint/254711223344"
      )
      assert.strictEqual(registry.chat_apps.trunkOf("254711223344")?.trunk_id, second)
      yield* carryOut({ kind: "trunk.delete", trunk_id: second })
      assert.isUndefined(registry.chat_apps.trunkOf("254711223344"))
    })
  )
})

describe("the state of a chat app's trunk", () => {
  const state = (reachable: boolean, more: object = {}) =>
    ["t1", "trunk.state", { trunk_id: first, reachable, sip_code: reachable ? 200 : 408, ...more }] as const
  const probe = { kind: "trunk.probe", trunk_id: first } satisfies TenantAction
  const contact = (contact_status: string) =>
    ({
      type: "ContactStatusChange",
      timestamp: "2026-11-20T12:00:00.000+0000",
      endpoint: { resource: "trunk-chatapp-k.1" },
      contact_info: { uri: "sip:sip.provider.example:5061", contact_status }
    }) as const

  it.effect("is reported when the provider answers a probe", () =>
    Effect.gen(function* () {
      const { carryOut, qualified, told } = yield* makeWorld(asterisk(online))
      yield* carryOut(put())
      yield* carryOut(probe)
      yield* passes("1 second")
      assert.deepStrictEqual(told, [state(true)])
      assert.deepStrictEqual(qualified, ["trunk-chatapp-k.1"])
    })
  )

  it.effect.each(["certificate_name", "certificate_untrusted", "certificate_expired", undefined] as const)(
    "is reported with its reason when a probe is not answered in time: %s",
    (reason) =>
      Effect.gen(function* () {
        const { carryOut, certificate, told } = yield* makeWorld(asterisk())
        certificate.fault = reason
        yield* carryOut(put())
        yield* carryOut(probe)
        yield* passes("1 second")
        assert.deepStrictEqual(told, [])
        yield* passes("10 seconds")
        assert.deepStrictEqual(told, [state(false, reason === undefined ? {} : { reason })])
      })
  )

  it.effect("is reported when the provider goes and comes back, and what is newer counts", () =>
    Effect.gen(function* () {
      const { carryOut, registry, told } = yield* makeWorld(asterisk())
      yield* carryOut(put())
      registry.contactChanged(contact("Unreachable"), 5)
      yield* passes("1 second")
      registry.contactChanged(contact("Reachable"), 6)
      assert.deepStrictEqual(told.splice(0), [state(false), state(true)])
      yield* carryOut(probe)
      registry.contactChanged(contact("Reachable"), 7)
      yield* passes("10 seconds")
      assert.deepStrictEqual(told, [state(true)])
    })
  )

  it.effect("of a trunk that Asterisk does not have is reported as not reachable", () =>
    Effect.gen(function* () {
      const { carryOut, told } = yield* makeWorld(asterisk())
      yield* carryOut(probe)
      assert.deepStrictEqual(told, [state(false)])
    })
  )
})
