// The gate between a browser and the PBX (docs/webrtc.md): what it does with a message of the browser. It passes SIP of
// the token's user only, and registrations and calls only while the token is valid. It answers digest challenges
// itself, so that a browser needs no password.
import { Result } from "effect"
import {
  type BrowserRequest,
  type Dialog,
  dialogOfBrowser,
  dropDialog,
  dropBrowserRequest,
  gateLimits,
  type GateState,
  pendingOf,
  purge,
  putBrowserRequest,
  putDialog,
  withBranch
} from "./GateState.ts"
import { type Destination, destinationIn, destinationOf, followUp, requestToPbx, respond } from "./GatePrint.ts"
import { isContactUser, registrationHeaders, registrationOf, remaining_seconds } from "./GateRegistration.ts"
import { passBrowserResponse } from "./GateResponses.ts"
import { take } from "../access/Quota.ts"
import { closed, ending, type GateStep, refuse, refuseUnread, step, toBrowser, toPbx } from "./GateStep.ts"
import { isMethod } from "./SipFields.ts"
import { isKeepAlive, isResponse, keepAlive, lexSip, utf8Length } from "./SipLexer.ts"
import { type Headers, type Refusal, type SipRequest, understand } from "./SipMessage.ts"
import { sipLimits } from "./SipSyntax.ts"

const beginning = new Set(["REGISTER", "INVITE", "OPTIONS"])

