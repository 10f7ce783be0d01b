// What the engine wants a PBX to hold of its tenants becomes objects of Asterisk's SIP stack.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { PbxEventData } from "../../../../src/domain/pbx/PbxEvent.ts"
import type { TenantAction, TrunkTarget } from "../../../../src/domain/pbx/TenantCommand.ts"
import type { Ari, AriAnswer } from "../../../../src/layers/pbx/asterisk/Ari.ts"
import type { AriEvent } from "../../../../src/layers/pbx/asterisk/AriEvent.ts"
import { Registry } from "../../../../src/layers/pbx/asterisk/Registry.ts"
import { putTrunk } from "../../../../src/layers/pbx/asterisk/TrunkObjects.ts"

interface Asked {
  readonly what: string
  readonly fields: Readonly<Record<string, string>> | undefined
}

const dynamic = "/asterisk/config/dynamic/res_pjsip/"

const makeWorld = (answer: (path: string) => AriAnswer = () => ({ status: 200, body: {} })) => {
  const asked: Array<Asked> = []
  const told: Array<readonly [string, string, PbxEventData]> = []
  const ari: Ari = {
    request: (method, path, _query, body) =>
      Effect.sync(() => {
        const given = body as { readonly fields: ReadonlyArray<{ readonly attribute: string; readonly value: string }> } | undefined
        asked.push({
          what: `${method} ${path.replace(dynamic, "")}`,
          fields: given && Object.fromEntries(given.fields.map(({ attribute, value }) => [attribute, value]))
        })
        return answer(path)
      }),
    download: () => Effect.succeed(Buffer.alloc(0)),
    follow: () => Effect.never
  }
  const registry = new Registry({ ari, media_timeout: false, now: () => 1_000, report: (tenant, type, data) => void told.push([tenant, type, data]) })
  const carryOut = (action: TenantAction, tenant_pbx_id = "t1") =>
    Effect.orDie(registry.carryOut({ id: "c", about: "a", tenant_pbx_id, action }))
  return { asked, told, registry, carryOut }
}

const user: Extract<TenantAction, { kind: "registrar.put" }> = {
  kind: "registrar.put", credential_id: "k1", username: "1001-abc", password: "p2", extension: "1001", number: "+254700000001", max_contacts: 3
}
const target: TrunkTarget = {
  auth_mode: "digest", host: "sip.example.net", port: 5062, transport: "tcp", allowed_ips: ["192.0.2.0/28"], username: "acme", password: "secret",
  max_channels: 30, max_cps: 5, codecs: ["PCMA", "G729", "PCMU"], dtmf: "info", srtp: "optional", session_timer_seconds: 0, caller_id_format: "e164"
}
const trunk = (trunk_id: string, change: Partial<TrunkTarget> = {}): TenantAction => ({ kind: "trunk.put", trunk_id, target: { ...target, ...change } })
const heard = (resource: string, contact_status: string): Extract<AriEvent, { type: "ContactStatusChange" }> => ({
  type: "ContactStatusChange", timestamp: "2026-11-20T12:00:00.000+0000", endpoint: { resource }, contact_info: { uri: `sip:${resource}@192.0.2.9`, contact_status }
})

describe("a credential", () => {
  it.effect("lets devices register with its password, and with the one before while that is good", () =>
    Effect.gen(function*() {
      const { asked, carryOut } = makeWorld()
      assert.isUndefined(yield* carryOut({ ...user, previous_password: "p1" }))
      assert.deepStrictEqual(asked.map(({ what }) => what), ["PUT auth/1001-abc", "PUT auth/1001-abc-former", "PUT aor/1001-abc", "PUT endpoint/1001-abc"])
      assert.deepStrictEqual(asked.slice(0, 2).map(({ fields }) => fields?.["password"]), ["p2", "p1"])
      assert.deepInclude(asked[3]!.fields, { auth: "1001-abc,1001-abc-former", context: "from-user", accountcode: "t1" })
      yield* carryOut(user)
      assert.strictEqual(asked[5]!.what, "DELETE auth/1001-abc-former")
      assert.strictEqual(asked[7]!.fields?.["auth"], "1001-abc")
    }))

  it.effect("that is deleted leaves nothing behind", () =>
    Effect.gen(function*() {
      const { asked, carryOut, registry, told } = makeWorld(() => ({ status: 404, body: undefined }))
      assert.isUndefined(yield* carryOut({ kind: "registrar.delete", credential_id: "k1", username: "1001-abc" }))
      assert.deepStrictEqual(asked.map(({ what }) => what), ["endpoint", "aor", "auth"].map((type) => `DELETE ${type}/1001-abc`).toSpliced(2, 0, "DELETE auth/1001-abc-former"))
      registry.told(heard("1001-abc", "Removed"), 2_000)
      assert.deepStrictEqual(told, [])
    }))

  it.effect("tells where its devices are, and when one is gone", () =>
    Effect.gen(function*() {
      const { carryOut, registry, told } = makeWorld()
      yield* carryOut(user)
      for (const status of ["NonQualified", "Removed"]) registry.told(heard("1001-abc", status), 2_000)
      const contact = { username: "1001-abc", contact: "sip:1001-abc@192.0.2.9" }
      assert.deepStrictEqual(told, [
        ["t1", "registration.changed", { ...contact, registration: "registered", expires_at: new Date(602_000).toISOString() }],
        ["t1", "registration.changed", { ...contact, registration: "unregistered" }]
      ])
    }))

  it.effect("is refused where Asterisk refuses it", () =>
    Effect.gen(function*() {
      const { carryOut } = makeWorld((path) => ({ status: path.includes("/aor/") ? 400 : 200, body: {} }))
      assert.strictEqual(yield* carryOut(user), "Asterisk refuses this aor.")
    }))
})

