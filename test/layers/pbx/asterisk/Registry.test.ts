// How SIP credentials become objects of Asterisk's SIP stack, and how registrations are reported.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { TenantAction } from "../../../../src/domain/pbx/TenantCommand.ts"
import type { AriResponse } from "../../../../src/layers/pbx/asterisk/Ari.ts"
import { contactId } from "../../../../src/layers/pbx/asterisk/Contacts.ts"
import { heard, makeWorld } from "../../../support/AsteriskRegistry.ts"
import { credentialId } from "../../../support/Ids.ts"

const user: Extract<TenantAction, { kind: "registrar.put" }> = {
  kind: "registrar.put",
  credential_id: credentialId("k1"),
  username: "1001-abc",
  password: "p2",
  extension: "1001",
  number: "+254700000001",
  max_contacts: 3
}
/** Asterisk's answers about registered devices: `contacts` as it dials them, with the expiry of each in seconds. */
const registered =
  (contacts: ReadonlyMap<string, number>) =>
  (path: string, variable: string): AriResponse => {
    const dialled = [...contacts.keys()].map((contact) => contact.split(" ") as [string, string])
    if (path.endsWith("/variable")) {
      const own = dialled.filter(([endpoint]) => variable === `PJSIP_DIAL_CONTACTS(${endpoint})`)
      return { status: 200, body: { value: own.map(([endpoint, uri]) => `PJSIP/${endpoint}/${uri}`).join("&") } }
    }
    const found = dialled.find(([endpoint, uri]) =>
      path.endsWith(`/contact/${encodeURIComponent(contactId({ endpoint, uri }))}`)
    )
    if (found === undefined) return { status: path.includes("/contact/") ? 404 : 200, body: {} }
    const fields = {
      uri: found[1],
      user_agent: "Phone \ud800 1",
      expiration_time: String(contacts.get(found.join(" ")))
    }
    return { status: 200, body: Object.entries(fields).map(([attribute, value]) => ({ attribute, value })) }
  }
