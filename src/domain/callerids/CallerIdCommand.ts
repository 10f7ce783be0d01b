// The commands of a workspace's caller ids.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { CallerIdId, CallId } from "../BrandedIds.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import {
  CallerIdCodeExpired,
  CallerIdLimitReached,
  CallerIdNotFound,
  CallerIdRevoked,
  CallerIdTooManyCalls
} from "../errors/CallerIdErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { CallerIdRecord } from "./CallerIdRecord.ts"

const id = { id: CallerIdId }
const origin = { origin: Origin }
/** The call that spoke the code. A later code ignores what comes for an earlier one. */
const challenge = { ...id, call_id: CallId }
const number = { number: Schema.String }
const idempotency = Schema.optionalKey(IdempotentRequest)

export const CallerIdsCommands = commandsOf("CallerIds", {
  /** Begins or repeats the proof of a number. `id` is used for a number without a row. `silent`: no call is placed. */
  Request: {
    payload: { ...challenge, ...number, silent: Schema.Boolean, ...origin, idempotency },
    reply: CallerIdRecord,
    errors: [CallerIdRevoked, CallerIdLimitReached, CallerIdTooManyCalls]
  },
  /** Fails as `Request` would now. */
  MayRequest: { payload: number, errors: [CallerIdRevoked, CallerIdLimitReached, CallerIdTooManyCalls] },
  /** `matches`: whether the code of this call was entered. A wrong one costs a guess. */
  Enter: {
    payload: { ...challenge, matches: Schema.Boolean, ...origin, idempotency },
    reply: Schema.NullOr(CallerIdRecord),
    errors: [CallerIdNotFound, CallerIdCodeExpired]
  },
  ConfirmCall: { payload: challenge },
  FailCall: { payload: { ...challenge, failure: Schema.String } },
  Withdraw: { payload: { ...id, ...origin }, errors: [CallerIdNotFound, CallerIdRevoked] },
  /** An operator proves the number. `id` is used for a number without a row. */
  Approve: { payload: { ...id, ...number, ...origin }, reply: CallerIdRecord, errors: [CallerIdLimitReached] },
  Revoke: { payload: { ...id, ...number, ...origin }, reply: CallerIdRecord },
  /** Ends a proof whose time is over. */
  Expire: { payload: id },
  Lapse: { payload: id },
  List: { reply: Schema.Array(CallerIdRecord) },
  /** The call whose code can be entered now. */
  Challenge: { payload: id, reply: CallId, errors: [CallerIdNotFound, CallerIdCodeExpired] },
  MayShow: { payload: number, reply: Schema.Boolean }
})
export type CallerIdsCommands = typeof CallerIdsCommands
export type CallerIdsMessage<T extends Tag<CallerIdsCommands> = Tag<CallerIdsCommands>> = Message<CallerIdsCommands, T>
