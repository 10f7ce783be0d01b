// How SIP credentials become objects of Asterisk's SIP stack, and how registrations are reported.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { TenantAction } from "../../../../../src/domain/pbx/TenantCommand.ts"
import type { AriResponse } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { contactId } from "../../../../../src/layers/pbx/asterisk/registry/Contacts.ts"
import { heard, makeWorld, transport } from "../../../../support/AsteriskRegistry.ts"
import { credentialId } from "../../../../support/Ids.ts"

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
  (contacts: ReadonlyMap<string, number>, is_own_connection = (uri: string) => uri.includes("transport=")) =>
  (path: string, variable: string): AriResponse => {
    const dialled = [...contacts.keys()].map((contact) => contact.split(" ") as [string, string])
    if (path.endsWith("/variable")) {
      const own = dialled.filter(([endpoint]) => variable === `PJSIP_DIAL_CONTACTS(${endpoint})`)
      return { status: 200, body: { value: own.map(([endpoint, uri]) => `PJSIP/${endpoint}/${uri}`).join("&") } }
    }
    if (path.endsWith("/transport/udp")) return transport
    const found = dialled.find(([endpoint, uri]) =>
      path.endsWith(`/contact/${encodeURIComponent(contactId({ endpoint, uri }))}`)
    )
    if (found === undefined) return { status: path.includes("/contact/") ? 404 : 200, body: {} }
    const fields = {
      uri: found[1],
      user_agent: "Phone \ud800 1",
      prune_on_boot: is_own_connection(found[1]) ? "yes" : "no",
      expiration_time: String(contacts.get(found.join(" ")))
    }
    return { status: 200, body: Object.entries(fields).map(([attribute, value]) => ({ attribute, value })) }
  }
