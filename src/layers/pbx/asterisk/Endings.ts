// How a leg ended, from what Asterisk says of its channel and what the engine had asked for. `dialstatus` is no help: it
// says NOANSWER of a wrong number, a refusal and a fault alike.
import { q850Of } from "../../../domain/calls/HangupCauses.ts"
import type { PbxEventData } from "../../../domain/pbx/PbxEvent.ts"

export interface Ending {
  readonly direction: "outbound" | "inbound"
  readonly answered: boolean
  /** Whether the network had said that it rings. */
  readonly rang: boolean
  /** Whether the engine asked for the end. */
  readonly asked: boolean
  /** Whether the other side ended it: a hang-up request that was not ours. */
  readonly remote: boolean
  /** Whether its talk had lasted for as long as it may. */
  readonly limited: boolean
  /** Q.850 (ITU-T), as Asterisk has it; 0 where it has none. */
  readonly cause: number
  /** The SIP code of the final response, where there was one. */
  readonly tech_cause: number | undefined
  /** The SIP code that the engine wanted it refused with. */
  readonly refused: number | undefined
}

/** SIP codes by which people, and not networks, refuse. */
const personal = new Set([486, 600, 603])

/** Where Asterisk kept the cause alone: the code that RFC 3398 (section 8.2.6.1) has for it. */
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

const party = ({ direction }: Ending) => (direction === "outbound" ? ("callee" as const) : ("caller" as const))

type How = Pick<PbxEventData, "sip_code" | "q850" | "source" | "reason">

/** "Requested channel unavailable": what Asterisk gives a talk that it ends because no sound comes in (`rtp_timeout`). */
export const silence = 44

/** What Asterisk ends by its own clock has no cause, or an ordinary one, and nobody has asked for it. */
const ofItsOwn = ({ cause, limited }: Ending): Pick<How, "reason"> => {
  if (cause === silence) return { reason: "media_timeout" }
  return limited && (cause === 0 || cause === 16) ? { reason: "talk_limit" } : {}
}

const afterAnswer = (ending: Ending): How => {
  const { asked, cause, remote } = ending
  return {
    sip_code: 200,
    q850: cause === 0 || cause === 26 ? 16 : cause,
    source: asked || !remote ? "platform" : party(ending),
    ...(!asked && !remote && ofItsOwn(ending))
  }
}

/** The time to ring was over, by Asterisk's clock. With a carrier that never said anything it is the carrier's fault. */
const ranOut = ({ rang }: Ending): How =>
  rang ? { sip_code: 408, q850: 19, source: "platform" } : { sip_code: 504, q850: 18, source: "carrier" }

const beforeAnswer = (ending: Ending): How => {
  const { asked, cause, refused, remote, tech_cause } = ending
  if (asked)
    return { sip_code: refused ?? 487, q850: cause === 0 ? (q850Of(refused ?? 487) ?? 16) : cause, source: "platform" }
  if (ending.direction === "inbound") return { sip_code: 487, q850: cause === 0 ? 16 : cause, source: "caller" }
  if (!remote && (cause === 18 || cause === 19 || cause === 0)) return ranOut(ending)
  const sip_code = tech_cause ?? sipByCause[cause] ?? 503
  return { sip_code, q850: cause === 0 ? 31 : cause, source: personal.has(sip_code) ? party(ending) : "carrier" }
}

export const endingOf = (ending: Ending): How => (ending.answered ? afterAnswer(ending) : beforeAnswer(ending))

/** The reason that a channel is ended with: what the caller of a call that came in is told. */
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

/** The reason for which Asterisk answers a call that came in with this SIP code, or with the next one to it. */
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
