// The SIPp scenario of the carrier and of phones. The last three digits of the called number select the behaviour.

/** Final responses that reject a call at once. */
const refusals = {
  300: "Multiple Choices",
  403: "Forbidden",
  404: "Not Found",
  486: "Busy Here",
  500: "Server Internal Error",
  503: "Service Unavailable",
  600: "Busy Everywhere",
  603: "Decline"
}

/** Any other number rings for 300 ms, answers, and stays connected until the other side hangs up. */
export const carrierNumbers = {
  /** Answers and hangs up after 1.5 s. */
  hangsUp: "201",
  /** Answers after 2 s. */
  slow: "202",
  /** Sends only 100 Trying, until it is cancelled. */
  silent: "100",
  /** Rings until it is cancelled. */
  rings: "180",
  /** Sends early media for a second, then answers. */
  early: "183",
  /** Sends a greeting as early media for two seconds, then answers and is silent. */
  greets: "184",
  /** Rings until it is cancelled, and answers at the same moment. */
  crosses: "487",
  /** Supports digits by SIP INFO only. Sends 1, 2, 3, 4 and # a second after its answer. */
  informs: "210",
  /** Supports digits by SIP INFO only. Hangs up once it has received 4 and 2. */
  informed: "211",
  /** Sends 1234# once it hears a voice. */
  presses: "212",
  /** Repeats 180 Ringing until it is cancelled. */
  nags: "182",
  /** Puts the call on hold a second after its answer, resumes it four seconds later, and hangs up. */
  holds: "220",
  /** Answers without SDP, and waits for the other side to hang up. */
  wordless: "221",
  /** Answers with a codec that was not offered. */
  foreign: "222",
  /** Sends BYE after a second, and sends a second BYE. */
  twice: "223",
  /** Demands a longer session timer (422), then answers, and hangs up after a second. */
  unhurried: "422",
  /** Refreshes the session by UPDATE a second after its answer, and hangs up. */
  refreshes: "225",
  /** Sends a re-INVITE with a codec that is not allowed a second after its answer. */
  switches: "224",
  /** `person` says one word and then listens; `machine` plays the greeting of an answering machine. */
  person: "301",
  machine: "302"
}

/** The audio file of each greeting, in G.711 A-law. */
export type Greetings = Readonly<Record<"person" | "machine", string>>

const head = `v=0
o=carrier 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP4 127.0.0.1
t=0 0
`
const sdp = `${head}m=audio [$media] RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15
a=ptime:20
`
/** The SDP of a phone without DTMF events in RTP. */
const plainSdp = `${head}m=audio [$media] RTP/AVP 0
a=rtpmap:0 PCMU/8000
a=ptime:20
`
/** An SDP with G.728, which Asterisk does not offer. */
const foreignSdp = plainSdp.replace("RTP/AVP 0", "RTP/AVP 15").replace("rtpmap:0 PCMU", "rtpmap:15 G728")
const held = sdp + "a=inactive\n"
/** The SDP of a phone whose audio SIPp plays itself. */
const speaking = sdp.replace(
  "[$media] RTP/AVP 0 101\na=rtpmap:0 PCMU",
  "[rtpstream_audio_port] RTP/AVP 8 101\na=rtpmap:8 PCMA"
)
const mine = "[pid]-[call_number]"

const message = (
  startLine: string,
  headers: ReadonlyArray<string>,
  body?: { readonly type: string; readonly text: string }
): string =>
  `<![CDATA[\n${[startLine, ...headers, ...(body === undefined ? [] : [`Content-Type: ${body.type}`]), "Content-Length: [len]"].join("\n")}\n\n${body?.text ?? ""}]]>`

/** A response to the INVITE, whichever message came last. */
const response = (status: string, sdp?: string): string =>
  message(
    `SIP/2.0 ${status}`,
    [
      "[$via]",
      "From: [$from]",
      `To: [$to];tag=${mine}`,
      "[last_Call-ID:]",
      "CSeq: [$invite]",
      "Contact: <sip:carrier@[local_ip]:[local_port]>"
    ],
    sdp === undefined ? undefined : { type: "application/sdp", text: sdp }
  )

/** A 200 response to the last message, which already has both tags. */
const okToLast = message("SIP/2.0 200 OK", [
  "[last_Via:]",
  "[last_From:]",
  "[last_To:]",
  "[last_Call-ID:]",
  "[last_CSeq:]"
])

