// Messages of a browser and of a PBX, and what the WebRTC gate does with them.
import { fromPbx } from "../../src/domain/webrtc/GatePbx.ts"
import { type GateState, openGate } from "../../src/domain/webrtc/GateState.ts"
import type { GateStep } from "../../src/domain/webrtc/GateStep.ts"
import { fromBrowser } from "../../src/domain/webrtc/SipGate.ts"
import { parseSip, respond } from "./SipText.ts"

export const expires_at = 900_000
const token = { username: "1001-a", domain: "pbx", connection: "c0", expires_at }
export const open = openGate({ ...token, incoming: true, outgoing: true })
export const listening = openGate({ ...token, incoming: true, outgoing: false })
export const dialling = openGate({ ...token, incoming: false, outgoing: true })

const own = "<sip:1001-a@pbx>;tag=f"
export interface Parts {
  readonly contact?: string
  readonly from?: string
  readonly length?: string
  readonly more?: ReadonlyArray<string>
  readonly to?: string
  readonly uri?: string
}

export const lines = (
  method: string,
  {
    contact = "<sip:x@b.invalid;transport=ws>",
    from = own,
    length = "0",
    more = [],
    to = "<sip:+254711000001@pbx>",
    uri
  }: Parts = {}
) =>
  [
    `${method} ${uri ?? "sip:+254711000001@pbx"} SIP/2.0`,
    "Via: SIP/2.0/WSS b.invalid;branch=z9hG4bKa",
    `From: ${from}`,
    `To: ${to}`,
    "Call-ID: c1",
    `CSeq: 7 ${method}`,
    `Contact: ${contact}`,
    ...more,
    `Content-Length: ${length}`,
    "",
    ""
  ].join("\r\n")
export const invite = (parts: Parts = {}) => lines("INVITE", parts)
export const register = (parts: Parts = {}) => lines("REGISTER", { to: "<sip:1001-a@pbx>", uri: "sip:pbx", ...parts })

export const say = (text: string, state: GateState = open, now = 0, active = true) =>
  fromBrowser(state, text, now, active)
export const hear = (text: string, state: GateState = open, now = 0) => fromPbx(state, text, now, true)
export const sent = ({ actions }: GateStep, to: "ToPbx" | "ToBrowser" = "ToPbx") =>
  actions.flatMap((action) => (action._tag === to ? [action.text] : []))
export const statuses = (step: GateStep) =>
  step.actions.map((action) =>
    action._tag === "ToBrowser" ? Number(action.text.slice(8, 11)) : action._tag === "Close" ? action.code : action._tag
  )

/** A call that the browser has placed and the PBX has answered with the tag `t`. */
export const placed = (state: GateState = open): GateState => {
  const calling = say(invite(), state)
  const answer = respond(parseSip(sent(calling)[0]!)!, 200, "OK")
    .replace(/(To: [^\r]*?)(;tag=\w+)?\r/, "$1;tag=t\r")
    .replace("Content-Length", "Contact: <sip:pbx@192.0.2.1>\r\nContent-Length")
  return hear(answer, calling.state).state
}
export const inCall = placed()
export const within = (method: string, parts: Parts = {}) =>
  lines(method, { to: "<sip:+254711000001@pbx>;tag=t", ...parts }).replace("z9hG4bKa", "z9hG4bKin")
