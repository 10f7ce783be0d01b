// What the media of the simulated PBX may see of a browser's SDP.

const eventType = /^a=rtpmap:(\d+) telephone-event\/8000/im

/** A name that only multicast DNS knows, and TCP: the browser's own checks reveal its address. */
const isUseless = (line: string): boolean =>
  line.startsWith("a=candidate:") && (/ \S+\.local /.test(line) || / tcp /i.test(line))

const typeOf = (line: string): string | undefined => /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/.exec(line)?.[1]

/** PCMU and the keys of its rate, RFC 4733 (werift would take those of Opus, at 48 kHz), and nothing else. */
export const simplified = (sdp: string): string => {
  const keys = eventType.exec(sdp)?.[1]
  const kept = keys === undefined ? ["0"] : ["0", keys]
  return sdp
    .split(/\r?\n/)
    .filter((line) => !isUseless(line))
    .filter((line) => {
      const type = typeOf(line)
      return type === undefined || kept.includes(type)
    })
    .map((line) => (line.startsWith("m=audio") ? `${line.split(" ").slice(0, 3).join(" ")} ${kept.join(" ")}` : line))
    .join("\r\n")
}

/** Whether the browser wants to send sound: not if it holds the call. */
export const isSending = (sdp: string): boolean => !/^a=(?:recvonly|inactive)\r?$/m.test(sdp)
/** Whether the browser wants to hear anything. */
export const isListening = (sdp: string): boolean => !/^a=(?:sendonly|inactive)\r?$/m.test(sdp)