const send = (text: string, attributes = ""): string => `<send${attributes}>${text}</send>`
const label = (name: string): string => `<label id="${name}"/>`
const goTo = (name: string, test?: string): string =>
  `<nop next="${name}"${test === undefined ? "" : ` test="${test}"`}/>`
const behavesAs = (digits: string) =>
  `<ereg regexp="^INVITE sip:[+0-9]*${digits}@" search_in="msg" check_it="false" assign_to="is${digits}"/>`
const kept = (name: string, header: string, regexp: string) =>
  `<ereg regexp="${regexp}" search_in="hdr" header="${header}:" check_it="true" assign_to="${name}"/>`

/** Continues with `name` after `ms`, unless the call is cancelled before. */
const rest = (ms: number, name: string): string =>
  `<recv request="CANCEL" timeout="${ms}" ontimeout="${name}" next="cancelled"/>`
const ringing = send(response("180 Ringing"))
const answerWith = (sdp: string) => [send(response("200 OK", sdp), ` retrans="500"`), `<recv request="ACK"/>`]
const answer = answerWith(sdp)

const plays = (file: string): string => `<nop><action><exec rtp_stream="${file},1,8"/></action></nop>`

const greets = (name: string, file: string) => [
  label(`as${name}`),
  ringing,
  rest(300, `greets${name}`),
  label(`greets${name}`),
  ...answerWith(speaking),
  plays(file),
  goTo("stays")
]

const withContact: ReadonlySet<string> = new Set(["INVITE", "UPDATE"])

/** A request of the phone within the call. */
const own = (method: string, seq: number, body?: { readonly type: string; readonly text: string }) =>
  message(
    `${method} [$peer] SIP/2.0`,
    [
      "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
      "Max-Forwards: 70",
      `From: [$to];tag=${mine}`,
      "To: [$from]",
      "[last_Call-ID:]",
      `CSeq: ${seq} ${method}`,
      ...(withContact.has(method) ? ["Contact: <sip:carrier@[local_ip]:[local_port]>"] : [])
    ],
    body
  )
const ownBye = [send(own("BYE", 9), ` retrans="500"`), `<recv response="200" next="end"/>`]

const key = (digit: string, index: number) => [
  send(
    own("INFO", index + 1, { type: "application/dtmf-relay", text: `Signal=${digit}\nDuration=100\n` }),
    ` retrans="500"`
  ),
  `<recv response="200"/>`,
  `<pause milliseconds="100"/>`
]
/** Waits for this digit. If another one comes first, the phone never hangs up. */
const isTold = (digit: string) => [
  `<recv request="INFO"><action><ereg regexp="Signal= *${digit}" search_in="msg" check_it="false" assign_to="told${digit}"/></action></recv>`,
  send(okToLast),
  goTo(`told${digit}`, `told${digit}`),
  goTo("stays"),
  label(`told${digit}`)
]

const offers = (seq: number, text: string) => [
  send(own("INVITE", seq, { type: "application/sdp", text }), ` retrans="500"`),
  `<recv response="100" optional="true"/>`,
  `<recv response="200"/>`,
  send(own("ACK", seq))
]
const afterAnswer = (sdp: string, ms: number) => [ringing, ...answerWith(sdp), `<pause milliseconds="${ms}"/>`]
const tooSmall = message("SIP/2.0 422 Session Interval Too Small", [
  "[$via]",
  "From: [$from]",
  `To: [$to];tag=${mine}`,
  "[last_Call-ID:]",
  "CSeq: [$invite]",
  "Min-SE: 2400"
])

const digits = [...Object.keys(refusals), ...Object.values(carrierNumbers)]

const invited = `<recv request="INVITE"><action>
${[kept("to", "To", "[^ ].*"), kept("from", "From", "[^ ].*"), kept("invite", "CSeq", "[0-9]+ INVITE"), kept("peer", "Contact", "sip:[^&gt;]*"), ...digits.map(behavesAs)].join("\n")}
<ereg regexp="Via: [^\\r\\n]*" search_in="msg" check_it="true" assign_to="via"/>
</action></recv>`