const fieldOf = (attribute: string, value: string): AriResponse => ({ status: 200, body: [{ attribute, value }] })
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

  it.effect("does not report a device as registered that was gone while Asterisk was asked about it", () =>
    Effect.gen(function* () {
      const uri = "sip:b@192.0.2.2:40001;transport=WS"
      const answer = registered(new Map([[`1001-abc-web ${uri}`, 100]]))
      let gone = () => {}
      const { carryOut, registry, told } = yield* makeWorld((path, variable) => {
        if (path.includes("/contact/")) gone()
        return answer(path, variable)
      })
      const changes = (contact_status: string, at: number) =>
        registry.contactChanged({ ...heard("1001-abc-web", ""), contact_info: { uri, contact_status } }, at)
      const news = () => told.splice(0).map(([, , { registration }]) => registration)
      yield* carryOut(user)
      yield* settled
      changes("Removed", 2_000)
      assert.deepStrictEqual(news(), ["registered", "unregistered"])
      gone = () => changes("Removed", 2_002)
      changes("NonQualified", 2_001)
      yield* settled
      assert.deepStrictEqual(news(), ["unregistered"])
      gone = () => {}
      changes("NonQualified", 2_003)
      yield* settled
      assert.deepStrictEqual(news(), ["registered"])
    })
  )

  it.effect("reports the contact and expiry of a device at each registration, and when it unregisters", () =>
    Effect.gen(function* () {
      const uri = "sip:1001-abc-web@192.0.2.9:5060"
      const contacts = new Map<string, number>()
      const { carryOut, registry, told } = yield* makeWorld(registered(contacts))
      yield* carryOut(user)
      yield* settled
      contacts.set(`1001-abc-web ${uri}`, 100)
      registry.contactChanged(heard("1001-abc-web", "NonQualified"), 2_000)
      registry.users.authenticated({ endpoint: "1001-abc-web", address: "192.0.2.9", port: 5060 })
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
          ["1001-abc sip:a@192.0.2.1:40001;transport=TCP", 300],
          ["1001-abc-web sip:b@192.0.2.2:40001;transport=WS", 300]
        ])
        const { asked, carryOut, registry, told } = yield* makeWorld(registered(contacts))
        yield* carryOut(user)
        yield* settled
        const news = () =>
          told.splice(0).map(([, , { contact, registration, transport }]) => `${registration} ${contact} ${transport}`)
        assert.deepStrictEqual(news(), [
          "registered sip:a@192.0.2.1:40001;transport=TCP tcp",
          "registered sip:b@192.0.2.2:40001;transport=WS ws"
        ])
        assert.strictEqual(asked.findLast(({ what }) => what.includes("/channels/"))?.what, "DELETE /channels/lookup-u")
        contacts.delete("1001-abc sip:a@192.0.2.1:40001;transport=TCP")
        contacts.set("1001-abc sip:c@192.0.2.3:40001;transport=TCP", 300)
        yield* registry.users.refreshAll
        assert.deepStrictEqual(news(), [
          "unregistered sip:a@192.0.2.1:40001;transport=TCP undefined",
          "registered sip:c@192.0.2.3:40001;transport=TCP tcp",
          "registered sip:b@192.0.2.2:40001;transport=WS ws"
        ])
      })
  )

  it.effect("has a device by UDP only where it has authenticated from", () =>
    Effect.gen(function* () {
      const [own, second] = ["sip:a@192.0.2.1:5060", "sip:b@192.0.2.66:5060"]
      const contacts = new Map([
        [`1001-abc ${own}`, 300],
        [`1001-abc ${second}`, 300]
      ])
      const { carryOut, registry, told } = yield* makeWorld(registered(contacts))
      yield* carryOut(user)
      yield* settled
      assert.deepStrictEqual([told, yield* registry.users.contacts("1001-abc")], [[], []])
      for (const endpoint of ["1001-abc-web", "1002-def"])
        registry.users.authenticated({ endpoint, address: "192.0.2.1", port: 5060 })
      registry.users.authenticated({ endpoint: "1001-abc", address: "192.0.2.1", port: 5061 })
      yield* settled
      assert.deepStrictEqual([told, registry.users.addresses], [[], []])
      registry.users.authenticated({ endpoint: "1001-abc", address: "192.0.2.1", port: 5060 })
      yield* settled
      assert.deepStrictEqual(
        told.map(([, , { contact }]) => contact),
        [own]
      )
      assert.deepStrictEqual(registry.users.addresses, ["192.0.2.1"])
      const called = yield* registry.users.contacts("1001-abc")
      assert.deepStrictEqual(
        called.map(({ uri }) => uri),
        [own]
      )
    })
  )

  it.effect("has its devices by UDP after a restart of the engine too, and forgets them with itself", () =>
    Effect.gen(function* () {
      const variables = new Map<string, string>()
      const name = "TRUNKLINE_DEVICES_1001-abc"
      const [one, two] = ["192.0.2.1", "192.0.2.2"]
      const answers = registered(new Map([one, two].map((address) => [`1001-abc sip:a@${address}:5060`, 300])))
      const engine = makeWorld((path, variable, value) => {
        if (path !== "/asterisk/variable") return answers(path, variable)
        if (value === "undefined") variables.delete(variable)
        else if (value !== undefined) variables.set(variable, value)
        return { status: 200, body: { value: variables.get(variable) ?? "" } }
      })
      const first = yield* engine
      yield* first.carryOut(user)
      yield* settled
      for (const address of [one, two])
        first.registry.users.authenticated({ endpoint: "1001-abc", address, port: 5060 })
      yield* settled
      assert.deepStrictEqual([...variables], [[name, `1001-abc/${one}:5060,1001-abc/${two}:5060`]])
      const second = yield* engine
      yield* second.carryOut(user)
      yield* settled
      assert.lengthOf(second.told, 2)
      assert.lengthOf(yield* second.registry.users.contacts("1001-abc"), 2)
      yield* second.carryOut({ kind: "registrar.delete", credential_id: credentialId("k1"), username: "1001-abc" })
      assert.deepStrictEqual([...variables], [])
    })
  )

  it.effect.each([
    "sip:a@192.0.2.1:5060;maddr=192.0.2.66",
    "sip:a@192.0.2.1:5060?Route=%3Csip:192.0.2.66%3Blr%3E",
    "sip:a@192.0.2.1:40001;transport=TCP",
    "sip:a@169.254.169.254:5060",
    "sip:+882161234567@192.0.2.99:5060"
  ])("removes the contact %s, and never calls it", (uri) =>
    Effect.gen(function* () {
      const answers = registered(new Map([[`1001-abc ${uri}`, 300]]), () => false)
      const { asked, carryOut, registry, told } = yield* makeWorld((path, variable) => {
        if (path.endsWith("/endpoint/carrier")) return fieldOf("aors", "carrier")
        return path.endsWith("/aor/carrier") ? fieldOf("contact", "sip:192.0.2.99:5060") : answers(path, variable)
      })
      yield* carryOut(user)
      yield* settled
      for (const port of [5060, 40_001])
        for (const address of ["192.0.2.1", "169.254.169.254", "192.0.2.99"])
          registry.users.authenticated({ endpoint: "1001-abc", address, port })
      registry.contactChanged({ ...heard("1001-abc", "Created"), contact_info: { uri, contact_status: "Created" } }, 0)
      yield* settled
      assert.deepStrictEqual([told, yield* registry.users.contacts("1001-abc")], [[], []])
      const id = encodeURIComponent(contactId({ endpoint: "1001-abc", uri }))
      assert.include(
        asked.map(({ what }) => what),
        `DELETE contact/${id}`
      )
    })
  )

  it.effect("is rejected if Asterisk rejects it", () =>
    Effect.gen(function* () {
      const { carryOut } = yield* makeWorld((path) => ({ status: path.includes("/aor/") ? 400 : 200, body: {} }))
      assert.strictEqual(yield* carryOut(user), "Asterisk refused this aor.")
    })
  )
})
