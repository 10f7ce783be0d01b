// What the WebRTC gate does at one message.
import { type GateState, hasCall } from "./GateState.ts"
import type { Refusal, SipRequest, SipResponse } from "./SipMessage.ts"
import { refuseText } from "./SipMessage.ts"
import { respond } from "./GatePrint.ts"
import type { SipText } from "./SipLexer.ts"

export type GateAction =
  | { readonly _tag: "ToPbx" | "ToBrowser"; readonly text: string }
  | { readonly _tag: "Close"; readonly code: number; readonly reason: string }
  /** The PBX has challenged the request with this branch. */
  | { readonly _tag: "Authenticate"; readonly branch: string; readonly response: SipResponse }

export interface GateStep {
  readonly state: GateState
  readonly actions: ReadonlyArray<GateAction>
}

export const closed = {
  notSip: { _tag: "Close", code: 1007, reason: "not a SIP message" },
  tooLarge: { _tag: "Close", code: 1009, reason: "a message is at most 64 KiB" },
  tooOften: { _tag: "Close", code: 1008, reason: "too many messages" },
  expired: { _tag: "Close", code: 4401, reason: "the token has ended" },
  foreign: { _tag: "Close", code: 4403, reason: "From does not match the token" }
} as const satisfies Record<string, GateAction>

export const toPbx = (text: string): GateAction => ({ _tag: "ToPbx", text })
export const toBrowser = (text: string): GateAction => ({ _tag: "ToBrowser", text })
export const step = (state: GateState, ...actions: ReadonlyArray<GateAction>): GateStep => ({ state, actions })

/** Nobody responds to an ACK (RFC 3261, section 17.1.1.3). */
const unlessAck = (method: string, action: GateAction): ReadonlyArray<GateAction> => (method === "ACK" ? [] : [action])

type Answer = typeof toPbx

export const refuse = (state: GateState, answer: Answer, request: SipRequest, refusal: Refusal): GateStep => ({
  state,
  actions: unlessAck(request.method, answer(respond(request, refusal.status, refusal.reason)))
})

export const refuseUnread = (state: GateState, answer: Answer, text: SipText, refusal: Refusal): GateStep => ({
  state,
  actions: unlessAck(text.start.replace(/ .*$/s, ""), answer(refuseText(text, refusal)))
})

/** Closes the connection if the token has expired and no call is live. */
export const atExpiry = (state: GateState, now: number): GateStep =>
  now >= state.expires_at && !hasCall(state) ? step(state, closed.expired) : step(state)

export const ending = ({ actions, state }: GateStep, now: number): GateStep => ({
  state,
  actions: [...actions, ...atExpiry(state, now).actions]
})
