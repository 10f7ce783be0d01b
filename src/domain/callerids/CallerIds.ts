// The numbers of others that a workspace may show: who has proved what, and the code that a call speaks at present. All
// of a workspace in one state, so that concurrent requests exceed no limit (docs/caller-ids.md).
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { CallerIdId, CallId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, orNull } from "../kit/Fields.ts"

/** A call that speaks a code. The code follows from the id of the call (SpokenCode.ts), so it is stored nowhere. */
const Challenge = Schema.Struct({
  call_id: CallId,
  expires_at: EpochMs,
  guesses_left: Count,
  /** Whether the call was placed. In test mode none is. */
  placed: Schema.Boolean,
  /** Why the call was not placed: the code of the error. */
  failure: orNull(Schema.String)
})

const Proof = Schema.Struct({
  at: EpochMs,
  expires_at: EpochMs,
  by: Schema.Literals(["call", "operator"]),
  /** Whether its end was told to subscribers. */
  has_ended: Schema.optionalKey(Schema.Literal(true))
})

const CallerId = Schema.Struct({
  id: CallerIdId,
  /** E.164. */
  number: Schema.String,
  created_at: EpochMs,
  challenge: orNull(Challenge),
  proof: orNull(Proof),
  /** When an operator forbade it. */
  revoked_at: orNull(EpochMs),
  /** How many events subscribers were told of it. Absent: none. */
  sequence: Schema.optionalKey(Count)
})
export type CallerId = typeof CallerId.Type

export const CallerIds = Schema.Struct({
  workspace_id: WorkspaceId,
  caller_ids: Schema.Array(CallerId),
  /** The codes that were requested in the last 24 hours, also for numbers that were withdrawn since. */
  requested: Schema.Array(Schema.Struct({ number: Schema.String, at: EpochMs }))
})
export type CallerIds = typeof CallerIds.Type

export type CallerIdsEvent =
  | {
      readonly _tag: "CodeRequested"
      readonly id: CallerIdId
      readonly number: string
      readonly call_id: CallId
      readonly placed: boolean
      readonly origin: Origin
      readonly at: number
    }
  | { readonly _tag: "CallPlaced"; readonly id: CallerIdId }
  | { readonly _tag: "CallFailed"; readonly id: CallerIdId; readonly failure: string }
  | { readonly _tag: "GuessedWrong"; readonly id: CallerIdId }
  | { readonly _tag: "Verified"; readonly id: CallerIdId; readonly origin: Origin; readonly at: number }
  | {
      readonly _tag: "Approved"
      readonly id: CallerIdId
      readonly number: string
      readonly origin: Origin
      readonly at: number
    }
  | {
      readonly _tag: "Revoked"
      readonly id: CallerIdId
      readonly number: string
      readonly origin: Origin
      readonly at: number
    }
  | { readonly _tag: "Expired"; readonly id: CallerIdId; readonly at: number }
  | { readonly _tag: "Withdrawn"; readonly id: CallerIdId; readonly origin: Origin; readonly at: number }
  | { readonly _tag: "Lapsed"; readonly id: CallerIdId }

const minute_ms = 60_000
export const day_ms = 86_400_000

export const callerIdLimits = {
  /** How many numbers a workspace may have proved or be proving. */
  caller_ids: 100,
  /** How often a code may be entered. Five guesses of a million: one in 200,000. */
  guesses: 5,
  code_ms: 10 * minute_ms,
  proof_ms: 365 * day_ms,
  /** Codes within 24 hours: towards one number, and of the whole workspace. */
  codes_for_number: 3,
  codes: 20,
  /** How long a number that was not proved is kept. */
  lapse_ms: day_ms
} as const

export const initialCallerIds = (workspace_id: WorkspaceId): CallerIds => ({
  workspace_id,
  caller_ids: [],
  requested: []
})

/** Whether a code can be entered. */
export const isChallenged = ({ challenge }: CallerId, now: number): boolean =>
  challenge !== null && challenge.guesses_left > 0 && challenge.failure === null && now < challenge.expires_at

export const isProved = ({ proof, revoked_at }: CallerId, now: number): boolean =>
  revoked_at === null && proof !== null && now < proof.expires_at

