// The gate between a browser and the PBX (docs/webrtc.md). It passes SIP of the token's user only, and registrations
// and calls only while the token is valid. It responds to digest challenges itself, so that a browser needs no
// password.
import { type DigestHash, type DigestSecret, digestAnswer } from "./DigestAnswer.ts"
import {
  all,
  answeredMethod,
  branchOf,
  changed,
  first,
  isResponse,
  methodOf,
  parseSip,
  printSip,
  respond,
  type SipMessage,
  statusOf,
  tagOf,
  uriOf,
  userOf,
  withBranch,
  withHeader,
  without
} from "./SipMessage.ts"

export interface GateState {
  /** The token's subject: the user of the browser's From headers. */
  readonly username: string
  readonly incoming: boolean
  readonly outgoing: boolean
  /** Epoch milliseconds. */
  readonly expires_at: number
  /** Pending requests of the browser, which may be challenged, by their branch. */
  readonly pending: ReadonlyMap<string, SipMessage>
  /** The branches under which the gate has repeated requests with credentials, by the original branch. */
  readonly authenticated: ReadonlyMap<string, string>
  /** The Call-IDs of live calls. */
  readonly calls: ReadonlySet<string>
}

export type GateAction =
  | { readonly _tag: "ToPbx" | "ToBrowser"; readonly text: string }
  | { readonly _tag: "Close"; readonly code: number; readonly reason: string }
  /** The PBX has challenged the request. */
  | { readonly _tag: "Authenticate"; readonly request: SipMessage; readonly response: SipMessage }

export interface GateStep {
  readonly state: GateState
  readonly actions: ReadonlyArray<GateAction>
}

/** The most characters in a frame. */
export const sipFrameMax = 65_536
const rememberedMax = 32
const callsMax = 32

const closed = {
  notSip: { _tag: "Close", code: 1007, reason: "not a SIP message" },
  tooLarge: { _tag: "Close", code: 1009, reason: "a frame is at most 64 KiB" },
  expired: { _tag: "Close", code: 4401, reason: "the token has ended" },
  foreign: { _tag: "Close", code: 4403, reason: "From does not match the token" }
} as const satisfies Record<string, GateAction>

const methods = new Set(["REGISTER", "INVITE", "ACK", "BYE", "CANCEL", "PRACK", "UPDATE", "INFO", "OPTIONS"])

/** Headers that a browser must not send: asserted identities, credentials, and the engine's own. */
const isForged = (name: string): boolean =>
  name.startsWith("x-trunkline-") ||
  [
    "authorization",
    "proxy-authorization",
    "p-asserted-identity",
    "p-preferred-identity",
    "remote-party-id",
    "p-charge-info"
  ].includes(name)

const toPbx = (message: SipMessage): GateAction => ({ _tag: "ToPbx", text: printSip(message) })
const toBrowser = (text: string): GateAction => ({ _tag: "ToBrowser", text })

