// What a number allows. A number decides its commands one after the other, so only one of several claims can win.
import { Result } from "effect"
import { systemOrigin } from "../access/Origin.ts"
import { type Decide, decideBy, type Rules } from "../Command.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import {
  NumberAlreadyClaimed,
  NumberE164Taken,
  NumberNotAssigned,
  NumberNotFound,
  NumberPriceMissing,
  NumberRetired
} from "../errors/NumberErrors.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { evolveNumber, registeredData } from "./EvolveNumber.ts"
import type { NumberCommands, NumberMessage } from "./NumberCommand.ts"
import { grace_ms, isAssigned, type NumberTrigger, quarantine_ms, suspension_ms, transitions } from "./NumberStatus.ts"
import { numberView } from "./NumberView.ts"
import type { AbsentNumber, NumberClaim, NumberData, NumberEvent, PhoneNumber, PresentNumber } from "./PhoneNumber.ts"
import { pendingEventsUrl } from "./PlanNumber.ts"
import { defaultRouting, rerouted, sameRouting } from "./Routing.ts"

type RulesOf<State> = Rules<State, NumberCommands, NumberEvent>
type PresentRules = RulesOf<PresentNumber>

const happened = <Reply>(events: ReadonlyArray<NumberEvent>, reply: Reply) => Result.succeed({ events, reply })
const done = (...events: ReadonlyArray<NumberEvent>) => happened(events, undefined)
const notFound = () => Result.fail(new NumberNotFound())

const dataAfter = (state: PresentNumber, events: ReadonlyArray<NumberEvent>): NumberData => {
  const after = events.reduce<PhoneNumber>(evolveNumber, state)
  return after._tag === "Present" ? after.data : state.data
}

/** The events, and a reply that shows the number after them. */
const shown = (state: PresentNumber, ...events: ReadonlyArray<NumberEvent>) =>
  happened(events, numberView(state.id, dataAfter(state, events)))

const can = ({ status }: NumberData, trigger: NumberTrigger): boolean => transitions[status][trigger] !== undefined

/** Numbers in inventory, removed ones and those of other workspaces are not found by a workspace. */
const isOwn = ({ status, workspace_id }: NumberData, caller: string): boolean =>
  workspace_id === caller && (isAssigned(status) || status === "released")

const isSame = (a: IdempotentRequest | null, b: IdempotentRequest | null): boolean =>
  a !== null && a.workspace_id === b?.workspace_id && a.key === b.key && a.fingerprint === b.fingerprint

const claim: PresentRules["Claim"] = ({ data }, { _tag, terms, ...asked }) => {
  const { entry_id, kept_under } = asked
  if (data.source === "byo") return notFound()
  if (data.status === "retired") return Result.fail(new NumberRetired())
  if (data.claim !== null && (data.claim.entry_id === entry_id || isSame(data.claim.kept_under, kept_under)))
    return happened([], { entry_id: data.claim.entry_id })
  if (!can(data, "claim") || data.claim !== null) return Result.fail(new NumberAlreadyClaimed())
  if (terms === null) return Result.fail(new NumberPriceMissing())
  const claim: NumberClaim = { ...asked, terms }
  return happened([{ _tag: "ClaimBegun", claim }], { entry_id })
}

/** The work of an earlier claim may still report: it has another ledger entry. */
const isClaiming = ({ claim }: NumberData, entry_id: string): boolean => claim?.entry_id === entry_id

const isDue = ({ renews_at, status }: NumberData, now: number): boolean =>
  status === "active" ? renews_at !== null && renews_at <= now : status === "past_due" || status === "suspended"

const nameCharge: PresentRules["NameCharge"] = ({ data }, { entry_id }, now) => {
  if (!isDue(data, now)) return happened([], null)
  return data.charge_id === null
    ? happened([{ _tag: "ChargeNamed", entry_id }], entry_id)
    : happened([], data.charge_id)
}

const isOver = (since: number | null, lasts_ms: number, now: number): boolean =>
  since !== null && since + lasts_ms <= now

/** A number is suspended or released only after one more attempt to pay has failed. */
const unpaid: PresentRules["Unpaid"] = ({ data }, { entry_id }, at) => {
  if (data.charge_id !== entry_id) return done()
  const failed: NumberEvent = { _tag: "Unpaid", at }
  if (can(data, "grace_over") && isOver(data.past_due_since, grace_ms, at))
    return done(failed, { _tag: "Suspended", at })
  return can(data, "suspension_over") && isOver(data.suspended_at, suspension_ms, at)
    ? done(failed, { _tag: "Released", at, origin: systemOrigin })
    : done(failed)
}

/**
 * Whether the month that is due is being paid for: it may be in the ledger already, so its workspace keeps the number
 * until the outcome is known. An older engine kept the id of a refused charge until the next attempt.
 */
const isPaying = ({ charge_id, retry_at }: NumberData, now: number): boolean =>
  charge_id !== null && (retry_at === null || retry_at <= now)

const beingPaid = () => Result.fail(new ServiceUnavailable({ message: "The month that has begun is being paid for." }))