/** Whether the workspace may show the number. */
export const mayShow = ({ caller_ids }: CallerIds, number: string, now: number): boolean =>
  caller_ids.some((each) => each.number === number && isProved(each, now))

/** When the end of the proof has to be told; null: there is none to tell. */
export const expiresAt = ({ proof, revoked_at }: CallerId): number | null =>
  revoked_at === null && proof !== null && proof.has_ended !== true ? proof.expires_at : null

/** When the row has no purpose any more; null: while an operator forbids the number. */
export const lapsesAt = ({ challenge, created_at, proof, revoked_at }: CallerId): number | null =>
  revoked_at === null
    ? Math.max(created_at, challenge?.expires_at ?? 0, proof?.expires_at ?? 0) + callerIdLimits.lapse_ms
    : null

const blank = (id: CallerIdId, number: string, at: number): CallerId => ({
  id,
  number,
  created_at: at,
  challenge: null,
  proof: null,
  revoked_at: null
})

/** Changes the number's row, which is made if there is none. */
const changed = (
  state: CallerIds,
  { id, number }: Pick<CallerId, "id" | "number">,
  at: number,
  change: (row: CallerId) => CallerId
): CallerIds => {
  const known = state.caller_ids.some((row) => row.id === id)
  const rows = known ? state.caller_ids : [...state.caller_ids, blank(id, number, at)]
  return { ...state, caller_ids: rows.map((row) => (row.id === id ? change(row) : row)) }
}

const told = (row: CallerId): CallerId => ({ ...row, sequence: (row.sequence ?? 0) + 1 })

const provedBy =
  (by: "call" | "operator", at: number) =>
  (row: CallerId): CallerId => ({
    ...told(row),
    challenge: null,
    proof: { at, expires_at: at + callerIdLimits.proof_ms, by },
    revoked_at: null
  })

/** Changes the row with this id, if there is one. */
const updated = (state: CallerIds, id: CallerIdId, change: (row: CallerId) => CallerId): CallerIds => ({
  ...state,
  caller_ids: state.caller_ids.map((row) => (row.id === id ? change(row) : row))
})

const withChallenge = (state: CallerIds, id: CallerIdId, part: Partial<typeof Challenge.Type>): CallerIds =>
  updated(state, id, (row) => (row.challenge === null ? row : { ...row, challenge: { ...row.challenge, ...part } }))

const without = (state: CallerIds, id: CallerIdId): CallerIds => ({
  ...state,
  caller_ids: state.caller_ids.filter((row) => row.id !== id)
})

const requested = (state: CallerIds, event: Extract<CallerIdsEvent, { readonly _tag: "CodeRequested" }>): CallerIds => {
  const { at, call_id, number, placed } = event
  const { code_ms, guesses } = callerIdLimits
  const challenge = { call_id, expires_at: at + code_ms, guesses_left: guesses, placed, failure: null }
  return {
    ...changed(state, event, at, (row) => ({ ...row, challenge })),
    requested: [...state.requested.filter((other) => at - other.at < day_ms), { number, at }]
  }
}

export const evolveCallerIds = (state: CallerIds, event: CallerIdsEvent): CallerIds => {
  switch (event._tag) {
    case "CodeRequested":
      return requested(state, event)
    case "CallPlaced":
      return withChallenge(state, event.id, { placed: true })
    case "CallFailed":
      return withChallenge(state, event.id, { failure: event.failure })
    case "GuessedWrong": {
      const row = state.caller_ids.find(({ id }) => id === event.id)
      return withChallenge(state, event.id, { guesses_left: (row?.challenge?.guesses_left ?? 1) - 1 })
    }
    case "Verified":
      return updated(state, event.id, provedBy("call", event.at))
    case "Approved":
      return changed(state, event, event.at, provedBy("operator", event.at))
    case "Revoked":
      return changed(state, event, event.at, (row) => ({
        ...told(row),
        challenge: null,
        proof: null,
        revoked_at: event.at
      }))
    case "Expired":
      return updated(state, event.id, (row) =>
        row.proof === null ? row : { ...told(row), proof: { ...row.proof, has_ended: true } }
      )
    case "Withdrawn":
    case "Lapsed":
      return without(state, event.id)
  }
}
