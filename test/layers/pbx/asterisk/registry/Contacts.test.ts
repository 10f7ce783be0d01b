// Which registered contacts of a user are dialled.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AriResponse } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { contactId, contactsOf } from "../../../../../src/layers/pbx/asterisk/registry/Contacts.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"

const desk = "sip:desk@192.0.2.7:5060"
const mobile = "sips:m.1@192.0.2.8:40001;transport=TLS"
const found: AriResponse = { status: 200, body: [{ attribute: "expiration_time", value: "1" }] }

/** `listed`: the URIs that `PJSIP_DIAL_CONTACTS` lists. `known`: those that are contact objects. */
const dialled = (listed: ReadonlyArray<string>, known = listed) =>
  Effect.gen(function* () {
    const ids = known.map((uri) => encodeURIComponent(contactId({ endpoint: "u1", uri })))
    const value = listed.map((uri) => `PJSIP/u1/${uri}`).join("&")
    const { ari } = yield* makeWorld((path, variable) => {
      if (path.includes("/contact/")) return ids.some((id) => path.endsWith(id)) ? found : { status: 404, body: {} }
      return { status: 200, body: { value: variable.includes("(u1)") ? value : "" } }
    })
    const contacts = yield* contactsOf({ ari, app: "a", uuid: () => "u" }, "u1")
    return contacts.map(({ uri }) => uri)
  })

it.effect.each<[string, ReadonlyArray<string>, ReadonlyArray<string>?]>([
  ["all contacts", [desk, mobile]],
  ["none", []]
])("dials %s", ([, listed, known]) =>
  Effect.map(dialled(listed, known), (uris) => assert.deepStrictEqual(uris, listed))
)

it.effect.each([
  "sip:x&PJSIP/carrier/sip:b@192.0.2.66:5060",
  "sip:x&PJSIP/u1/sip:b@192.0.2.66:5060",
  "sip:x&PJSIP/u1-web/sip:b@192.0.2.66:5060",
  "sip:x&SIP/carrier/1@192.0.2.66:5060",
  "sip:a/b@192.0.2.66:5060",
  "PJSIP/1@carrier",
  "sip:a@192.0.2.7:5060;maddr=192.0.2.66",
  "sip:a@192.0.2.7:5060?Route=%3Csip:192.0.2.66%3Blr%3E"
])("dials nothing of the contact %s, and still the other contacts", (trick) =>
  Effect.map(dialled([desk, trick, mobile]), (uris) => assert.deepStrictEqual(uris, [desk, mobile]))
)