/** Numbers and names that may be dialled. The PBX gives other characters a meaning of their own. */
const dialled = /^[A-Za-z0-9+*#._~!()-]{1,64}$/

const isOwn = ({ username }: GateState, { from, method, to }: SipRequest, dialog: Dialog | undefined): boolean => {
  if (method === "REGISTER" && to.uri.user !== username) return false
  return from.uri.user === username || (dialog?.local_user !== undefined && from.uri.user === dialog.local_user)
}

const isSip = ({ from, to, uri }: SipRequest): boolean =>
  [uri, from.uri, to.uri].every(({ scheme }) => scheme === "sip")

/** Why the shape of the request is refused, whatever the token allows. */
const malformation = (state: GateState, request: SipRequest, dialog: Dialog | undefined): Refusal | undefined => {
  const { contacts, method, to, uri } = request
  if (!isMethod(method)) return { status: 405, reason: "Method Not Allowed" }
  if (!isSip(request)) return { status: 416, reason: "Unsupported URI Scheme" }
  if (method === "INVITE" || method === "UPDATE") {
    if (contacts === "*" || contacts.length !== 1 || !isContactUser(contacts[0]?.uri.user))
      return { status: 400, reason: "Malformed contact" }
  }
  if (dialog !== undefined) return undefined
  if (to.tag !== undefined || !beginning.has(method)) return { status: 481, reason: "Call Does Not Exist" }
  if (method === "REGISTER" && registrationOf(request) === undefined)
    return { status: 400, reason: "Malformed contact or expires" }
  if (method === "INVITE" && (uri.user === undefined || !dialled.test(uri.user)))
    return { status: 404, reason: "No such number" }
  if (method === "OPTIONS" && uri.user !== undefined && !dialled.test(uri.user))
    return { status: 404, reason: "No such number" }
  return method === "INVITE" && callsOf(state) >= gateLimits.dialogs
    ? { status: 486, reason: "Too many calls" }
    : undefined
}

const callsOf = ({ dialogs, from_browser }: GateState): number =>
  dialogs.length + from_browser.filter(({ request }) => request.method === "INVITE").length

/** Why the token does not allow the request that begins something. */
const prohibition = (state: GateState, request: SipRequest, now: number, active: boolean): Refusal | undefined => {
  const { method } = request
  const registration = method === "REGISTER" ? registrationOf(request)?._tag : undefined
  if (registration === "unregister") return undefined
  if (now >= state.expires_at || (registration === "register" && remaining_seconds(state, now) === 0))
    return { status: 403, reason: "The token has ended" }
  if (!active) return { status: 403, reason: "The credential was revoked" }
  if (method === "INVITE" && !state.outgoing) return { status: 403, reason: "The token allows no outgoing calls" }
  return registration !== undefined && !state.incoming
    ? { status: 403, reason: "The token allows no incoming calls" }
    : undefined
}

/** Sends the request in a transaction of the gate's own. */
const send = (
  before: GateState,
  request: SipRequest,
  destination: Destination,
  dialog: Dialog | undefined,
  now: number,
  more: Headers = []
): GateStep => {
  const { branch, state } = withBranch(before)
  const text = requestToPbx(state, request, destination, branch, more)
  if (request.method === "ACK") return step(state, toPbx(text))
  const lasts_ms = request.method === "INVITE" ? gateLimits.ringing_ms : gateLimits.request_ms
  const entry: BrowserRequest = { request, branch, phase: "sent", dialog, ends_at: now + lasts_ms }
  return step(putBrowserRequest(state, entry), toPbx(text))
}

const passWithin = (before: GateState, request: SipRequest, dialog: Dialog, now: number): GateStep => {
  const lasting = { ...dialog, ends_at: now + gateLimits.call_ms }
  const state = request.method === "BYE" ? dropDialog(before, dialog) : putDialog(before, lasting)
  return send(state, request, destinationIn(dialog), dialog, now)
}

const passRegister = (state: GateState, request: SipRequest, now: number): GateStep => {
  const registration = registrationOf(request)
  if (registration === undefined || (registration._tag === "unregisterAll" && state.registered.length === 0))
    return step(state, toBrowser(respond(request, 200, "OK")))
  const headers = registrationHeaders(state, request, registration, now)
  return send(state, request, destinationOf(state, request), undefined, now, headers)
}

/** RFC 3261, section 9.1: the request to cancel is the one with the same branch. */
const passCancel = (state: GateState, request: SipRequest, now: number): GateStep => {
  const invite = pendingOf(state.from_browser, "INVITE", request.via.branch)
  if (invite === undefined || invite.phase === "accepted")
    return refuse(state, toBrowser, request, { status: 481, reason: "Call Does Not Exist" })
  if (invite.phase === "challenged") {
    const texts = [respond(request, 200, "OK"), respond(invite.request, 487, "Request Terminated")]
    return step(dropBrowserRequest(state, invite), ...texts.map(toBrowser))
  }
  const { dialog } = invite
  const destination = dialog === undefined ? destinationOf(state, invite.request) : destinationIn(dialog)
  const entry: BrowserRequest = {
    request,
    branch: invite.branch,
    phase: "sent",
    dialog,
    ends_at: now + gateLimits.request_ms
  }
  return step(putBrowserRequest(state, entry), toPbx(followUp(state, invite, "CANCEL", destination, request.fields)))
}

const passRequest = (state: GateState, request: SipRequest, now: number, active: boolean): GateStep => {
  const { method, via } = request
  const dialog = dialogOfBrowser(state, request)
  if (!isOwn(state, request, dialog)) return step(state, closed.foreign)
  if (method === "CANCEL") return passCancel(state, request, now)
  const refusal =
    malformation(state, request, dialog) ??
    (dialog === undefined ? prohibition(state, request, now, active) : undefined)
  if (refusal !== undefined) return refuse(state, toBrowser, request, refusal)
  if (pendingOf(state.from_browser, method, via.branch) !== undefined)
    return refuse(state, toBrowser, request, { status: 400, reason: "The branch is in use" })
  if (state.from_browser.length >= gateLimits.requests)
    return refuse(state, toBrowser, request, { status: 503, reason: "Too many requests wait for a response" })
  if (dialog !== undefined) return passWithin(state, request, dialog, now)
  return method === "REGISTER"
    ? passRegister(state, request, now)
    : send(state, request, destinationOf(state, request), undefined, now)
}

/** `active`: whether the credential behind the token is still active. `now` is in epoch milliseconds. */
export const fromBrowser = (before: GateState, frame: string, now: number, active: boolean): GateStep => {
  const { admitted, full_at } = take(gateLimits.messages, before.full_at, now)
  const state = { ...purge(before, now), full_at }
  if (!admitted) return step(state, closed.tooOften)
  if (frame.length > sipLimits.message || utf8Length(frame) > sipLimits.message) return step(state, closed.tooLarge)
  if (isKeepAlive(frame))
    return ending(frame === keepAlive.ping ? step(state, toBrowser(keepAlive.pong)) : step(state), now)
  const text = lexSip(frame)
  if (text === undefined) return step(state, closed.notSip)
  const message = understand(text)
  if (Result.isFailure(message))
    return isResponse(text) ? step(state, closed.notSip) : refuseUnread(state, toBrowser, text, message.failure)
  return ending(
    message.success._tag === "Request"
      ? passRequest(state, message.success, now, active)
      : passBrowserResponse(state, message.success, now),
    now
  )
}