const remembered = <Value>(map: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value> => {
  const entries = [...map].filter(([other]) => other !== key).slice(-rememberedMax + 1)
  return new Map([...entries, [key, value]])
}
const forgotten = <Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> =>
  map.has(key) ? new Map([...map].filter(([other]) => other !== key)) : map

const withCall = (state: GateState, call_id: string): GateState => ({
  ...state,
  calls: new Set([...state.calls, call_id].slice(-callsMax))
})
const withoutCall = (state: GateState, call_id: string): GateState => ({
  ...state,
  calls: new Set([...state.calls].filter((other) => other !== call_id))
})

export const openGate = (token: Pick<GateState, "username" | "incoming" | "outgoing" | "expires_at">): GateState => ({
  ...token,
  pending: new Map(),
  authenticated: new Map(),
  calls: new Set()
})

/** Closes the connection if the token has expired and no call is live. */
export const atExpiry = (state: GateState, now: number): GateStep => ({
  state,
  actions: now >= state.expires_at && state.calls.size === 0 ? [closed.expired] : []
})

const ending = ({ actions, state }: GateStep, now: number): GateStep => ({
  state,
  actions: [...actions, ...atExpiry(state, now).actions]
})

/** Limits the expiry of a registration to that of the token. */
const clamped = (message: SipMessage, state: GateState, now: number): SipMessage => {
  const most = Math.max(0, Math.floor((state.expires_at - now) / 1000))
  const clamp = (text: string) => String(Math.min(Number(text), most))
  const contacts = changed(message, "contact", (value) =>
    value.replaceAll(/(;\s*expires=)(\d{1,10})/gi, (_, name: string, text: string) => name + clamp(text))
  )
  const limited = changed(contacts, "expires", (value) => (/^\d{1,10}$/.test(value) ? clamp(value) : "0"))
  return all(limited, "expires").length > 0 ? limited : withHeader(limited, "Expires", String(most))
}

const isUnregister = (message: SipMessage): boolean =>
  first(message, "expires").trim() === "0" || /;\s*expires=0+(?![\d])/i.test(first(message, "contact"))

const refuse = (state: GateState, request: SipMessage, status: number, reason: string): GateStep => ({
  state,
  actions: methodOf(request) === "ACK" ? [] : [toBrowser(respond(request, status, reason))]
})

/** The status and reason of the refusal if the browser may not send this request now; undefined if it may. */
const refusal = (
  state: GateState,
  request: SipMessage,
  now: number,
  active: boolean
): readonly [number, string] | undefined => {
  const method = methodOf(request)
  if (!methods.has(method)) return [405, "Method Not Allowed"]
  const begins = tagOf(first(request, "to")) === undefined && ["REGISTER", "INVITE", "OPTIONS"].includes(method)
  if (!begins || (method === "REGISTER" && isUnregister(request))) return undefined
  if (now >= state.expires_at) return [403, "The token has ended"]
  if (!active) return [403, "The credential was revoked"]
  if (method === "INVITE" && !state.outgoing) return [403, "The token allows no outgoing calls"]
  return method === "REGISTER" && !state.incoming ? [403, "The token allows no incoming calls"] : undefined
}

const isWellFormed = (request: SipMessage): boolean =>
  ["from", "to", "call-id", "cseq"].every((name) => all(request, name).length === 1) && branchOf(request) !== ""

const isOwn = (state: GateState, request: SipMessage): boolean => {
  const from = userOf(first(request, "from"))
  if (methodOf(request) === "REGISTER")
    return from === state.username && userOf(first(request, "to")) === state.username
  const isWithinCall = tagOf(first(request, "to")) !== undefined && state.calls.has(first(request, "call-id"))
  return from === state.username || isWithinCall
}

const passRequest = (before: GateState, request: SipMessage, now: number): GateStep => {
  const method = methodOf(request)
  const branch = branchOf(request)
  const call_id = first(request, "call-id")
  const begins = tagOf(first(request, "to")) === undefined
  const plain = without(request, (name) => isForged(name) || (begins && name === "route"))
  const message = method === "REGISTER" ? clamped(plain, before, now) : plain
  if (method === "ACK" || method === "CANCEL") {
    return { state: before, actions: [toPbx(withBranch(message, before.authenticated.get(branch) ?? branch))] }
  }
  const called =
    method === "INVITE" && begins ? withCall(before, call_id) : method === "BYE" ? withoutCall(before, call_id) : before
  return { state: { ...called, pending: remembered(called.pending, branch, message) }, actions: [toPbx(message)] }
}

/** `active`: whether the credential behind the token is still active. `now` is in epoch milliseconds. */
export const fromBrowser = (state: GateState, text: string, now: number, active: boolean): GateStep => {
  if (text.length > sipFrameMax) return { state, actions: [closed.tooLarge] }
  // Keep-alive (RFC 5626, section 4.4.1).
  if (/^(?:\r\n)+$/.test(text)) return { state, actions: text === "\r\n\r\n" ? [toBrowser("\r\n")] : [] }
  const message = parseSip(text)
  if (message === undefined) return { state, actions: [closed.notSip] }
  if (isResponse(message)) {
    const over = statusOf(message) >= 300 && answeredMethod(message) === "INVITE"
    const after = over ? withoutCall(state, first(message, "call-id")) : state
    return ending({ state: after, actions: [toPbx(without(message, isForged))] }, now)
  }
  if (!isWellFormed(message)) return { state, actions: [toBrowser(respond(message, 400, "Bad Request"))] }
  if (!isOwn(state, message)) return { state, actions: [closed.foreign] }
  const refused = refusal(state, message, now, active)
  return ending(refused === undefined ? passRequest(state, message, now) : refuse(state, message, ...refused), now)
}

/** Marks the branch of a request that the gate has repeated with credentials. */
const gateSuffix = ".gate"
const originalBranch = (branch: string): string =>
  branch.endsWith(gateSuffix) ? branch.slice(0, -gateSuffix.length) : branch

const passResponse = (state: GateState, response: SipMessage): GateStep => {
  const branch = originalBranch(branchOf(response))
  const status = statusOf(response)
  const request = state.pending.get(branch)
  if ((status === 401 || status === 407) && request !== undefined && !state.authenticated.has(branch)) {
    return { state, actions: [{ _tag: "Authenticate", request, response }] }
  }
  const over =
    status >= 300 && answeredMethod(response) === "INVITE" && tagOf(first(request ?? response, "to")) === undefined
  const settled = status < 200 ? state : { ...state, pending: forgotten(state.pending, branch) }
  const after = over && request !== undefined ? withoutCall(settled, first(response, "call-id")) : settled
  return { state: after, actions: [toBrowser(printSip(withBranch(response, branch)))] }
}

export const fromPbx = (state: GateState, text: string, now: number): GateStep => {
  if (/^(?:\r\n)+$/.test(text)) return { state, actions: text === "\r\n\r\n" ? [{ _tag: "ToPbx", text: "\r\n" }] : [] }
  const message = parseSip(text)
  if (message === undefined) return { state, actions: [] }
  if (isResponse(message)) return ending(passResponse(state, message), now)
  const method = methodOf(message)
  const call_id = first(message, "call-id")
  if (method === "INVITE" && tagOf(first(message, "to")) === undefined) {
    if (now >= state.expires_at)
      return ending(
        { state, actions: [{ _tag: "ToPbx", text: respond(message, 480, "Temporarily Unavailable") }] },
        now
      )
    return { state: withCall(state, call_id), actions: [toBrowser(text)] }
  }
  const ends = method === "BYE" || method === "CANCEL"
  return ending({ state: ends ? withoutCall(state, call_id) : state, actions: [toBrowser(text)] }, now)
}

/** The ACK of a final response that the browser does not see (RFC 3261, section 17.1.1.3). */
const acknowledgement = (request: SipMessage, response: SipMessage): SipMessage => ({
  start: `ACK ${uriOf(request)} SIP/2.0`,
  headers: [
    ["Via", first(request, "via")],
    ["Max-Forwards", "70"],
    ["From", first(request, "from")],
    ["To", first(response, "to")],
    ["Call-ID", first(request, "call-id")],
    ["CSeq", `${first(request, "cseq").split(/\s+/)[0]} ACK`],
    ["Content-Length", "0"]
  ],
  body: ""
})

/**
 * Repeats the challenged request with credentials, in a new transaction of the gate. The browser still waits for the
 * response to its own transaction. If the challenge cannot be answered, the browser receives it.
 */
export const authenticated = (
  state: GateState,
  { request, response }: Extract<GateAction, { _tag: "Authenticate" }>,
  secret: DigestSecret | undefined,
  cnonce: string,
  hash: DigestHash
): GateStep => {
  const isProxy = statusOf(response) === 407
  const method = methodOf(request)
  const challenges = all(response, isProxy ? "proxy-authenticate" : "www-authenticate")
  const answer =
    secret &&
    challenges
      .map((challenge) => digestAnswer(challenge, { method, uri: uriOf(request) }, secret, cnonce, hash))
      .find((each) => each !== undefined)
  const branch = branchOf(request)
  if (answer === undefined) return passResponse({ ...state, pending: forgotten(state.pending, branch) }, response)
  const repeated = withBranch(
    withHeader(request, isProxy ? "Proxy-Authorization" : "Authorization", answer),
    branch + gateSuffix
  )
  const acks = method === "INVITE" ? [toPbx(acknowledgement(request, response))] : []
  return {
    state: { ...state, authenticated: remembered(state.authenticated, branch, branch + gateSuffix) },
    actions: [...acks, toPbx(repeated)]
  }
}