const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("a credential", () => {
  it.effect("lets devices register with its password, and with the previous one during the grace period", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld()
      assert.isUndefined(yield* carryOut({ ...user, previous_password: "p1" }))
      const put = asked.slice(0, 8)
      assert.deepStrictEqual(
        put.map(({ what }) => what),
        ["1001-abc", "1001-abc-web"].flatMap((name) => [
          `PUT auth/${name}`,
          `PUT auth/${name}-former`,
          `PUT aor/${name}`,
          `PUT endpoint/${name}`
        ])
      )
      assert.deepStrictEqual(
        put.slice(0, 2).map(({ fields }) => fields?.["password"]),
        ["p2", "p1"]
      )
      assert.deepInclude(put[3]!.fields, {
        auth: "1001-abc,1001-abc-former",
        context: "from-user",
        accountcode: "t1",
        identify_by: "username,auth_username"
      })
      asked.length = 0
      yield* carryOut(user)
      assert.strictEqual(asked[1]!.what, "DELETE auth/1001-abc-former")
      assert.strictEqual(asked[3]!.fields?.["auth"], "1001-abc")
    })
  )

  it.effect(
    "has a separate endpoint for browsers, which is identified by authentication only and never outlives a token",
    () =>
      Effect.gen(function* () {
        const { asked, carryOut } = yield* makeWorld()
        yield* carryOut(user)
        const fieldsOf = (what: string) => asked.find((each) => each.what === what)?.fields
        assert.deepInclude(fieldsOf("PUT auth/1001-abc-web"), { username: "1001-abc-web", password: "p2" })
        assert.deepInclude(fieldsOf("PUT aor/1001-abc-web"), { minimum_expiration: "1", maximum_expiration: "3600" })
        assert.deepInclude(fieldsOf("PUT endpoint/1001-abc-web"), {
          webrtc: "yes",
          dtls_auto_generate_cert: "yes",
          identify_by: "auth_username",
          aors: "1001-abc-web",
          accountcode: "t1",
          rtp_timeout: "30"
        })
        assert.notProperty(fieldsOf("PUT endpoint/1001-abc"), "webrtc")
      })
  )

  it.effect("refreshes the sessions of phones, and offers them SRTP without demanding it", () =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld()
      yield* carryOut(user)
      assert.deepInclude(asked.find(({ what }) => what === "PUT endpoint/1001-abc")?.fields, {
        timers: "always",
        timers_sess_expires: "300",
        media_encryption: "sdes",
        media_encryption_optimistic: "yes"
      })
    })
  )

  it.effect.each<["sdes" | "dtls", string]>([
    ["sdes", "no"],
    ["dtls", "yes"]
  ])("demands SRTP by %s of phones where the credential does", ([media_encryption, dtls_auto_generate_cert]) =>
    Effect.gen(function* () {
      const { asked, carryOut } = yield* makeWorld()
      yield* carryOut({ ...user, media_encryption })
      assert.deepInclude(asked.find(({ what }) => what === "PUT endpoint/1001-abc")?.fields, {
        media_encryption,
        media_encryption_optimistic: "no",
        dtls_auto_generate_cert
      })
    })
  )

  it.effect("leaves no objects behind when it is deleted", () =>
    Effect.gen(function* () {
      const { asked, carryOut, registry, told } = yield* makeWorld(() => ({ status: 404, body: undefined }))
      assert.isUndefined(
        yield* carryOut({ kind: "registrar.delete", credential_id: credentialId("k1"), username: "1001-abc" })
      )
      assert.deepStrictEqual(
        asked.map(({ what }) => what),
        ["1001-abc", "1001-abc-web"].flatMap((name) => [
          `DELETE endpoint/${name}`,
          `DELETE aor/${name}`,
          `DELETE auth/${name}-former`,
          `DELETE auth/${name}`
        ])
      )
      registry.contactChanged(heard("1001-abc", "Removed"), 2_000)
      assert.deepStrictEqual(told, [])
    })
  )

  it.effect("reports the contact and expiry of a device at each registration, and when it unregisters", () =>
    Effect.gen(function* () {
      const uri = "sip:1001-abc-web@192.0.2.9"
      const contacts = new Map<string, number>()
      const { carryOut, registry, told } = yield* makeWorld(registered(contacts))
      yield* carryOut(user)
      yield* settled
      contacts.set(`1001-abc-web ${uri}`, 100)
      registry.contactChanged(heard("1001-abc-web", "NonQualified"), 2_000)
      yield* settled
      const device = { username: "1001-abc", contact: uri }
      const is = (expires_at: number) =>
        [
          "t1",
          "registration.changed",
          {
            ...device,
            registration: "registered",
            expires_at: new Date(expires_at).toISOString(),
            transport: "udp",
            user_agent: "Phone  1"
          }
        ] as const
      assert.deepStrictEqual(told, [is(100_000)])
      contacts.set(`1001-abc-web ${uri}`, 190)
      yield* TestClock.adjust("97 seconds")
      assert.deepStrictEqual(told.slice(1), [is(190_000)])
      registry.contactChanged(heard("1001-abc-web", "Removed"), 120_000)
      assert.deepStrictEqual(told.slice(2), [
        ["t1", "registration.changed", { ...device, registration: "unregistered" }]
      ])
      yield* TestClock.adjust("5 minutes")
      assert.lengthOf(told, 3)
    })
  )

  it.effect(
    "detects devices that registered or left before the engine started or while Asterisk was disconnected",
    () =>
      Effect.gen(function* () {
        const contacts = new Map([
          ["1001-abc sip:a@192.0.2.1", 300],
          ["1001-abc-web sip:b@192.0.2.2;transport=WS", 300]
        ])
        const { asked, carryOut, registry, told } = yield* makeWorld(registered(contacts))
        yield* carryOut(user)
        yield* settled
        const news = () =>
          told.splice(0).map(([, , { contact, registration, transport }]) => `${registration} ${contact} ${transport}`)
        assert.deepStrictEqual(news(), ["registered sip:a@192.0.2.1 udp", "registered sip:b@192.0.2.2;transport=WS ws"])
        assert.deepStrictEqual(asked.at(-3)?.what, "DELETE /channels/lookup-u")
        contacts.delete("1001-abc sip:a@192.0.2.1")
        contacts.set("1001-abc sip:c@192.0.2.3", 300)
        yield* registry.users.refreshAll
        assert.deepStrictEqual(news(), [
          "unregistered sip:a@192.0.2.1 undefined",
          "registered sip:c@192.0.2.3 udp",
          "registered sip:b@192.0.2.2;transport=WS ws"
        ])
      })
  )

  it.effect("is rejected if Asterisk rejects it", () =>
    Effect.gen(function* () {
      const { carryOut } = yield* makeWorld((path) => ({ status: path.includes("/aor/") ? 400 : 200, body: {} }))
      assert.strictEqual(yield* carryOut(user), "Asterisk refused this aor.")
    })
  )
})
