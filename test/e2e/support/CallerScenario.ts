// The SIPp scenario of an outside caller: it waits for the answer, talks for a while, and hangs up.

export interface Caller {
  /** The called number: the user part of the SIP URI. */
  readonly number: string
  readonly from: string
  /** Further headers of the INVITE. */
  readonly headers?: ReadonlyArray<string>
  readonly media_port: number
  /** Hangs up this long after the answer. Absent: waits for the other side to hang up. */
  readonly talks_ms?: number
  /** Cancels after ringing this long. */
  readonly gives_up_ms?: number
  /** Sends CANCEL after the answer, and stays in the call. */
  readonly cancels_late?: boolean
  /** Sends a REFER to this number after the answer, and does not wait for a response. */
  readonly refers_to?: string
  /** Offers SRTP with keys in SDP (RFC 4568), and expects it in the answer. */
  readonly encrypts?: boolean
  /** Offers DTLS-SRTP (RFC 5763), and expects a fingerprint in the answer. */
  readonly offers_dtls?: boolean
  /** The final response that it expects instead of an answer. */
  readonly refused_with?: number
  /** The credentials of a device that has to authenticate. */
  readonly user?: { readonly username: string; readonly password: string }
}

const encryptedSdp = (port: number): string =>
  `${sdp(port).replace("RTP/AVP", "RTP/SAVP")}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 7).toString("base64")}
`

const dtlsSdp = (port: number): string =>
  `${sdp(port).replace("RTP/AVP", "UDP/TLS/RTP/SAVP")}a=setup:actpass
a=fingerprint:SHA-256 ${Array.from({ length: 32 }, () => "A7").join(":")}
`

const sdp = (port: number): string => `v=0
o=caller 1 1 IN IP4 127.0.0.1
s=-
c=IN IP4 127.0.0.1
t=0 0
m=audio ${port} RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15
`

const head = `<?xml version="1.0" encoding="UTF-8"?><scenario name="caller">`
const own_via = "Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]"

const request = (
  method: string,
  number: string,
  from: string,
  headers: ReadonlyArray<string>,
  body = "",
  via = own_via
) => `<![CDATA[
${method} sip:${number}@[remote_ip]:[remote_port] SIP/2.0
${via}
Max-Forwards: 70
From: <sip:${from}@[local_ip]:[local_port]>;tag=[pid]-[call_number]
${headers.join("\n")}
Call-ID: [call_id]
Contact: <sip:${from}@[local_ip]:[local_port]>
${body === "" ? "" : "Content-Type: application/sdp\n"}Content-Length: [len]

${body}]]>`

const credentials = ({ user }: Pick<Caller, "user">): string =>
  user === undefined ? "" : `[authentication username=${user.username} password=${user.password}]`

const ok = `<![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]>`

const isAnswered = ({ encrypts = false, offers_dtls = false }: Caller): string =>
  offers_dtls
    ? `<recv response="200"><action><ereg regexp="a=fingerprint:SHA-256 " search_in="body" check_it="true" assign_to="secure"/></action></recv><Reference variables="secure"/>`
    : encrypts
      ? `<recv response="200"><action><ereg regexp="m=audio [1-9][0-9]* RTP/SAVP " search_in="body" check_it="true" assign_to="secure"/></action></recv><Reference variables="secure"/>`
      : `<recv response="200"/>`

/**
 * A request that Asterisk challenges is sent once: it challenges a repeated one anew, and SIPp would take the second
 * challenge for the response to the next request.
 */
const sent = (is_challenged: boolean): string => (is_challenged ? "<send>" : `<send retrans="500">`)

