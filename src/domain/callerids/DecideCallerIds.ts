// What a workspace may do about caller ids. Commands are decided one after the other, so each guess is counted.
import { Result } from "effect"
import { type Decide, decideBy, type Rules } from "../Command.ts"
import {
  CallerIdCodeExpired,
  CallerIdLimitReached,
  CallerIdNotFound,
  CallerIdRevoked,
  CallerIdTooManyCalls
} from "../errors/CallerIdErrors.ts"
import type { CallerIdsCommands } from "./CallerIdCommand.ts"
import { callerIdRecord } from "./CallerIdRecord.ts"
import {
  type CallerId,
  callerIdLimits,
  type CallerIds,
  type CallerIdsEvent,
  day_ms,
  evolveCallerIds,
  expiresAt,
  isChallenged,
  lapsesAt,
  mayShow
} from "./CallerIds.ts"
import type { CallerIdId } from "../BrandedIds.ts"

type AllRules = Rules<CallerIds, CallerIdsCommands, CallerIdsEvent>

const happened = <Reply>(events: ReadonlyArray<CallerIdsEvent>, reply: Reply) => Result.succeed({ events, reply })
const done = (...events: ReadonlyArray<CallerIdsEvent>) => happened(events, undefined)
const notFound = () => Result.fail(new CallerIdNotFound())

const rowOf = ({ caller_ids }: CallerIds, id: CallerIdId): CallerId | undefined =>
  caller_ids.find((row) => row.id === id)

/** The row of the number, whichever id it has. */
const ofNumber = ({ caller_ids }: CallerIds, number: string): CallerId | undefined =>
  caller_ids.find((row) => row.number === number)

/** The event, and the row that it is about as it is then. */
const shown = (state: CallerIds, event: CallerIdsEvent & { readonly id: CallerIdId }, now: number) => {
  const row = rowOf(evolveCallerIds(state, event), event.id)
  if (row === undefined) throw new Error(`No caller id ${event.id} after ${event._tag}.`)
  return happened([event], callerIdRecord(row, now))
}

const isFull = (state: CallerIds, number: string): boolean =>
  state.caller_ids.length >= callerIdLimits.caller_ids && ofNumber(state, number) === undefined

/** Seconds until fewer than `limit` of these codes are in the last 24 hours; undefined if that is so now. */
const waitFor = (requests: ReadonlyArray<{ readonly at: number }>, limit: number, now: number): number | undefined => {
  const recent = requests.filter(({ at }) => now - at < day_ms)
  const freed = recent.at(-limit)
  return freed === undefined ? undefined : Math.ceil((freed.at + day_ms - now) / 1000)
}

const refusalOf = (state: CallerIds, number: string, now: number) => {
  const known = ofNumber(state, number)
  if (known !== undefined && known.revoked_at !== null) return new CallerIdRevoked()
  if (isFull(state, number)) return new CallerIdLimitReached()
  const ofThisNumber = state.requested.filter((each) => each.number === number)
  const wait =
    waitFor(ofThisNumber, callerIdLimits.codes_for_number, now) ?? waitFor(state.requested, callerIdLimits.codes, now)
  return wait === undefined ? undefined : new CallerIdTooManyCalls({ retry_after_seconds: wait })
}

const request: AllRules["Request"] = (state, command, now) => {
  const { call_id, number, origin, silent } = command
  const refusal = refusalOf(state, number, now)
  if (refusal !== undefined) return Result.fail(refusal)
  const id = ofNumber(state, number)?.id ?? command.id
  return shown(state, { _tag: "CodeRequested", id, number, call_id, placed: silent, origin, at: now }, now)
}

const enter: AllRules["Enter"] = (state, { call_id, id, matches, origin }, now) => {
  const row = rowOf(state, id)
  if (row === undefined) return notFound()
  if (row.challenge?.call_id !== call_id || !isChallenged(row, now)) return Result.fail(new CallerIdCodeExpired())
  return matches
    ? shown(state, { _tag: "Verified", id, origin, at: now }, now)
    : happened([{ _tag: "GuessedWrong", id }], null)
}

const isCurrent = (state: CallerIds, { call_id, id }: { readonly call_id: string; readonly id: CallerIdId }): boolean =>
  rowOf(state, id)?.challenge?.call_id === call_id

const withdraw: AllRules["Withdraw"] = (state, { id, origin }, at) => {
  const row = rowOf(state, id)
  if (row === undefined) return notFound()
  return row.revoked_at === null ? done({ _tag: "Withdrawn", id, origin, at }) : Result.fail(new CallerIdRevoked())
}

/** Forbidding a number again changes nothing. */
const revoke: AllRules["Revoke"] = (state, { id, number, origin }, at) => {
  const known = ofNumber(state, number)
  return known !== undefined && known.revoked_at !== null
    ? happened([], callerIdRecord(known, at))
    : // Also beyond the limit, and for a number that the workspace has not asked for yet.
      shown(state, { _tag: "Revoked", id: known?.id ?? id, number, origin, at }, at)
}

const rules: AllRules = {
  Request: request,
  MayRequest: (state, { number }, now) => {
    const refusal = refusalOf(state, number, now)
    return refusal === undefined ? done() : Result.fail(refusal)
  },
  Enter: enter,
  ConfirmCall: (state, command) => (isCurrent(state, command) ? done({ _tag: "CallPlaced", id: command.id }) : done()),
  FailCall: (state, command) =>
    isCurrent(state, command) ? done({ _tag: "CallFailed", id: command.id, failure: command.failure }) : done(),
  Withdraw: withdraw,
  Approve: (state, { id, number, origin }, at) =>
    isFull(state, number)
      ? Result.fail(new CallerIdLimitReached())
      : shown(state, { _tag: "Approved", id: ofNumber(state, number)?.id ?? id, number, origin, at }, at),
  Revoke: revoke,
  Expire: (state, { id }, now) => {
    const row = rowOf(state, id)
    const expires_at = row === undefined ? null : expiresAt(row)
    return expires_at !== null && expires_at <= now ? done({ _tag: "Expired", id, at: now }) : done()
  },
  Lapse: (state, { id }, now) => {
    const row = rowOf(state, id)
    const lapses_at = row === undefined ? null : lapsesAt(row)
    return lapses_at !== null && lapses_at <= now ? done({ _tag: "Lapsed", id }) : done()
  },
  List: (state, _command, now) => happened([], state.caller_ids.map((row) => callerIdRecord(row, now)).toReversed()),
  Challenge: (state, { id }, now) => {
    const row = rowOf(state, id)
    if (row === undefined) return notFound()
    return row.challenge !== null && isChallenged(row, now)
      ? happened([], row.challenge.call_id)
      : Result.fail(new CallerIdCodeExpired())
  },
  MayShow: (state, { number }, now) => happened([], mayShow(state, number, now))
}

export const decideCallerIds: Decide<CallerIds, CallerIdsCommands, CallerIdsEvent> = decideBy<
  CallerIds,
  CallerIdsCommands,
  CallerIdsEvent
>(() => rules)
