// Responses through the WebRTC gate, and the dialogs that they create (RFC 3261, section 12.1).
import {
  answeredBy,
  type BrowserRequest,
  type Dialog,
  dropBrowserRequest,
  dropEarly,
  dropPbxRequest,
  gateLimits,
  type GateState,
  isSameDialog,
  type PbxRequest,
  putBrowserRequest,
  putDialog,
  putPbxRequest
} from "./GateState.ts"
import { ackToBrowser, destinationIn, destinationOf, followUp, responseToBrowser, responseToPbx } from "./GatePrint.ts"
import { grantedHeaders, registered } from "./GateRegistration.ts"
import { closed, type GateAction, type GateStep, step, toBrowser, toPbx } from "./GateStep.ts"
import { type Party, printAddress, type SipAddress } from "./SipAddress.ts"
import type { SipRequest, SipResponse } from "./SipMessage.ts"
import { printUri } from "./SipUri.ts"

const lasting_ms = (status: number): number => (status < 200 ? gateLimits.ringing_ms : gateLimits.call_ms)

const isSuccess = ({ status }: SipResponse): boolean => status >= 200 && status < 300

/** Where the other end wants the requests of a call: its Contact. */
export const targetOf = (contacts: SipRequest["contacts"]): string | undefined =>
  contacts === "*" || contacts[0] === undefined ? undefined : printUri(contacts[0].uri)

const routesOf = (record_routes: ReadonlyArray<SipAddress>): ReadonlyArray<string> => record_routes.map(printAddress)

/** A request that refreshes the target may be refused or accepted; the dialog is kept either way. */
const refreshed = (state: GateState, dialog: Dialog, response: SipResponse, now: number): GateState => {
  if (!isSuccess(response)) return state
  const current = state.dialogs.find((other) => isSameDialog(other, dialog))
  if (current === undefined) return state
  const target = targetOf(response.contacts) ?? current.target
  return putDialog(state, { ...current, target, ends_at: now + gateLimits.call_ms })
}

/** The dialog that the PBX's response to the browser's INVITE creates or confirms. */
const placed = (state: GateState, request: SipRequest, response: SipResponse, now: number): GateState => {
  const { from } = request
  const { contacts, record_routes, status, to } = response
  if (from.tag === undefined || to.tag === undefined || status === 100) return state
  const { to: called, uri } = destinationOf(state, request)
  const remote: Party = { ...called, tag: to.tag }
  return putDialog(state, {
    call_id: request.call_id,
    local_tag: from.tag,
    remote_tag: to.tag,
    local_user: undefined,
    remote,
    target: targetOf(contacts) ?? uri,
    routes: routesOf(record_routes).toReversed(),
    is_confirmed: isSuccess(response),
    ends_at: now + lasting_ms(status)
  })
}

/** A response of the PBX, other than a challenge, to the browser's request. */
export const passPbxResponse = (
  state: GateState,
  entry: BrowserRequest,
  response: SipResponse,
  now: number
): GateStep => {
  const { dialog, request } = entry
  const { status } = response
  const isInvite = request.method === "INVITE"
  if (entry.phase === "accepted" && !isSuccess(response)) return step(state)
  if (status < 200) {
    const known = isInvite && dialog === undefined ? placed(state, request, response, now) : state
    return step(known, toBrowser(responseToBrowser(request, response)))
  }
  const granted = request.method === "REGISTER" ? grantedHeaders(request, response) : []
  const passed = toBrowser(responseToBrowser(request, response, granted))
  if (isInvite && isSuccess(response)) {
    const accepted = { ...entry, phase: "accepted", ends_at: now + gateLimits.request_ms } as const
    const kept = putBrowserRequest(state, accepted)
    return step(
      dialog === undefined ? placed(kept, request, response, now) : refreshed(kept, dialog, response, now),
      passed
    )
  }
  const settled = dropBrowserRequest(state, entry)
  if (isInvite) {
    const ack = followUp(state, entry, "ACK", {
      ...destination(state, entry),
      to: acknowledged(state, entry, response)
    })
    return step(
      dialog === undefined ? dropEarly(settled, request.call_id, request.from.tag) : settled,
      toPbx(ack),
      passed
    )
  }
  if (request.method === "REGISTER" && isSuccess(response)) return step(registered(settled, request), passed)
  const isRefresh = request.method === "UPDATE" && dialog !== undefined
  return step(isRefresh ? refreshed(settled, dialog, response, now) : settled, passed)
}

const destination = (state: GateState, { dialog, request }: BrowserRequest) =>
  dialog === undefined ? destinationOf(state, request) : destinationIn(dialog)

/** An ACK repeats the To of the response (RFC 3261, section 17.1.1.3). */
const acknowledged = (state: GateState, entry: BrowserRequest, response: SipResponse): Party => ({
  ...destination(state, entry).to,
  tag: response.to.tag
})

export const ackChallenge = (state: GateState, entry: BrowserRequest, response: SipResponse): GateAction =>
  toPbx(followUp(state, entry, "ACK", { ...destination(state, entry), to: acknowledged(state, entry, response) }))

/** The dialog that the browser's response to the PBX's INVITE creates or confirms. */
const answered = (
  state: GateState,
  request: SipRequest,
  tag: string,
  response: SipResponse,
  now: number
): GateState => {
  const { call_id, contacts, from, record_routes, to } = request
  if (from.tag === undefined) return state
  return putDialog(state, {
    call_id,
    local_tag: tag,
    remote_tag: from.tag,
    local_user: to.uri.user,
    remote: from,
    target: targetOf(contacts) ?? printUri(from.uri),
    routes: routesOf(record_routes),
    is_confirmed: isSuccess(response),
    ends_at: now + lasting_ms(response.status)
  })
}

/** A browser must not redirect a caller, nor ask the PBX for credentials. */
const statusForPbx = ({ reason, status }: SipResponse): readonly [number, string] =>
  (status >= 300 && status < 400) || status === 401 || status === 407
    ? [480, "Temporarily Unavailable"]
    : [status, reason]

/** A response of the browser to a request of the PBX. One that answers nothing is dropped. */
export const passBrowserResponse = (state: GateState, response: SipResponse, now: number): GateStep => {
  const pending = answeredBy(state.from_pbx, response)
  if (pending === undefined) return step(state)
  if (pending.phase === "accepted" && !isSuccess(response)) return step(state)
  const { dialog, request } = pending
  const isInvite = request.method === "INVITE"
  const creates = isInvite && dialog === undefined && response.status > 100 && response.status < 300
  if (creates && pending.tag === undefined && response.to.tag === undefined) return step(state, closed.notSip)
  const isFinal = response.status >= 200
  const entry: PbxRequest = {
    ...pending,
    tag: pending.tag ?? response.to.tag ?? (isFinal ? "gate" : undefined),
    phase: isFinal ? "accepted" : pending.phase,
    ends_at: isFinal ? now + gateLimits.request_ms : pending.ends_at
  }
  const passed = toPbx(responseToPbx(state, entry, response, ...statusForPbx(response)))
  if (response.status < 200 || (isInvite && isSuccess(response))) {
    const kept = putPbxRequest(state, entry)
    return step(creates && entry.tag !== undefined ? answered(kept, request, entry.tag, response, now) : kept, passed)
  }
  const settled = dropPbxRequest(state, entry)
  if (!isInvite) return step(settled, passed)
  const ack = toBrowser(ackToBrowser(state, entry))
  return step(dialog === undefined ? dropEarly(settled, request.call_id, undefined) : settled, passed, ack)
}