const release: PresentRules["Release"] = (state, { origin, workspace_id }, at) => {
  const { data } = state
  if (!isOwn(data, workspace_id)) return notFound()
  if (data.source === "byo")
    return Result.fail(new NumberNotAssigned({ message: "The number is your own: remove it with DELETE." }))
  if (!can(data, "release")) return Result.fail(new NumberNotAssigned())
  return isPaying(data, at) ? beingPaid() : shown(state, { _tag: "Released", at, origin })
}

const route: PresentRules["Route"] = (state, { change, label, mode, origin, workspace_id }, at) => {
  const { data, id } = state
  if (!isOwn(data, workspace_id)) return notFound()
  if (!isAssigned(data.status)) return Result.fail(new NumberNotAssigned())
  const routing = rerouted(data.routing, change, mode)
  const newLabel = label === undefined ? data.label : label
  const same = sameRouting(routing, data.routing) && newLabel === data.label
  const events: ReadonlyArray<NumberEvent> = same
    ? []
    : [{ _tag: "RoutingChanged", at, routing, label: newLabel, origin }]
  const after = dataAfter(state, events)
  return happened(events, { record: numberView(id, after), pending: pendingEventsUrl(after) })
}

const registeredBy = (state: PhoneNumber, command: NumberMessage<"Register">, at: number) => {
  const { change, facts, label, origin, workspace_id } = command
  const routing = rerouted(defaultRouting, change, "replace")
  const event = { _tag: "Registered", at, workspace_id, facts, label, routing, origin } as const
  const before = state._tag === "Present" ? state.data : undefined
  return happened([event], numberView(state.id, registeredData(before, event)))
}

const remove: PresentRules["Remove"] = ({ data }, { origin, workspace_id }, at) =>
  isOwn(data, workspace_id) && data.source === "byo" && can(data, "remove")
    ? done({ _tag: "Removed", at, origin })
    : notFound()

const reassign: PresentRules["Reassign"] = (state, { origin, terms, workspace_id }, at) => {
  const { data } = state
  if (data.source === "byo" || !can(data, "reassign")) return Result.fail(new NumberNotAssigned())
  if (workspace_id === data.workspace_id) return shown(state)
  if (isPaying(data, at)) return beingPaid()
  return terms === null
    ? Result.fail(new NumberPriceMissing())
    : shown(state, { _tag: "Reassigned", at, workspace_id, terms, origin })
}

const retire: PresentRules["Retire"] = (state, { origin }, at) => {
  const { data } = state
  if (data.status === "retired") return Result.fail(new NumberRetired())
  return can(data, "retire") && data.claim === null
    ? shown(state, { _tag: "Retired", at, origin })
    : Result.fail(new NumberAlreadyClaimed())
}

const present: PresentRules = {
  Claim: claim,
  ClaimPaid: (state, { entry_id }, at) =>
    isClaiming(state.data, entry_id) ? shown(state, { _tag: "Claimed", at }) : Result.fail(new NumberAlreadyClaimed()),
  ClaimRefused: ({ data }, { entry_id, failure }) =>
    isClaiming(data, entry_id)
      ? done({ _tag: "ClaimFailed", entry_id, failure })
      : Result.fail(new NumberAlreadyClaimed()),
  NameCharge: nameCharge,
  Paid: ({ data }, { entry_id }, at) => (data.charge_id === entry_id ? done({ _tag: "Renewed", at }) : done()),
  Unpaid: unpaid,
  QuarantineOver: ({ data }, _command, at) =>
    can(data, "quarantine_over") && isOver(data.released_at, quarantine_ms, at)
      ? done({ _tag: "Returned", at })
      : done(),
  Release: release,
  Route: route,
  EventsUrlSynced: (_state, { target }) => done({ _tag: "EventsUrlSynced", target }),
  CredentialsEnded: (_state, { leaving }) => done({ _tag: "CredentialsEnded", leaving }),
  // Any workspace may register a number that was removed.
  Register: (state, command, at) =>
    can(state.data, "register") ? registeredBy(state, command, at) : Result.fail(new NumberE164Taken()),
  Remove: remove,
  Reassign: reassign,
  Retire: retire
}

const absent: RulesOf<AbsentNumber> = {
  Claim: notFound,
  ClaimPaid: () => Result.fail(new NumberAlreadyClaimed()),
  ClaimRefused: () => Result.fail(new NumberAlreadyClaimed()),
  NameCharge: notFound,
  Paid: notFound,
  Unpaid: notFound,
  QuarantineOver: notFound,
  Release: notFound,
  Route: notFound,
  EventsUrlSynced: notFound,
  CredentialsEnded: notFound,
  Register: registeredBy,
  Remove: notFound,
  Reassign: notFound,
  Retire: notFound
}

const decideAbsent = decideBy<AbsentNumber, NumberCommands, NumberEvent>(() => absent)
const decidePresent = decideBy<PresentNumber, NumberCommands, NumberEvent>(() => present)

export const decideNumber: Decide<PhoneNumber, NumberCommands, NumberEvent> = (state, command, now) =>
  state._tag === "Absent" ? decideAbsent(state, command, now) : decidePresent(state, command, now)
