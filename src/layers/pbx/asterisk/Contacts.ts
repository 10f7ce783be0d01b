// The contacts where a user's devices are registered at an Asterisk.
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { type Ari, AriAway } from "./Ari.ts"
import { browsersOf } from "./UserObjects.ts"

export interface Contact {
  readonly endpoint: string
  readonly uri: string
}

export interface Registration {
  /** Epoch milliseconds. */
  readonly expires_at: number
  readonly user_agent: string | undefined
}

const isVariable = Schema.is(Schema.Struct({ value: Schema.String }))
const isObject = Schema.is(Schema.Array(Schema.Struct({ attribute: Schema.String, value: Schema.String })))

/** Asterisk's id of the contact. */
export const contactId = ({ endpoint, uri }: Contact): string =>
  `${endpoint};@${createHash("md5").update(uri).digest("hex")}`

/** What to dial so that only this device rings. */
export const dialString = ({ endpoint, uri }: Contact): string => `PJSIP/${endpoint}/${uri}`

/** The contacts in the value of `PJSIP_DIAL_CONTACTS`: `PJSIP/1001/sip:a@b&PJSIP/1001/sip:c@d`. */
export const dialledContacts = (text: string): ReadonlyArray<Contact> =>
  text.split(/&(?=PJSIP\/)/).flatMap((each) => {
    const [, endpoint, uri] = /^PJSIP\/([^/]+)\/(.+)$/.exec(each) ?? []
    return endpoint === undefined || uri === undefined ? [] : [{ endpoint, uri }]
  })

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
): Effect.Effect<ReadonlyArray<Contact>, AriAway> => {
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
    Effect.map(
      ari.request("GET", `${channel}/variable`, { variable: `PJSIP_DIAL_CONTACTS(${endpoint})` }),
      ({ body }) => (isVariable(body) ? dialledContacts(body.value) : [])
    )
  return Effect.acquireUseRelease(
    created,
    () => Effect.map(Effect.all([of(username), of(browsersOf(username))]), (found) => found.flat()),
    () => Effect.ignore(ari.request("DELETE", channel))
  )
}

/** Undefined: the contact is no longer registered. */
export const registrationOf = (ari: Ari, contact: Contact): Effect.Effect<Registration | undefined, AriAway> =>
  Effect.map(
    ari.request("GET", `/asterisk/config/dynamic/res_pjsip/contact/${encodeURIComponent(contactId(contact))}`),
    ({ body }) => {
      if (!isObject(body)) return undefined
      const value = (name: string) => body.find(({ attribute }) => attribute === name)?.value
      return { expires_at: Number(value("expiration_time")) * 1000, user_agent: value("user_agent") || undefined }
    }
  )
