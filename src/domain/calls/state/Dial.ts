// A dial in progress: its destinations, the progress of each, and the result.
import { Schema } from "effect"
import { EndStatus } from "./CallRecord.ts"
import { DialMode, dialMode } from "../verbs/DialModes.ts"
import { Refusal } from "./CallFacts.ts"
import type { DialAction } from "../verbs/VoiceAction.ts"
import { Minor, optional, orNull } from "../../kit/Fields.ts"
import { CallId, SessionId, toCallId } from "../../BrandedIds.ts"

/** How a leg ended. `refused`: it may not be called, or the wallet cannot pay for it. */
const LegOutcome = Schema.Literals([...EndStatus.literals, "refused"])
export type LegOutcome = typeof LegOutcome.Type

const DialLeg = Schema.Struct({
  /** Known before the leg exists, so that it is placed once. */
  call_id: CallId,
  /** E.164, or a SIP URI. */
  to: Schema.String,
  /** `waiting`: not known to exist. If it is due, it is being placed. */
  phase: Schema.Literals(["waiting", "ringing", "joined", "over"]),
  /** Null until the leg is answered. */
  session_id: orNull(SessionId),
  /** Null until it is over. */
  outcome: orNull(LegOutcome),
  sip_code: orNull(Schema.Int),
  duration_seconds: orNull(Schema.Finite),
  /** Why it was refused. Absent also in calls of an older engine. */
  refusal: optional(Refusal)
})
export type DialLeg = typeof DialLeg.Type

/** Its members are stored with the call, so they keep their spelling. */
export const Dial = Schema.Struct({
  mode: DialMode,
  /** The hold that all legs share if they ring at once for one answer; otherwise null. */
  hold_id: orNull(Schema.String),
  /** Whether every destination was checked. Nothing rings before. */
  surveyed: Schema.Boolean,
  /** Funds that were available beside the shared hold. Absent without one. */
  available_minor: optional(Minor),
  /** The party has heard that the destination has no rate. */
  announced: optional(Schema.Literal(true)),
  legs: Schema.Array(DialLeg)
})
export type Dial = typeof Dial.Type

export interface Attempt {
  readonly to: string
  readonly status: LegOutcome
  readonly sip_code: number | null
}

/** The result that the callback after a dial receives. */
export interface DialResult {
  readonly status: typeof EndStatus.Type
  readonly call_id: CallId | null
  readonly duration_seconds: number
  readonly answered_number: string | null
  readonly attempts: ReadonlyArray<Attempt>
}

const holdOfGroup = 15

/** Odd, so that the product is unique. Without it the ids of a leg's own legs could equal those of its ancestors. */
const idMultiplier = 0x9e3779b97f4bn

/**
 * The id of a leg, derived from the call's id, step and leg number, so that it is the same after a crash. Step and leg
 * change those digits that are equal in ids which were generated one after the other.
 */
const idOfLeg = (call_id: CallId, step: number, leg: number): string => {
  const place = BigInt(`0x${call_id.slice(-12)}`) ^ (BigInt(step * 16 + leg + 1) << 16n)
  return (
    call_id.slice(0, -12) +
    BigInt.asUintN(48, place * idMultiplier)
      .toString(16)
      .padStart(12, "0")
  )
}

/** The id of a leg that a call dials. */
export const childCallId = (call_id: CallId, step: number, leg = 0): CallId => toCallId(idOfLeg(call_id, step, leg))

/** The id of the hold that the legs of a dial share. */
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

/** The legs that must be placed now and are not known to exist. */
export const dueLegs = ({ legs, mode, surveyed, ...dial }: Dial): ReadonlyArray<DialLeg> => {
  if (!surveyed || isTaken({ legs, mode, surveyed, ...dial })) return []
  const waiting = legs.filter(({ phase }) => phase === "waiting")
  if (mode.order === "at_once") return waiting
  return legs.some(({ phase }) => phase === "ringing" || phase === "joined") ? [] : waiting.slice(0, 1)
}

/** The legs that must end with the dial: those that exist, and those that may exist because they are being placed. */
export const startedLegs = (dial: Dial): ReadonlyArray<DialLeg> => {
  const due = dueLegs(dial)
  return dial.legs.filter((leg) => leg.phase === "ringing" || leg.phase === "joined" || due.includes(leg))
}

/**
 * Whether a leg that is picked up may be connected. A leg that lost to another is over. Asking again gives the same
 * answer.
 */
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

export const legRefused = (dial: Dial, call_id: CallId, { cause, reason }: Refusal): Dial =>
  changed(dial, call_id, { phase: "over", outcome: "refused", refusal: { cause, reason } })

/** If only the first answer counts, the other legs end as canceled. */
export const legJoined = (dial: Dial, call_id: CallId, session_id: SessionId): Dial => {
  const joined = changed(dial, call_id, { phase: "joined", session_id })
  if (dial.mode.answers === "all" || dial.mode.order === "in_order") return joined
  const lost: Partial<DialLeg> = { phase: "over", outcome: "canceled" }
  return {
    ...joined,
    legs: joined.legs.map((leg) => (leg.call_id === call_id || leg.phase === "over" ? leg : { ...leg, ...lost }))
  }
}

/** Outcomes from best to worst. A dial has the best outcome of its legs. */
const outcomesByRank: ReadonlyArray<LegOutcome> = ["completed", "no_answer", "busy", "canceled", "failed", "refused"]

export const dialResult = ({ legs }: Dial): DialResult => {
  const answered = legs.find(({ session_id }) => session_id !== null)
  const attempts = legs.flatMap(({ outcome, sip_code, to }) =>
    outcome === null ? [] : [{ to, status: outcome, sip_code }]
  )
  const status = outcomesByRank.find((status) => attempts.some((attempt) => attempt.status === status)) ?? "failed"
  return {
    status: status === "refused" ? "failed" : status,
    call_id: answered?.call_id ?? null,
    duration_seconds: answered?.duration_seconds ?? 0,
    answered_number: answered?.to ?? null,
    attempts
  }
}
