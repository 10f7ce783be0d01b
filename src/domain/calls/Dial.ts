// A dial under way: the destinations, how far each of them is, and what the whole of them comes to.
import type { CallStatus } from "./CallRecord.ts"
import { type DialMode, dialMode } from "./DialModes.ts"
import type { DialAction } from "./VoiceAction.ts"
import { type CallId, toCallId } from "../BrandedIds.ts"

/** How a leg fared. `refused`: it may not be called, or there is no money for it. */
export type LegOutcome = Exclude<CallStatus, "ringing" | "answered"> | "refused"

export interface DialLeg {
  /** Known before the leg exists, so that it is placed once. */
  readonly call_id: CallId
  /** E.164, or a SIP URI. */
  readonly to: string
  /** `waiting`: not known to exist. It may be due, and then is being placed. */
  readonly phase: "waiting" | "ringing" | "joined" | "over"
  /** Known once it was answered. */
  readonly session_id: string | null
  /** Null until it is over. */
  readonly outcome: LegOutcome | null
  readonly sip_code: number | null
  readonly duration_seconds: number | null
}

export interface Dial {
  readonly mode: DialMode
  /** Sets money aside for whichever leg is answered first, where all ring at once for one answer. */
  readonly hold_id: string | null
  /** Whether every destination was judged: nothing rings before. */
  readonly surveyed: boolean
  /** What the wallet had left beside the money that is set aside for all, where that is. */
  readonly available_minor?: number
  readonly legs: ReadonlyArray<DialLeg>
}

export interface Attempt {
  readonly to: string
  readonly status: LegOutcome
  readonly sip_code: number | null
}

/** What the callback after a dial is told. */
export interface DialResult {
  readonly status: Exclude<CallStatus, "ringing" | "answered">
  readonly call_id: CallId | null
  readonly duration_seconds: number
  readonly answered_number: string | null
  readonly attempts: ReadonlyArray<Attempt>
}

const holdOfGroup = 15

/** Odd, so that the product loses nothing; without it a leg that dials in its turn could meet its own ancestors. */
const scatter = 0x9e3779b97f4bn

/**
 * An id that belongs to a leg of a dial: the same after a crash, and no other call's. Step and leg go where ids that
 * were drawn one after the other are alike.
 */
const idOfLeg = (call_id: CallId, step: number, leg: number): string => {
  const place = BigInt(`0x${call_id.slice(-12)}`) ^ (BigInt(step * 16 + leg + 1) << 16n)
  return (
    call_id.slice(0, -12) +
    BigInt.asUintN(48, place * scatter)
      .toString(16)
      .padStart(12, "0")
  )
}

/** The id of a leg that a call dials. */
export const childCallId = (call_id: CallId, step: number, leg = 0): CallId => toCallId(idOfLeg(call_id, step, leg))

/** The id of the money that the legs of a dial share. */
export const sharedHoldId = (call_id: CallId, step: number): string => idOfLeg(call_id, step, holdOfGroup)

export const destinationsOf = (action: DialAction): ReadonlyArray<string> => {
  if ("numbers" in action) return action.numbers
  return ["number" in action ? action.number : action.sip]
}

export const beginDial = (call_id: CallId, step: number, action: DialAction): Dial => {
  const mode = dialMode(action)
  const destinations = destinationsOf(action)
  const shared = destinations.length > 1 && mode.order === "at_once" && mode.answers === "first"
  return {
    mode,
    hold_id: shared ? sharedHoldId(call_id, step) : null,
    surveyed: false,
    legs: destinations.map((to, index) => ({
      call_id: childCallId(call_id, step, index),
      to,
      phase: "waiting",
      session_id: null,
      outcome: null,
      sip_code: null,
      duration_seconds: null
    }))
  }
}

const isTaken = (dial: Dial): boolean =>
  dial.mode.answers === "first" && dial.legs.some(({ session_id }) => session_id !== null)

/** The legs that are to be placed and are not known to exist. */
export const dueLegs = ({ legs, mode, surveyed, ...dial }: Dial): ReadonlyArray<DialLeg> => {
  if (!surveyed || isTaken({ legs, mode, surveyed, ...dial })) return []
  const waiting = legs.filter(({ phase }) => phase === "waiting")
  if (mode.order === "at_once") return waiting
  return legs.some(({ phase }) => phase === "ringing" || phase === "joined") ? [] : waiting.slice(0, 1)
}

/** The legs that must end if the dial does: those that exist, and those that may. */
export const startedLegs = (dial: Dial): ReadonlyArray<DialLeg> => {
  const due = dueLegs(dial)
  return dial.legs.filter((leg) => leg.phase === "ringing" || leg.phase === "joined" || due.includes(leg))
}

/** Whether a leg that is picked up is to be connected: whoever has lost is over. Asked again, it still is. */
export const mayJoin = ({ legs }: Dial, call_id: CallId): boolean =>
  legs.some((leg) => leg.call_id === call_id && leg.phase !== "over")

export const isFinished = (dial: Dial): boolean =>
  dial.legs.every(({ phase }) => phase === "over") ||
  (isTaken(dial) && !dial.legs.some(({ phase }) => phase === "joined" || phase === "ringing"))

const changed = (dial: Dial, call_id: CallId, change: Partial<DialLeg>): Dial => ({
  ...dial,
  legs: dial.legs.map((leg) => (leg.call_id === call_id ? { ...leg, ...change } : leg))
})

export const legRang = (dial: Dial, call_id: CallId): Dial => {
  const leg = dial.legs.find((leg) => leg.call_id === call_id)
  return leg?.phase === "waiting" ? changed(dial, call_id, { phase: "ringing" }) : dial
}

export const legEnded = (
  dial: Dial,
  call_id: CallId,
  { duration_seconds, outcome, sip_code }: Pick<DialLeg, "outcome" | "sip_code" | "duration_seconds">
): Dial => changed(dial, call_id, { phase: "over", outcome, sip_code, duration_seconds })

/** Where the first answer decides, the others have lost. */
export const legJoined = (dial: Dial, call_id: CallId, session_id: string): Dial => {
  const joined = changed(dial, call_id, { phase: "joined", session_id })
  if (dial.mode.answers === "all" || dial.mode.order === "in_order") return joined
  const lost: Partial<DialLeg> = { phase: "over", outcome: "canceled" }
  return {
    ...joined,
    legs: joined.legs.map((leg) => (leg.call_id === call_id || leg.phase === "over" ? leg : { ...leg, ...lost }))
  }
}

/** The best that any destination came to. */
const best: ReadonlyArray<LegOutcome> = ["completed", "no_answer", "busy", "canceled", "failed", "refused"]

export const dialResult = ({ legs }: Dial): DialResult => {
  const answered = legs.find(({ session_id }) => session_id !== null)
  const attempts = legs.flatMap(({ outcome, sip_code, to }) =>
    outcome === null ? [] : [{ to, status: outcome, sip_code }]
  )
  const status = best.find((status) => attempts.some((attempt) => attempt.status === status)) ?? "failed"
  return {
    status: status === "refused" ? "failed" : status,
    call_id: answered?.call_id ?? null,
    duration_seconds: answered?.duration_seconds ?? 0,
    answered_number: answered?.to ?? null,
    attempts
  }
}
