// The contacts where a user's devices are registered at an Asterisk.
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { readDeviceContact } from "../../../../domain/credentials/DeviceContact.ts"
import { type Ari, AriAway } from "../ari/Ari.ts"
import { browsersOf } from "./UserObjects.ts"

export interface Contact {
  readonly endpoint: string
  readonly uri: string
}

export interface Registration {
  /** Epoch milliseconds. */
  readonly expires_at: number
  readonly user_agent: string | undefined
  /** The Call-ID of the registration that the contact came with. */
  readonly call_id: string
  /** Whether it came over the connection that the contact names. The contact ends with that connection. */
  readonly is_own_connection: boolean
}

const isVariable = Schema.is(Schema.Struct({ value: Schema.String }))
const isObject = Schema.is(Schema.Array(Schema.Struct({ attribute: Schema.String, value: Schema.String })))

/** Asterisk's id of the contact. */
export const contactId = ({ endpoint, uri }: Contact): string =>
  `${endpoint};@${createHash("md5").update(uri).digest("hex")}`

/** What to dial so that only this device rings. */
export const dialString = ({ endpoint, uri }: Contact): string => `PJSIP/${endpoint}/${uri}`

/**
 * What may be contacts in the value of `PJSIP_DIAL_CONTACTS`: `PJSIP/1001/sip:a@b&PJSIP/1001/sip:c@d`. A device can
 * write such text into its own contact, so each of them must be found as an object.
 */
export const contactsIn = (endpoint: string, text: string): ReadonlyArray<Contact> => {
  const prefix = `PJSIP/${endpoint}/`
  return text.split(/&(?=PJSIP\/)/).flatMap((each) => {
    const contact = { endpoint, uri: each.slice(prefix.length) }
    return each.startsWith(prefix) && readDeviceContact(contact.uri) !== undefined ? [contact] : []
  })
}

const pathOf = (contact: Contact): string =>
  `/asterisk/config/dynamic/res_pjsip/contact/${encodeURIComponent(contactId(contact))}`

/** Undefined: the contact is no longer registered. */
export const registrationOf = (ari: Ari, contact: Contact): Effect.Effect<Registration | undefined, AriAway> =>
  Effect.map(ari.request("GET", pathOf(contact)), ({ body }) => {
    if (!isObject(body)) return undefined
    const value = (name: string) => body.find(({ attribute }) => attribute === name)?.value
    return {
      expires_at: Number(value("expiration_time")) * 1000,
      user_agent: value("user_agent") || undefined,
      call_id: value("call_id") ?? "",
      is_own_connection: value("prune_on_boot") === "yes"
    }
  })

/** Ends the registration. */
export const removeContact = (ari: Ari, contact: Contact): Effect.Effect<void, AriAway> =>
  Effect.asVoid(ari.request("DELETE", pathOf(contact)))

export interface RegisteredContact extends Contact, Registration {}

export interface ContactsOptions {
  readonly ari: Ari
  readonly app: string
  readonly uuid: () => string
}

/**
 * The contacts of all devices of the user. Asterisk reveals them only to a channel, so one is created for the lookup.
 */
export const contactsOf = (
  { app, ari, uuid }: ContactsOptions,
  username: string
): Effect.Effect<ReadonlyArray<RegisteredContact>, AriAway> => {
  const channel = `/channels/lookup-${uuid()}`
  const created = Effect.flatMap(
    ari.request(
      "POST",
      "/channels/create",
      {},
      { endpoint: "Local/s@from-user", app, channelId: channel.slice("/channels/".length) }
    ),
    ({ status }) => (status < 300 ? Effect.void : Effect.fail(new AriAway({ cause: status })))
  )
  const of = (endpoint: string) =>
    ari.request("GET", `${channel}/variable`, { variable: `PJSIP_DIAL_CONTACTS(${endpoint})` }).pipe(
      Effect.map(({ body }) => (isVariable(body) ? contactsIn(endpoint, body.value) : [])),
      Effect.flatMap(
        Effect.forEach(
          (contact) =>
            Effect.map(registrationOf(ari, contact), (found) =>
              found === undefined ? [] : [{ ...contact, ...found }]
            ),
          { concurrency: "unbounded" }
        )
      ),
      Effect.map((found) => found.flat())
    )
  return Effect.acquireUseRelease(
    created,
    () => Effect.map(Effect.all([of(username), of(browsersOf(username))]), (found) => found.flat()),
    () => Effect.ignore(ari.request("DELETE", channel))
  )
}
