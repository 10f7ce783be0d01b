// How the WebRTC gate prints messages. Towards the PBX, who speaks and where a request goes come from the token and
// from what the gate knows of the call; towards either side, responses repeat the request that they answer.
import { type Party, printAddress, printParty, printVia, type SipAddress } from "./SipAddress.ts"
import type { BrowserRequest, Dialog, GateState, PbxRequest } from "./GateState.ts"
import { type Headers, printSip, type SipMessage, type SipRequest, type SipResponse } from "./SipMessage.ts"
import { printUri, sipUri } from "./SipUri.ts"

const fieldsOf = ({ fields }: SipMessage): Headers => fields.map(({ name, value }) => [name, value])

const hops = (max_forwards: number): string => String(Math.min(70, max_forwards))

/** The browser towards the PBX: its user only, at a host of the gate's. */
export const contactOf = ({ host }: GateState, { contacts }: SipMessage): string => {
  const user = contacts === "*" ? undefined : contacts[0]?.uri.user
  return `<${printUri({ ...sipUri(user, host), parameters: ";transport=ws" })}>`
}

const withContact = new Set(["INVITE", "UPDATE"])

export interface Destination {
  readonly uri: string
  readonly to: Party
  readonly routes: ReadonlyArray<string>
}

/** Where a request goes that begins something: never further than the deployment's own domain. */
export const destinationOf = ({ domain, username }: GateState, { method, uri }: SipRequest): Destination => {
  const user = method === "REGISTER" ? username : uri.user
  const to: Party = { display: undefined, uri: sipUri(user, domain), tag: undefined }
  return { uri: printUri(sipUri(method === "REGISTER" ? undefined : user, domain)), to, routes: [] }
}

export const destinationIn = ({ remote, routes, target }: Dialog): Destination => ({ uri: target, to: remote, routes })

/** `more`: a registration's contact, or credentials. */
export const requestToPbx = (
  state: GateState,
  request: SipRequest,
  { routes, to, uri }: Destination,
  branch: string,
  more: Headers = []
): string => {
  const { domain, host, username } = state
  const from: Party = { display: undefined, uri: sipUri(username, domain), tag: request.from.tag }
  return printSip(
    `${request.method} ${uri} SIP/2.0`,
    [
      ["Via", `SIP/2.0/WS ${host};branch=${branch};rport`],
      ...routes.map((route) => ["Route", route] as const),
      ["Max-Forwards", hops(request.max_forwards)],
      ["From", printParty(from)],
      ["To", printParty(to)],
      ["Call-ID", request.call_id],
      ["CSeq", `${request.cseq} ${request.method}`],
      ["Contact", withContact.has(request.method) ? contactOf(state, request) : undefined],
      ...fieldsOf(request),
      ...more
    ],
    request.body
  )
}

/** An ACK or a CANCEL of the gate's own, for a request that it has sent (RFC 3261, sections 9.1 and 17.1.1.3). */
export const followUp = (
  state: GateState,
  { branch, request }: Pick<BrowserRequest, "branch" | "request">,
  method: "ACK" | "CANCEL",
  destination: Destination,
  fields: SipRequest["fields"] = []
): string =>
  requestToPbx(
    state,
    { ...request, method, max_forwards: 70, contacts: [], fields, body: undefined },
    destination,
    branch
  )

const viasOf = ({ vias }: SipRequest): Headers => vias.map((via) => ["Via", printVia(via)])

const tagged = (party: Party, tag: string | undefined): Party => ({ ...party, tag: party.tag ?? tag })

/** The headers of a response, which repeat those of its request (RFC 3261, section 8.2.6.2). */
export const answeredHeaders = (request: SipRequest, tag: string | undefined): Headers => [
  ...viasOf(request),
  ["From", printParty(request.from)],
  ["To", printParty(tagged(request.to, tag))],
  ["Call-ID", request.call_id],
  ["CSeq", `${request.cseq} ${request.method}`]
]

/** A response of the gate's own, to whoever sent the request. */
export const respond = (request: SipRequest, status: number, reason: string, more: Headers = []): string =>
  printSip(`SIP/2.0 ${status} ${reason}`, [...answeredHeaders(request, "gate"), ...more], undefined)

const addresses = (name: string, all: ReadonlyArray<SipAddress>): Headers =>
  all.map((address) => [name, printAddress(address)])

/** `more`: what becomes of a registration. */
export const responseToBrowser = (request: SipRequest, response: SipResponse, more: Headers = []): string => {
  const contacts = request.method === "REGISTER" || response.contacts === "*" ? [] : response.contacts
  return printSip(
    `SIP/2.0 ${response.status} ${response.reason}`,
    [...answeredHeaders(request, response.to.tag), ...addresses("Contact", contacts), ...fieldsOf(response), ...more],
    response.body
  )
}

export const responseToPbx = (
  state: GateState,
  { request, tag }: PbxRequest,
  response: SipResponse,
  status: number,
  reason: string
): string =>
  printSip(
    `SIP/2.0 ${status} ${reason}`,
    [
      ...answeredHeaders(request, tag),
      ...addresses("Record-Route", request.record_routes),
      ["Contact", withContact.has(request.method) && status < 300 ? contactOf(state, response) : undefined],
      ...fieldsOf(response)
    ],
    response.body
  )

/** The gate is the browser's only hop, so neither the routes nor the senders behind it are told. */
export const requestToBrowser = (state: GateState, request: SipRequest, branch: string): string => {
  const { contacts, method, uri } = request
  return printSip(
    `${method} ${printUri({ ...sipUri(uri.user, state.host), parameters: ";transport=ws" })} SIP/2.0`,
    [
      ["Via", `SIP/2.0/WSS ${state.domain};branch=${branch}`],
      ["Max-Forwards", hops(request.max_forwards)],
      ["From", printParty(request.from)],
      ["To", printParty(request.to)],
      ["Call-ID", request.call_id],
      ["CSeq", `${request.cseq} ${method}`],
      ...addresses("Contact", contacts === "*" ? [] : contacts),
      ...fieldsOf(request)
    ],
    request.body
  )
}

/** An ACK of the gate's own for a refusal of the browser's. */
export const ackToBrowser = (state: GateState, { branch, request, tag }: PbxRequest): string =>
  requestToBrowser(
    state,
    {
      ...request,
      method: "ACK",
      to: tagged(request.to, tag),
      max_forwards: 70,
      contacts: [],
      fields: [],
      body: undefined
    },
    branch
  )
