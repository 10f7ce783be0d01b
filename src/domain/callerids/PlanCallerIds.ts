// What must be under way for a workspace's caller ids.
import { deadline, task, type Work } from "../Decision.ts"
import type { CallerIdId, CallId } from "../BrandedIds.ts"
import type { CallerIdsMessage } from "./CallerIdCommand.ts"
import { type CallerId, type CallerIds, expiresAt, lapsesAt } from "./CallerIds.ts"

/** Places the call that speaks a code, before `until` (epoch milliseconds). */
export interface SpeakCode {
  readonly _tag: "SpeakCode"
  readonly id: CallerIdId
  readonly number: string
  readonly call_id: CallId
  readonly until: number
}

type Item = Work<CallerIdsMessage, SpeakCode>

const workOf = (row: CallerId): ReadonlyArray<Item> => {
  const { challenge, id, number } = row
  const lapses_at = lapsesAt(row)
  const expires_at = expiresAt(row)
  const ends = [
    ...(expires_at === null
      ? []
      : [deadline(`expire:${id}:${expires_at}`, expires_at, { _tag: "Expire" as const, id })]),
    ...(lapses_at === null ? [] : [deadline(`lapse:${id}:${lapses_at}`, lapses_at, { _tag: "Lapse" as const, id })])
  ]
  if (challenge === null || challenge.placed || challenge.failure !== null) return ends
  const { call_id, expires_at: until } = challenge
  return [...ends, task(`speak:${call_id}`, { _tag: "SpeakCode", id, number, call_id, until })]
}

export const planCallerIds = ({ caller_ids }: CallerIds): ReadonlyArray<Item> => caller_ids.flatMap(workOf)
