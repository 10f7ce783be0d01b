// The WebRTC gate (docs/webrtc.md): what it does with a message of the PBX. A request reaches the browser if it begins
// a call that the token allows, or belongs to a call of this connection; a response, if it answers a request.
import { Result } from "effect"
import { type DigestHash, type DigestSecret, digestAnswer } from "./DigestAnswer.ts"
import { destinationIn, destinationOf, requestToBrowser, requestToPbx, respond } from "./GatePrint.ts"
import { registrationHeaders, registrationOf } from "./GateRegistration.ts"
import { ackChallenge, passPbxResponse, targetOf } from "./GateResponses.ts"
import {
  answeredBy,
  type BrowserRequest,
  type Dialog,
  dialogOfPbx,
  dropBrowserRequest,
  dropDialog,
  gateLimits,
  type GateState,
  pendingOf,
  type PbxRequest,
  purge,
  putBrowserRequest,
  putDialog,
  putPbxRequest,
  withBranch
} from "./GateState.ts"
import { ending, type GateAction, type GateStep, refuse, refuseUnread, step, toBrowser, toPbx } from "./GateStep.ts"
import { isMethod } from "./SipFields.ts"
import { isKeepAlive, isResponse, keepAlive, lexSip } from "./SipLexer.ts"
import { type Refusal, type SipRequest, type SipResponse, understand } from "./SipMessage.ts"

const isUnavailable = ({ expires_at, incoming }: GateState, now: number, active: boolean): boolean =>
  now >= expires_at || !incoming || !active

/** Why the request does not reach the browser. */
const obstacle = (
  state: GateState,
  { method, to }: SipRequest,
  dialog: Dialog | undefined,
  now: number,
  active: boolean
): Refusal | undefined => {
  if (!isMethod(method) || method === "REGISTER") return { status: 405, reason: "Method Not Allowed" }
  if (dialog !== undefined) return undefined
  if (to.tag !== undefined || (method !== "INVITE" && method !== "OPTIONS"))
    return { status: 481, reason: "Call Does Not Exist" }
  if (method !== "INVITE") return undefined
  if (isUnavailable(state, now, active)) return { status: 480, reason: "Temporarily Unavailable" }
  return state.dialogs.length >= gateLimits.dialogs ? { status: 486, reason: "Busy Here" } : undefined
}

const passCancel = (state: GateState, request: SipRequest, now: number): GateStep => {
  const invite = pendingOf(state.from_pbx, "INVITE", request.via.branch)
  if (invite === undefined) return refuse(state, toPbx, request, { status: 481, reason: "Call Does Not Exist" })
  if (invite.phase === "accepted") return step(state, toPbx(respond(request, 200, "OK")))
  const { branch, dialog } = invite
  const entry: PbxRequest = {
    request,
    branch,
    phase: "sent",
    dialog,
    tag: undefined,
    ends_at: now + gateLimits.request_ms
  }
  const { from, max_forwards, to, uri } = invite.request
  const text = requestToBrowser(state, { ...request, from, max_forwards, to, uri }, branch)
  return step(putPbxRequest(state, entry), toBrowser(text))
}

const touched = (state: GateState, request: SipRequest, dialog: Dialog, now: number): GateState => {
  if (request.method === "BYE") return dropDialog(state, dialog)
  const isRefresh = request.method === "INVITE" || request.method === "UPDATE"
  const target = (isRefresh ? targetOf(request.contacts) : undefined) ?? dialog.target
  return putDialog(state, { ...dialog, target, ends_at: now + gateLimits.call_ms })
}

const passRequest = (before: GateState, request: SipRequest, now: number, active: boolean): GateStep => {
  const { method, via } = request
  if (method === "CANCEL") return passCancel(before, request, now)
  const dialog = dialogOfPbx(before, request)
  const refusal = obstacle(before, request, dialog, now, active)
  if (refusal !== undefined) return refuse(before, toPbx, request, refusal)
  if (pendingOf(before.from_pbx, method, via.branch) !== undefined) return step(before)
  if (before.from_pbx.length >= gateLimits.requests)
    return refuse(before, toPbx, request, { status: 503, reason: "Too many requests wait for a response" })
  const { branch, state: numbered } = withBranch(before)
  const state = dialog === undefined ? numbered : touched(numbered, request, dialog, now)
  const passed = toBrowser(requestToBrowser(state, request, branch))
  if (method === "ACK") return step(state, passed)
  const lasts_ms = method === "INVITE" ? gateLimits.ringing_ms : gateLimits.request_ms
  return step(
    putPbxRequest(state, { request, branch, phase: "sent", dialog, tag: request.to.tag, ends_at: now + lasts_ms }),
    passed
  )
}