describe("a trunk", () => {
  it.effect("is called as it wants to be, with what this gateway can speak", () =>
    Effect.gen(function*() {
      const { asked, carryOut } = makeWorld()
      assert.isUndefined(yield* carryOut(trunk("k.1")))
      assert.deepStrictEqual(asked.map(({ what }) => what), ["auth", "aor", "endpoint", "identify"].map((type) => `PUT ${type}/trunk-k.1`))
      assert.strictEqual(asked[1]!.fields?.["contact"], "sip:sip.example.net:5062;transport=tcp")
      assert.deepInclude(asked[2]!.fields, {
        allow: "alaw,ulaw", dtmf_mode: "info", media_encryption: "sdes", media_encryption_optimistic: "yes", timers: "no", outbound_auth: "trunk-k.1", accountcode: "t1"
      })
      assert.deepStrictEqual(asked[3]!.fields, { endpoint: "trunk-k.1", match: "192.0.2.0/28" })
      assert.notProperty(asked[2]!.fields, "rtp_timeout")
    }))

  it("watches for silence only where it is asked to", () => {
    const action = trunk("k.1")
    if (action.kind !== "trunk.put") throw new Error("It is put.")
    const fields = (media_timeout: boolean) => putTrunk(action, { tenant_pbx_id: "t1", media_timeout }).find(({ type }) => type === "endpoint")!.fields!
    assert.deepInclude(fields(true), { rtp_timeout: 60, rtp_timeout_hold: 120 })
    assert.notProperty(fields(false), "rtp_timeout")
  })

  it.effect.each<[string, Partial<TrunkTarget>]>([
    ["one to register with", { auth_mode: "registration" }],
    ["TLS", { transport: "tls" }],
    ["a codec that is not there", { codecs: ["G729"] }]
  ])("is refused for %s", ([, change]) =>
    Effect.gen(function*() {
      const { asked, carryOut, registry } = makeWorld()
      assert.isString(yield* carryOut(trunk("k.1", change)))
      assert.deepStrictEqual(asked, [])
      assert.isUndefined(registry.trunks.of("t1"))
    }))

  it.effect("serves its tenant until it is deleted, then the next one does", () =>
    Effect.gen(function*() {
      const { carryOut, registry } = makeWorld()
      yield* carryOut(trunk("k.1"))
      yield* carryOut(trunk("k.2"))
      assert.deepStrictEqual([registry.trunks.of("t1"), registry.trunks.of("t2")], ["trunk-k.1", undefined])
      yield* carryOut({ kind: "trunk.delete", trunk_id: "k.1" })
      assert.strictEqual(registry.trunks.of("t1"), "trunk-k.2")
    }))

  it.effect("tells whether it is there when it is asked, and when that changes", () =>
    Effect.gen(function*() {
      for (const [state, reachable] of [["online", true], ["offline", false]] as const) {
        const { carryOut, registry, told } = makeWorld((path) => ({ status: 200, body: path.startsWith("/endpoints") ? { state } : {} }))
        yield* carryOut(trunk("k.1"))
        yield* carryOut({ kind: "trunk.probe", trunk_id: "k.1" })
        registry.told(heard("trunk-k.1", reachable ? "Unreachable" : "Reachable"), 2_000)
        assert.deepStrictEqual(told.map(([, , data]) => data.reachable), [reachable, !reachable])
      }
    }))
})
