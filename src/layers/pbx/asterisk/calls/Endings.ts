// How a leg ended, from the causes that Asterisk reports and from what the engine did. Asterisk's `dialstatus` does not
// help: it is NOANSWER for a wrong number, a rejection and a fault alike.
import { q850Of } from "../../../../domain/calls/views/HangupCauses.ts"
import type { PbxEventData } from "../../../../domain/pbx/PbxEvent.ts"

export interface Ending {
  readonly direction: "outbound" | "inbound"
  readonly answered: boolean
  /** Whether it called the devices of a user, and not over a carrier or a trunk. */
  readonly calls_devices: boolean
  /** Whether the network reported ringing. */
  readonly rang: boolean
  /** Whether the engine hung up. */
  readonly local_hangup: boolean
  /** Whether the other side hung up. */
  readonly remote_hangup: boolean
  /** Whether the talk had lasted as long as its limit. */
  readonly limit_reached: boolean
  /** The Q.850 cause (ITU-T) that Asterisk reports; 0 if it has none. */
  readonly cause: number
  /** The SIP code of the final response, if there was one. */
  readonly tech_cause: number | undefined
  /** The SIP code with which the engine rejected the leg. */
  readonly reject_code: number | undefined
}

/** SIP codes by which people, not networks, reject calls. */
const personalCodes = new Set([486, 600, 603])

/** SIP codes by Q.850 cause, for endings where Asterisk kept the cause alone (RFC 3398, section 8.2.6.1). */
const sipByCause: Readonly<Record<number, number>> = {
  1: 404,
  2: 404,
  3: 404,
  17: 486,
  18: 480,
  19: 480,
  20: 480,
  21: 403,
  22: 410,
  27: 502,
  28: 484,
  34: 503,
  38: 503,
  41: 503,
  42: 503,
  58: 488,
  88: 503,
  127: 500
}

const remoteParty = ({ direction }: Ending) => (direction === "outbound" ? ("callee" as const) : ("caller" as const))

type HangupData = Pick<PbxEventData, "sip_code" | "q850" | "source" | "reason">

/** "Requested channel unavailable": Asterisk's cause when it hangs up because no audio comes in (`rtp_timeout`). */
export const noAudioCause = 44

/** Asterisk's own timer ends a call with an ordinary cause or none, although nobody has hung up. */
const endedByAsterisk = ({ cause, limit_reached }: Ending): Pick<HangupData, "reason"> => {
  if (cause === noAudioCause) return { reason: "media_timeout" }
  return limit_reached && (cause === 0 || cause === 16) ? { reason: "talk_limit" } : {}
}

/**
 * Whether Asterisk itself ended the leg because the two could not agree on media: a 200 without SDP, or a re-INVITE
 * with codecs that are not allowed, to which it responds 500.
 */
export const hasNoMedia = ({ cause, tech_cause }: Pick<Ending, "cause" | "tech_cause">): boolean =>
  (cause === 127 && tech_cause === 406) || (cause === 58 && tech_cause === 488)

const afterAnswer = (ending: Ending): HangupData => {
  const { cause, local_hangup, remote_hangup } = ending
  if (!local_hangup && hasNoMedia(ending))
    return { sip_code: 200, q850: cause, source: "platform", reason: "media_failed" }
  return {
    sip_code: 200,
    q850: cause === 0 || cause === 26 ? 16 : cause,
    source: local_hangup || !remote_hangup ? "platform" : remoteParty(ending),
    ...(!local_hangup && !remote_hangup && endedByAsterisk(ending))
  }
}

/** The ringing time is over. If the carrier never even reported ringing, it is the carrier's fault. */
const timedOut = ({ rang }: Ending): HangupData =>
  rang ? { sip_code: 408, q850: 19, source: "platform" } : { sip_code: 504, q850: 18, source: "carrier" }

const beforeAnswer = (ending: Ending): HangupData => {
  const { cause, local_hangup, reject_code = 487, remote_hangup, tech_cause } = ending
  if (local_hangup) {
    const q850 = cause === 0 ? (q850Of(reject_code) ?? 16) : cause
    return { sip_code: reject_code, q850, source: "platform" }
  }
  if (ending.direction === "inbound") return { sip_code: 487, q850: cause === 0 ? 16 : cause, source: "caller" }
  if (!remote_hangup && (cause === 18 || cause === 19 || cause === 0)) return timedOut(ending)
  // Asterisk reports the same for a peer that has not responded at all. Of a person, 408 is the network's answer.
  const isSilent = tech_cause === 408 && !ending.rang && !ending.calls_devices
  const sip_code = isSilent ? 503 : (tech_cause ?? sipByCause[cause] ?? 503)
  const source = personalCodes.has(sip_code) ? remoteParty(ending) : "carrier"
  return { sip_code, q850: cause === 0 ? 31 : cause, source }
}

/** The data of `leg.hangup`. */
export const endingOf = (ending: Ending): HangupData => (ending.answered ? afterAnswer(ending) : beforeAnswer(ending))

/** ARI's `reason` for a hang-up, by the engine's cause. It decides the SIP response to an inbound call. */
export const reasonOf = (cause: string): string => {
  switch (cause) {
    case "user_busy":
      return "busy"
    case "call_rejected":
      return "rejected"
    case "unallocated_number":
      return "unallocated"
    case "answered_elsewhere":
      return "answered_elsewhere"
    case "network_congestion":
    case "service_unavailable":
      return "congestion"
    default:
      return "normal"
  }
}

/** ARI's `reason` that makes Asterisk reject an inbound call with this SIP code, or with the nearest one. */
export const reasonOfSip = (sip_code: number): string => {
  switch (sip_code) {
    case 486:
      return "busy"
    case 403:
      return "rejected"
    case 404:
      return "unallocated"
    case 408:
    case 480:
      return "no_answer"
    case 503:
      return "congestion"
    default:
      return "normal"
  }
}