/** A challenge never reaches the browser. */
const refused = (response: SipResponse): SipResponse =>
  response.status === 401 || response.status === 407
    ? { ...response, status: 403, reason: "The PBX does not accept the credential" }
    : response

const passResponse = (state: GateState, response: SipResponse, now: number): GateStep => {
  const entry = answeredBy(state.from_browser, response)
  if (entry === undefined) return step(state)
  const isChallenge = response.status === 401 || response.status === 407
  if (!isChallenge || entry.phase !== "sent" || entry.request.method === "CANCEL")
    return passPbxResponse(state, entry, refused(response), now)
  const actions: ReadonlyArray<GateAction> = [{ _tag: "Authenticate", branch: entry.branch, response }]
  return {
    state: putBrowserRequest(state, { ...entry, phase: "challenged" }),
    actions: entry.request.method === "INVITE" ? [ackChallenge(state, entry, response), ...actions] : actions
  }
}

/** `active`: whether the credential behind the token is still active. `now` is in epoch milliseconds. */
export const fromPbx = (before: GateState, frame: string, now: number, active: boolean): GateStep => {
  const state = purge(before, now)
  if (isKeepAlive(frame)) return frame === keepAlive.ping ? step(state, toPbx(keepAlive.pong)) : step(state)
  const text = lexSip(frame)
  if (text === undefined) return step(state)
  const message = understand(text, true)
  if (Result.isFailure(message))
    return isResponse(text) ? step(state) : refuseUnread(state, toPbx, text, message.failure)
  return ending(
    message.success._tag === "Request"
      ? passRequest(state, message.success, now, active)
      : passResponse(state, message.success, now),
    now
  )
}

/** Prints the request again, with credentials, in a new transaction. The browser still waits for its own response. */
const repeat = (before: GateState, entry: BrowserRequest, header: string, value: string, now: number): GateStep => {
  const { branch, state } = withBranch(before)
  const { dialog, request } = entry
  const destination = dialog === undefined ? destinationOf(state, request) : destinationIn(dialog)
  const registration = request.method === "REGISTER" ? registrationOf(request) : undefined
  const more = registration === undefined ? [] : registrationHeaders(state, request, registration, now)
  return step(
    putBrowserRequest(state, { ...entry, branch, phase: "repeated" }),
    toPbx(requestToPbx(state, request, destination, branch, [...more, [header, value]]))
  )
}

/** A client may unregister after its token has ended. */
const isLeaving = (request: SipRequest): boolean =>
  request.method === "REGISTER" && registrationOf(request)?._tag === "unregister"

/**
 * Answers a challenge. If it cannot be answered, the browser's request is refused. Nothing is sent if the browser has
 * cancelled the request meanwhile.
 */
export const authenticated = (
  state: GateState,
  { branch, response }: Extract<GateAction, { _tag: "Authenticate" }>,
  secret: DigestSecret | undefined,
  cnonce: string,
  hash: DigestHash,
  now: number
): GateStep => {
  const entry = state.from_browser.find((each) => each.branch === branch && each.phase === "challenged")
  if (entry === undefined) return step(state)
  const { dialog, request } = entry
  const refuseIt = (status: number, reason: string) =>
    ending(step(dropBrowserRequest(state, entry), toBrowser(respond(request, status, reason))), now)
  if (dialog === undefined && now >= state.expires_at && !isLeaving(request))
    return refuseIt(403, "The token has ended")
  const { uri } = dialog === undefined ? destinationOf(state, request) : destinationIn(dialog)
  const answer =
    secret &&
    response.challenges
      .map((challenge) => digestAnswer(challenge, { method: request.method, uri }, secret, cnonce, hash))
      .find((each) => each !== undefined)
  if (answer !== undefined)
    return repeat(state, entry, response.status === 407 ? "Proxy-Authorization" : "Authorization", answer, now)
  const { reason, status } = refused(response)
  return refuseIt(status, reason)
}
