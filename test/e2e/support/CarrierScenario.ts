// What SIPp plays as the carrier, or as a phone: the last three digits of the number that is called say how it behaves.

/** Final responses that refuse a call at once. */
const refusals = { 403: "Forbidden", 404: "Not Found", 486: "Busy Here", 500: "Server Internal Error", 503: "Service Unavailable", 603: "Decline" }

/** Any other number rings for 300 ms, is answered, and stays until it is hung up. */
export const carrierNumbers = {
  /** Answers and hangs up after 1.5 s. */
  hangsUp: "201",
  /** Takes two seconds to answer. */
  slow: "202",
  /** Says 100 and nothing more, until it is cancelled. */
  silent: "100",
  /** Rings until it is cancelled. */
  rings: "180",
  /** Lets its announcement be heard for a second, then answers. */
  early: "183"
}

const sdp = `v=0
o=carrier 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP4 127.0.0.1
t=0 0
m=audio [$media] RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15
a=ptime:20
`
const mine = "[pid]-[call_number]"

const message = (startLine: string, headers: ReadonlyArray<string>, body = ""): string =>
  `<![CDATA[\n${[startLine, ...headers, ...(body === "" ? [] : ["Content-Type: application/sdp"]), "Content-Length: [len]"].join("\n")}\n\n${body}]]>`

/** To the INVITE, whichever message came last. */
const response = (status: string, body = ""): string =>
  message(`SIP/2.0 ${status}`, ["[$via]", "From: [$from]", `To: [$to];tag=${mine}`, "[last_Call-ID:]", "CSeq: [$invite]", "Contact: <sip:carrier@[local_ip]:[local_port]>"], body)

/** To what came last, which has its tags already. */
const okToLast = message("SIP/2.0 200 OK", ["[last_Via:]", "[last_From:]", "[last_To:]", "[last_Call-ID:]", "[last_CSeq:]"])

const send = (text: string, attributes = ""): string => `<send${attributes}>${text}</send>`
const label = (name: string): string => `<label id="${name}"/>`
const goTo = (name: string, test?: string): string => `<nop next="${name}"${test === undefined ? "" : ` test="${test}"`}/>`
const behavesAs = (digits: string) => `<ereg regexp="^INVITE sip:[+0-9]*${digits}@" search_in="msg" check_it="false" assign_to="is${digits}"/>`
const kept = (name: string, header: string, regexp: string) => `<ereg regexp="${regexp}" search_in="hdr" header="${header}:" check_it="true" assign_to="${name}"/>`

/** Goes on with `name` after so long, unless the call is cancelled meanwhile. */
const rest = (ms: number, name: string): string => `<recv request="CANCEL" timeout="${ms}" ontimeout="${name}" next="cancelled"/>`
const ringing = send(response("180 Ringing"))
const answer = [send(response("200 OK", sdp), ` retrans="500"`), `<recv request="ACK"/>`]

const ownBye = message("BYE [$peer] SIP/2.0", [
  "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "Max-Forwards: 70", `From: [$to];tag=${mine}`, "To: [$from]", "[last_Call-ID:]", "CSeq: 1 BYE"
])

const digits = [...Object.keys(refusals), ...Object.values(carrierNumbers)]

const invited = `<recv request="INVITE"><action>
${[kept("to", "To", "[^ ].*"), kept("from", "From", "[^ ].*"), kept("invite", "CSeq", "[0-9]+ INVITE"), kept("peer", "Contact", "sip:[^&gt;]*"), ...digits.map(behavesAs)].join("\n")}
<ereg regexp="Via: [^\\r\\n]*" search_in="msg" check_it="true" assign_to="via"/>
</action></recv>`

/** Whoever is connected has its ears at this port. */
export const carrierScenario = (media_port: number): string => [
  `<?xml version="1.0" encoding="UTF-8"?><scenario name="carrier">`,
  invited,
  ...digits.map((name) => goTo(`as${name}`, `is${name}`)),
  ringing,
  rest(300, "answers"),
  label("answers"), ...answer,
  label("stays"), `<recv request="BYE"/>`, send(okToLast), goTo("end"),
  label(`as${carrierNumbers.hangsUp}`), ringing, rest(300, "answersShortly"), label("answersShortly"), ...answer,
  `<pause milliseconds="1500"/>`, send(ownBye, ` retrans="500"`), `<recv response="200" next="end"/>`,
  label(`as${carrierNumbers.slow}`), ringing, rest(2_000, "answers"),
  label(`as${carrierNumbers.rings}`), ringing, `<recv request="CANCEL" next="cancelled"/>`,
  label(`as${carrierNumbers.silent}`), send(response("100 Trying")), `<recv request="CANCEL" next="cancelled"/>`,
  label(`as${carrierNumbers.early}`), send(response("183 Session Progress", sdp)), rest(1_000, "answers"),
  ...Object.entries(refusals).flatMap(([code, reason]) => [label(`as${code}`), send(response(`${code} ${reason}`)), `<recv request="ACK" next="end"/>`]),
  label("cancelled"), send(okToLast), send(response("487 Request Terminated")), `<recv request="ACK" next="end"/>`,
  label("end"), `<nop/>`,
  `</scenario>`
].join("\n").replaceAll("[$media]", String(media_port))