export const callerScenario = (caller: Caller): string => {
  const {
    cancels_late,
    encrypts = false,
    from,
    headers = [],
    gives_up_ms,
    media_port,
    number,
    refers_to,
    refused_with,
    talks_ms
  } = caller
  const offer = (caller.offers_dtls ? dtlsSdp : encrypts ? encryptedSdp : sdp)(media_port)
  const invite = (seq: number, more: ReadonlyArray<string> = []) =>
    `${sent(caller.user !== undefined && seq === 1)}${request("INVITE", number, from, [`To: <sip:${number}@[remote_ip]:[remote_port]>`, `CSeq: ${seq} INVITE`, ...headers, ...more], offer)}</send>`
  const ack = (seq: number) => `<send>${request("ACK", number, from, ["[last_To:]", `CSeq: ${seq} ACK`])}</send>`
  const seq = caller.user === undefined ? 1 : 2
  const challenged =
    caller.user === undefined
      ? []
      : [
          `<recv response="100" optional="true"/><recv response="401" auth="true"/>`,
          ack(1),
          invite(2, [credentials(caller)])
        ]
  const provisional = `<recv response="100" optional="true"/><recv response="180" optional="true"/><recv response="183" optional="true"/>`
  // Uses the branch of the INVITE, which its response carries.
  const connected =
    cancels_late === undefined
      ? `${isAnswered(caller)}${ack(seq)}`
      : [
          `<recv response="200"/>`,
          `<send>${request("CANCEL", number, from, [`To: <sip:${number}@[remote_ip]:[remote_port]>`, `CSeq: ${seq} CANCEL`], "", "[last_Via:]")}</send>`,
          `<recv response="200"/>`,
          `<send>${request("ACK", number, from, [`To: <sip:${number}@[remote_ip]:[remote_port]>[peer_tag_param]`, `CSeq: ${seq} ACK`])}</send>`
        ].join("\n")
  const refer =
    refers_to === undefined
      ? ""
      : [
          `<pause milliseconds="500"/>`,
          `<send>${request("REFER", number, from, ["[last_To:]", `CSeq: ${seq + 1} REFER`, `Refer-To: <sip:${refers_to}@[remote_ip]>`])}</send>`,
          `<pause milliseconds="1000"/>`
        ].join("\n")
  const talk =
    talks_ms === undefined
      ? `<recv request="BYE"/><send>${ok}</send>`
      : `<pause milliseconds="${talks_ms}"/><send retrans="500">${request("BYE", number, from, ["[last_To:]", `CSeq: ${seq + 2} BYE`])}</send><recv response="200"/>`
  if (gives_up_ms !== undefined) {
    // ACK and CANCEL use the branch of the INVITE, which its responses carry.
    const again = (method: string, headers: ReadonlyArray<string>) =>
      request(method, number, from, headers, "", "[last_Via:]")
    return [
      head,
      invite(1),
      `<recv response="100" optional="true"/><recv response="180"/><pause milliseconds="${gives_up_ms}"/>`,
      `<send retrans="500">${again("CANCEL", [`To: <sip:${number}@[remote_ip]:[remote_port]>`, "CSeq: 1 CANCEL"])}</send>`,
      `<recv response="200"/><recv response="487"/><send>${again("ACK", ["[last_To:]", "CSeq: 1 ACK"])}</send></scenario>`
    ].join("\n")
  }
  const end =
    refused_with === undefined ? `${connected}${refer}${talk}` : `<recv response="${refused_with}"/>${ack(seq)}`
  return [head, invite(1), ...challenged, provisional, end, `</scenario>`].join("\n")
}

/** A device that registers its own address. The user part of its contact is its username by default. */
export const registerScenario = (
  user: { readonly username: string; readonly password: string },
  name = user.username
): string => {
  const register = (seq: number, more: ReadonlyArray<string> = []) => `${sent(seq === 1)}<![CDATA[
REGISTER sip:[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
Max-Forwards: 70
From: <sip:${user.username}@[remote_ip]>;tag=[pid]-[call_number]
To: <sip:${user.username}@[remote_ip]>
Call-ID: [call_id]
CSeq: ${seq} REGISTER
Contact: <sip:${name}@[local_ip]:[local_port]>
Expires: 120
${more.map((line) => `${line}\n`).join("")}Content-Length: 0

]]></send>`
  return [
    `<?xml version="1.0" encoding="UTF-8"?><scenario name="device">`,
    register(1),
    `<recv response="100" optional="true"/><recv response="401" auth="true"/>`,
    register(2, [credentials({ user })]),
    `<recv response="100" optional="true"/><recv response="200"/>`,
    `</scenario>`
  ].join("\n")
}
