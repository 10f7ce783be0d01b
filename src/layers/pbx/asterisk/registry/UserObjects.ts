// The Asterisk objects of a user: authentication, contacts and endpoints of its devices. Phones and browsers are two
// endpoints, because phones use plain RTP, and browsers DTLS and ICE. A browser identifies itself as the user, as
// phones do; the WebRTC gate authenticates it under the second endpoint's name.
import { type EndpointOf, media, type SipObject, type TenantActionOf } from "./Provisioning.ts"

/** The registration interval of phones. After a restart of Asterisk, a phone may be unreachable for this long. */
const phoneRegistration_seconds = 600
/**
 * The longest registration of a browser. It also ends with its connection, and the gate limits it to the token's life.
 */
const browserRegistration_seconds = 3_600
/** A browser without audio is hung up after this, because nothing else reports a closed page. */
const browserSilence_seconds = 30

/** A digest can be repeated this long, from its own address alone: Asterisk does not count its uses (`nc`). */
const challengeLifetime_seconds = 5

/** Where silence does not reveal that a phone is dead, its call ends within this time and half a minute (RFC 4028). */
const refresh_seconds = 300

const suffix = "-web"

/** The user name and endpoint of a user's browsers. */
export const browsersOf = (username: string): string => username + suffix

export interface Device {
  readonly username: string
  readonly is_browser: boolean
}

export const deviceOf = (endpoint: string): Device =>
  endpoint.endsWith(suffix)
    ? { username: endpoint.slice(0, -suffix.length), is_browser: true }
    : { username: endpoint, is_browser: false }

/** The id of the auth object with the previous password, which is accepted during its grace period. */
const formerId = (name: string): string => `${name}-former`

type Put = TenantActionOf<"registrar.put">
type Fields = NonNullable<SipObject["fields"]>

const objects = (
  name: string,
  { password, previous_password }: Put,
  aor: Fields,
  endpoint: Fields
): ReadonlyArray<SipObject> => {
  const former = formerId(name)
  const auth = (id: string, password: string): SipObject => ({
    type: "auth",
    id,
    fields: { auth_type: "userpass", username: name, password, nonce_lifetime: challengeLifetime_seconds }
  })
  const auths = previous_password === undefined ? name : `${name},${former}`
  return [
    auth(name, password),
    previous_password === undefined ? { type: "auth", id: former } : auth(former, previous_password),
    {
      type: "aor",
      id: name,
      fields: { remove_existing: "yes", default_expiration: phoneRegistration_seconds, ...aor }
    },
    { type: "endpoint", id: name, fields: { ...endpoint, aors: name, auth: auths, context: "from-user" } }
  ]
}

/**
 * SRTP with keys in SDP (RFC 4568) is offered and accepted, and so is plain RTP, unless the credential demands one kind
 * of encryption. A certificate for DTLS (RFC 5763) is proved by its fingerprint in SDP. All fields are named because an
 * object that is put again keeps those that are not.
 */
const encryption = (demanded: Put["media_encryption"]): Fields => ({
  media_encryption: demanded ?? "sdes",
  media_encryption_optimistic: demanded === undefined ? "yes" : "no",
  dtls_auto_generate_cert: demanded === "dtls" ? "yes" : "no",
  dtls_verify: "fingerprint",
  dtls_setup: "actpass"
})

export const putUser = (action: Put, of: EndpointOf): ReadonlyArray<SipObject> => {
  const { max_contacts, media_encryption, username } = action
  const phone = {
    ...media(of),
    allow: "ulaw,alaw,g722,opus",
    identify_by: "username,auth_username",
    // Asterisk refreshes the session (RFC 4028) even if the phone does not ask for it: a dead one does not respond.
    timers: "always",
    timers_sess_expires: refresh_seconds,
    ...encryption(media_encryption)
  }
  const browser = {
    ...media(of),
    allow: "opus,g722,ulaw,alaw",
    webrtc: "yes",
    dtls_auto_generate_cert: "yes",
    identify_by: "auth_username",
    rtp_timeout: Math.min(browserSilence_seconds, of.media_timeout === false ? Infinity : of.media_timeout)
  }
  return [
    ...objects(
      username,
      action,
      { max_contacts, minimum_expiration: 60, maximum_expiration: phoneRegistration_seconds },
      phone
    ),
    ...objects(
      browsersOf(username),
      action,
      { max_contacts, minimum_expiration: 1, maximum_expiration: browserRegistration_seconds },
      browser
    )
  ]
}

/** Removes the user's registrations too. */
export const deleteUser = (username: string): ReadonlyArray<SipObject> =>
  [username, browsersOf(username)].flatMap((name): ReadonlyArray<SipObject> => [
    { type: "endpoint", id: name },
    { type: "aor", id: name },
    { type: "auth", id: formerId(name) },
    { type: "auth", id: name }
  ])
