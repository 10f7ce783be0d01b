// The SIP messages of the simulated PBX towards browsers (RFC 3261, RFC 7118).
import { answeredHeaders } from "../../../../domain/webrtc/GatePrint.ts"
import { type Party, printParty } from "../../../../domain/webrtc/SipAddress.ts"
import { type Headers, printSip, type SipRequest } from "../../../../domain/webrtc/SipMessage.ts"

/** A name that exists nowhere (RFC 7118, section 5). */
export const sipHost = "simulator.invalid"

const contact = `<sip:simulator@${sipHost};transport=ws>`
const allow = "INVITE, ACK, BYE, CANCEL, INFO, OPTIONS"

const reasons: Readonly<Record<number, string>> = {
  100: "Trying",
  180: "Ringing",
  183: "Session Progress",
  200: "OK",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  407: "Proxy Authentication Required",
  408: "Request Timeout",
  480: "Temporarily Unavailable",
  481: "Call Does Not Exist",
  484: "Address Incomplete",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  500: "Server Internal Error",
  503: "Service Unavailable",
  603: "Decline"
}

const bodyOf = (sdp: string | undefined) => (sdp === undefined ? undefined : { type: "application/sdp", text: sdp })

export interface ResponseOptions {
  /** The tag that the simulator adds to To. */
  readonly tag?: string
  readonly sdp?: string | undefined
  readonly reason?: string
  readonly headers?: Headers
}

/** A response to a request of a browser. */
export const responseTo = (request: SipRequest, status: number, options: ResponseOptions = {}): string => {
  const { headers = [], reason = reasons[status] ?? "Refused", sdp, tag } = options
  const isOfDialog = request.method === "INVITE" && status > 100 && status < 300
  return printSip(
    `SIP/2.0 ${status} ${reason}`,
    [
      ...answeredHeaders(request, status === 100 ? undefined : tag),
      ["Contact", isOfDialog ? contact : undefined],
      ["Allow", isOfDialog || request.method === "OPTIONS" ? allow : undefined],
      ...headers
    ],
    bodyOf(sdp)
  )
}

export interface RequestOptions {
  readonly method: "INVITE" | "ACK" | "BYE" | "CANCEL"
  /** Where the browser wants requests: its Contact. */
  readonly target: string
  readonly from: Party
  readonly to: Party
  readonly call_id: string
  readonly cseq: number
  readonly branch: string
  readonly sdp?: string
  readonly headers?: Headers
}

export const requestTo = (options: RequestOptions): string => {
  const { branch, call_id, cseq, from, headers = [], method, sdp, target, to } = options
  return printSip(
    `${method} ${target} SIP/2.0`,
    [
      ["Via", `SIP/2.0/WS ${sipHost};branch=${branch}`],
      ["Max-Forwards", "70"],
      ["From", printParty(from)],
      ["To", printParty(to)],
      ["Call-ID", call_id],
      ["CSeq", `${cseq} ${method}`],
      ["Contact", method === "INVITE" ? contact : undefined],
      ["Allow", method === "INVITE" ? allow : undefined],
      ...headers
    ],
    bodyOf(sdp)
  )
}