/** The scenario. Audio of answered calls goes to `media_port`, that of phones that send digits to `presses_port`. */
export const carrierScenario = (media_port: number, presses_port: number, greetings: Greetings): string =>
  [
    `<?xml version="1.0" encoding="UTF-8"?><scenario name="carrier">`,
    invited,
    ...digits.map((name) => goTo(`as${name}`, `is${name}`)),
    ringing,
    rest(300, "answers"),
    label("answers"),
    ...answer,
    label("stays"),
    `<recv request="BYE"/>`,
    send(okToLast),
    goTo("end"),
    label(`as${carrierNumbers.hangsUp}`),
    ringing,
    rest(300, "answersShortly"),
    label("answersShortly"),
    ...answer,
    `<pause milliseconds="1500"/>`,
    ...ownBye,
    label(`as${carrierNumbers.slow}`),
    ringing,
    rest(2_000, "answers"),
    label(`as${carrierNumbers.rings}`),
    ringing,
    `<recv request="CANCEL" next="cancelled"/>`,
    label(`as${carrierNumbers.silent}`),
    send(response("100 Trying")),
    `<recv request="CANCEL" next="cancelled"/>`,
    label(`as${carrierNumbers.early}`),
    send(response("183 Session Progress", sdp)),
    rest(1_000, "answers"),
    label(`as${carrierNumbers.greets}`),
    send(response("183 Session Progress", speaking)),
    plays(greetings.machine),
    rest(2_000, "greeted"),
    label("greeted"),
    `<nop><action><exec rtp_stream="pause"/></action></nop>`,
    ...answerWith(speaking),
    goTo("stays"),
    label(`as${carrierNumbers.crosses}`),
    ringing,
    `<recv request="CANCEL"/>`,
    send(okToLast),
    ...answer,
    goTo("stays"),
    label(`as${carrierNumbers.informs}`),
    ...answerWith(plainSdp),
    `<pause milliseconds="1000"/>`,
    ...[..."1234#"].flatMap(key),
    goTo("stays"),
    label(`as${carrierNumbers.informed}`),
    ...answerWith(plainSdp),
    ...isTold("4"),
    ...isTold("2"),
    ...ownBye,
    label(`as${carrierNumbers.presses}`),
    ...answerWith(sdp.replace("[$media]", String(presses_port))),
    goTo("stays"),
    label(`as${carrierNumbers.nags}`),
    label("nags"),
    ringing,
    rest(200, "nags"),
    label(`as${carrierNumbers.holds}`),
    ...afterAnswer(sdp, 1_000),
    ...offers(3, held),
    `<pause milliseconds="4000"/>`,
    ...offers(4, sdp),
    ...ownBye,
    label(`as${carrierNumbers.wordless}`),
    ringing,
    send(response("200 OK"), ` retrans="500"`),
    `<recv request="ACK"/>`,
    goTo("stays"),
    label(`as${carrierNumbers.switches}`),
    ...afterAnswer(sdp, 1_000),
    send(own("INVITE", 3, { type: "application/sdp", text: foreignSdp }), ` retrans="500"`),
    `<recv response="100" optional="true"/>`,
    `<recv response="500"/>`,
    send(own("ACK", 3)),
    goTo("end"),
    label(`as${carrierNumbers.foreign}`),
    ringing,
    ...answerWith(foreignSdp),
    goTo("stays"),
    label(`as${carrierNumbers.twice}`),
    ...afterAnswer(sdp, 1_000),
    send(own("BYE", 9), ` retrans="500"`),
    `<recv response="200"/>`,
    send(own("BYE", 10), ` retrans="500"`),
    `<recv response="481" next="end"/>`,
    label(`as${carrierNumbers.unhurried}`),
    send(tooSmall),
    `<recv request="ACK"/>`,
    invited,
    ...afterAnswer(sdp, 1_000),
    ...ownBye,
    label(`as${carrierNumbers.refreshes}`),
    ...afterAnswer(sdp, 1_000),
    send(own("UPDATE", 3), ` retrans="500"`),
    `<recv response="200"/>`,
    ...ownBye,
    ...greets(carrierNumbers.person, greetings.person),
    ...greets(carrierNumbers.machine, greetings.machine),
    ...Object.entries(refusals).flatMap(([code, reason]) => [
      label(`as${code}`),
      send(response(`${code} ${reason}`)),
      `<recv request="ACK" next="end"/>`
    ]),
    label("cancelled"),
    send(okToLast),
    send(response("487 Request Terminated")),
    `<recv request="ACK" next="end"/>`,
    label("end"),
    `<nop/>`,
    `</scenario>`
  ]
    .join("\n")
    .replaceAll("[$media]", String(media_port))
