// A user's devices, as Asterisk has them: how they prove themselves, where they are reached, and what their calls are like.
// Phones and browsers of one user are two endpoints, for Asterisk speaks to the one with plain RTP and to the other with
// DTLS and ICE. A browser says that it is the user, as a phone does; the gate before it proves it under the second name.
import { type EndpointOf, media, type SipObject, type TenantActionOf } from "./Provisioning.ts"

/** How long a phone stays registered, unless it says so again: as long as it may be lost when Asterisk is started anew. */
const registered_seconds = 600
/** A browser is let go with its line; its gate lets it ask for no more than its token has left. */
const browser_seconds = 3_600
/** A browser that vanished is hung up soon: nothing else tells that its page was closed. */
const silence_seconds = 30

const suffix = "-web"

/** The user name, and the endpoint, by which the browsers of a user are known. */
export const browsersOf = (username: string): string => username + suffix

export interface Device {
  readonly username: string
  readonly is_browser: boolean
}

export const deviceOf = (endpoint: string): Device =>
  endpoint.endsWith(suffix)
    ? { username: endpoint.slice(0, -suffix.length), is_browser: true }
    : { username: endpoint, is_browser: false }

/** Of the other password, which is good for a while beside the new one. */
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
    fields: { auth_type: "userpass", username: name, password }
  })
  const auths = previous_password === undefined ? name : `${name},${former}`
  return [
    auth(name, password),
    previous_password === undefined ? { type: "auth", id: former } : auth(former, previous_password),
    { type: "aor", id: name, fields: { remove_existing: "yes", default_expiration: registered_seconds, ...aor } },
    { type: "endpoint", id: name, fields: { ...endpoint, aors: name, auth: auths, context: "from-user" } }
  ]
}

export const putUser = (action: Put, of: EndpointOf): ReadonlyArray<SipObject> => {
  const { max_contacts, username } = action
  const phone = { ...media(of), allow: "ulaw,alaw,g722,opus" }
  const browser = {
    ...media(of),
    allow: "opus,g722,ulaw,alaw",
    webrtc: "yes",
    dtls_auto_generate_cert: "yes",
    identify_by: "auth_username",
    rtp_timeout: silence_seconds
  }
  return [
    ...objects(
      username,
      action,
      { max_contacts, minimum_expiration: 60, maximum_expiration: registered_seconds },
      phone
    ),
    ...objects(
      browsersOf(username),
      action,
      { max_contacts, minimum_expiration: 1, maximum_expiration: browser_seconds },
      browser
    )
  ]
}

/** Whoever was registered is not called any more, and must not come in again. */
export const deleteUser = (username: string): ReadonlyArray<SipObject> =>
  [username, browsersOf(username)].flatMap((name): ReadonlyArray<SipObject> => [
    { type: "endpoint", id: name },
    { type: "aor", id: name },
    { type: "auth", id: formerId(name) },
    { type: "auth", id: name }
  ])
