// Registrations through the WebRTC gate. A connection registers contacts of its own only, for no longer than its token
// lasts.
import { contactOf } from "./GatePrint.ts"
import { type GateState, gateLimits } from "./GateState.ts"
import type { Headers, SipRequest, SipResponse } from "./SipMessage.ts"
import { parseNumber } from "./SipSyntax.ts"
import { printAddress } from "./SipAddress.ts"

/** If a client names no lifetime (RFC 3261, section 10.2.1.1). */
const defaultLifetime_seconds = 3_600

/** What becomes of an address: `register`, `unregister`, or nothing, if there is none (`ask`). */
export type Registration =
  | { readonly _tag: "register" | "unregister"; readonly user: string; readonly lifetime_seconds: number }
  | { readonly _tag: "unregisterAll" }
  | { readonly _tag: "ask" }

const lifetimeOf = ({ contacts, expires }: SipRequest): number | undefined => {
  const own = contacts === "*" ? undefined : contacts[0]?.parameters
  if (own?.has("expires")) return parseNumber(own.get("expires") ?? "")
  return expires ?? defaultLifetime_seconds
}

const contactUser = /^[A-Za-z0-9._~-]{1,64}$/
export const isContactUser = (user: string | undefined): user is string => user !== undefined && contactUser.test(user)

/** Undefined if the request is malformed: it names more than one contact, or none that can be understood. */
export const registrationOf = (request: SipRequest): Registration | undefined => {
  const { contacts, expires } = request
  if (contacts === "*") return expires === 0 ? { _tag: "unregisterAll" } : undefined
  if (contacts.length === 0) return { _tag: "ask" }
  const lifetime_seconds = lifetimeOf(request)
  const user = contacts[0]?.uri.user
  if (contacts.length > 1 || lifetime_seconds === undefined || !isContactUser(user)) return undefined
  return { _tag: lifetime_seconds === 0 ? "unregister" : "register", user, lifetime_seconds }
}

/** The whole seconds that the token still lasts. */
export const remaining_seconds = ({ expires_at }: GateState, now: number): number =>
  Math.max(0, Math.floor((expires_at - now) / 1000))

const instanceId = /^"<urn:uuid:[0-9A-Fa-f-]{36}>"$/

/** Names the client for a PBX that follows RFC 5626. */
const outboundOf = ({ contacts }: SipRequest): string => {
  const given = contacts === "*" ? undefined : contacts[0]?.parameters
  const flow = parseNumber(given?.get("reg-id") ?? "")
  const instance = given?.get("+sip.instance") ?? ""
  return `${flow === undefined ? "" : `;reg-id=${flow}`}${instanceId.test(instance) ? `;+sip.instance=${instance}` : ""}`
}

/** The headers of a registration towards the PBX. */
export const registrationHeaders = (
  state: GateState,
  request: SipRequest,
  registration: Registration,
  now: number
): Headers => {
  switch (registration._tag) {
    case "ask":
      return []
    case "unregisterAll":
      return [
        ...state.registered.map((user) => ["Contact", `<sip:${user}@${state.host};transport=ws>;expires=0`] as const),
        ["Expires", "0"]
      ]
    case "register":
    case "unregister": {
      const seconds = Math.min(registration.lifetime_seconds, remaining_seconds(state, now))
      return [
        ["Contact", `${contactOf(state, request)}${outboundOf(request)};expires=${seconds}`],
        ["Expires", String(seconds)]
      ]
    }
  }
}

/** The state after the PBX has accepted the request. */
export const registered = (state: GateState, request: SipRequest): GateState => {
  const registration = registrationOf(request)
  if (registration === undefined || registration._tag === "ask") return state
  if (registration._tag === "unregisterAll") return { ...state, registered: [] }
  const others = state.registered.filter((user) => user !== registration.user)
  return {
    ...state,
    registered: registration._tag === "register" ? [...others, registration.user].slice(-gateLimits.contacts) : others
  }
}

/** What the PBX granted to this connection's contacts. Other devices of the user are not told. */
export const grantedHeaders = (request: SipRequest, response: SipResponse): Headers => {
  const own = request.contacts === "*" ? undefined : request.contacts[0]
  if (own === undefined || response.contacts === "*" || response.status >= 300) return []
  const granted = response.contacts.find(({ uri }) => uri.user === own.uri.user)
  const seconds = parseNumber(granted?.parameters.get("expires") ?? "") ?? response.expires
  if (granted === undefined || seconds === undefined) return []
  const rest = [...own.parameters].filter(([name]) => name !== "expires")
  return [["Contact", printAddress({ ...own, parameters: new Map([...rest, ["expires", String(seconds)]]) })]]
}
