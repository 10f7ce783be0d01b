// What a number allows. One owner decides in order, so of all who claim it only one can win.
import { Result } from "effect"
import { systemOrigin } from "../access/Origin.ts"
import type { Decided } from "../Decision.ts"
import type { Failure } from "../errors/Failure.ts"
import {
  NumberAlreadyClaimed,
  NumberE164Taken,
  NumberNotAssigned,
  NumberNotFound,
  NumberPriceMissing,
  NumberRetired
} from "../errors/NumberErrors.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { NumberCommand, NumberReply } from "./NumberCommand.ts"
import { grace_ms, isAssigned, type NumberTrigger, quarantine_ms, suspension_ms, transitions } from "./NumberStatus.ts"
import { evolveNumber, type KeptNumber, type NumberClaim, type NumberEvent, type PhoneNumber } from "./PhoneNumber.ts"
import { owedTelling } from "./PlanNumber.ts"
import { numberView } from "./NumberView.ts"
import { default_routing, rerouted, sameRouting } from "./Routing.ts"

type Answer = Decided<NumberEvent, NumberReply>
type CommandOf<Tag extends NumberCommand["_tag"]> = Extract<NumberCommand, { readonly _tag: Tag }>

const refused = (failure: Failure): Answer => Result.fail(failure)
const happened = (events: ReadonlyArray<NumberEvent>, reply: NumberReply): Answer => Result.succeed({ events, reply })
const noted = (...events: ReadonlyArray<NumberEvent>): Answer => happened(events, { _tag: "Noted" })

const after = (state: PhoneNumber, events: ReadonlyArray<NumberEvent>): KeptNumber =>
  events.reduce(evolveNumber, state).kept!

/** The events, and the number as it is after them. */
const shown = (state: PhoneNumber, ...events: ReadonlyArray<NumberEvent>): Answer =>
  happened(events, { _tag: "Shown", record: numberView(state.id, after(state, events)) })

const can = ({ status }: KeptNumber, trigger: NumberTrigger): boolean => transitions[status][trigger] !== undefined

/** Inventory, what was removed and what is another workspace's are all the same to a workspace: not there. */
const isOwn = ({ status, workspace_id }: KeptNumber, asking: string): boolean =>
  workspace_id === asking && (isAssigned(status) || status === "released")

const isSame = (a: IdempotentRequest | null, b: IdempotentRequest | null): boolean =>
  a !== null && a.workspace_id === b?.workspace_id && a.key === b.key && a.fingerprint === b.fingerprint

const claim = ({ kept }: PhoneNumber, command: CommandOf<"Claim">): Answer => {
  if (kept === null || kept.source === "byo") return refused(new NumberNotFound())
  const { entry_id, kept_under, origin, terms, workspace_id } = command
  if (kept.status === "retired") return refused(new NumberRetired())
  if (kept.claim !== null && isSame(kept.claim.kept_under, kept_under)) {
    return happened([], { _tag: "Claiming", entry_id: kept.claim.entry_id })
  }
  if (!can(kept, "claim") || kept.claim !== null) return refused(new NumberAlreadyClaimed())
  if (terms === null) return refused(new NumberPriceMissing())
  const begun: NumberClaim = { workspace_id, terms, entry_id, origin, kept_under }
  return happened([{ _tag: "ClaimBegun", claim: begun }], { _tag: "Claiming", entry_id })
}

/** Another claim than the one under way comes from a fiber that was interrupted too late. */
const settleClaim = (state: PhoneNumber, command: CommandOf<"ClaimPaid" | "ClaimRefused">, at: number): Answer => {
  const { entry_id } = command
  if (state.kept?.claim?.entry_id !== entry_id) return refused(new NumberAlreadyClaimed())
  return command._tag === "ClaimPaid"
    ? shown(state, { _tag: "Claimed", at })
    : noted({ _tag: "ClaimFailed", entry_id, failure: command.failure })
}

const isDue = ({ renews_at, status }: KeptNumber, now: number): boolean =>
  status === "active" ? renews_at !== null && renews_at <= now : status === "past_due" || status === "suspended"

const nameCharge = (kept: KeptNumber, { entry_id }: CommandOf<"NameCharge">, now: number): Answer => {
  if (!isDue(kept, now)) return noted()
  return kept.charge_id === null
    ? happened([{ _tag: "ChargeNamed", entry_id }], { _tag: "Charge", entry_id })
    : happened([], { _tag: "Charge", entry_id: kept.charge_id })
}

const isOver = (since: number | null, lasts_ms: number, now: number): boolean =>
  since !== null && since + lasts_ms <= now

/** A number loses what it has only after one more attempt to pay for it. */
const unpaid = (kept: KeptNumber, at: number): Answer => {
  const tried: NumberEvent = { _tag: "Unpaid", at }
  if (can(kept, "grace_over") && isOver(kept.past_due_since, grace_ms, at))
    return noted(tried, { _tag: "Suspended", at })
  if (can(kept, "suspension_over") && isOver(kept.suspended_at, suspension_ms, at)) {
    return noted(tried, { _tag: "Released", at, origin: systemOrigin })
  }
  return noted(tried)
}

const release = (state: PhoneNumber, kept: KeptNumber, { origin }: CommandOf<"Release">, at: number): Answer =>
  kept.source === "byo" || !can(kept, "release")
    ? refused(
        new NumberNotAssigned(
          kept.source === "byo" ? { message: "The number is your own: take it away with DELETE." } : {}
        )
      )
    : shown(state, { _tag: "Released", at, origin })

const route = (state: PhoneNumber, kept: KeptNumber, command: CommandOf<"Route">, at: number): Answer => {
  if (!isAssigned(kept.status)) return refused(new NumberNotAssigned())
  const { change, label = kept.label, mode, origin } = command
  const routing = rerouted(kept.routing, change, mode)
  const same = sameRouting(routing, kept.routing) && label === kept.label
  const events: ReadonlyArray<NumberEvent> = same ? [] : [{ _tag: "RoutingChanged", at, routing, label, origin }]
  const routed = after(state, events)
  return happened(events, { _tag: "Routed", record: numberView(state.id, routed), owed: owedTelling(routed) })
}

/** A number that was taken away may come again, from anybody. */
const register = (state: PhoneNumber, command: CommandOf<"Register">, at: number): Answer => {
  if (state.kept !== null && !can(state.kept, "register")) return refused(new NumberE164Taken())
  const { change, facts, label, origin, workspace_id } = command
  const routing = rerouted(default_routing, change, "replace")
  return shown(state, { _tag: "Registered", at, workspace_id, facts, label, routing, origin })
}

const reassign = (state: PhoneNumber, kept: KeptNumber, command: CommandOf<"Reassign">, at: number): Answer => {
  const { origin, terms, workspace_id } = command
  if (kept.source === "byo" || !can(kept, "reassign")) return refused(new NumberNotAssigned())
  if (workspace_id === kept.workspace_id) return shown(state)
  return terms === null
    ? refused(new NumberPriceMissing())
    : shown(state, { _tag: "Reassigned", at, workspace_id, terms, origin })
}

const retire = (state: PhoneNumber, kept: KeptNumber, { origin }: CommandOf<"Retire">, at: number): Answer => {
  if (kept.status === "retired") return refused(new NumberRetired())
  if (!can(kept, "retire") || kept.claim !== null) return refused(new NumberAlreadyClaimed())
  return shown(state, { _tag: "Retired", at, origin })
}

type Asked = Extract<NumberCommand, { _tag: "Release" | "Route" | "Remove" }>

/** What its workspace asks of it. */
const serve = (state: PhoneNumber, kept: KeptNumber, command: Asked, now: number): Answer => {
  if (!isOwn(kept, command.workspace_id)) return refused(new NumberNotFound())
  switch (command._tag) {
    case "Release":
      return release(state, kept, command, now)
    case "Route":
      return route(state, kept, command, now)
    case "Remove":
      return kept.source === "byo" && can(kept, "remove")
        ? noted({ _tag: "Removed", at: now, origin: command.origin })
        : refused(new NumberNotFound())
  }
}

/** What its own work tells it. */
const proceed = (
  kept: KeptNumber,
  command: Exclude<
    NumberCommand,
    Asked | CommandOf<"Claim" | "ClaimPaid" | "ClaimRefused" | "Register" | "Reassign" | "Retire">
  >,
  now: number
): Answer => {
  switch (command._tag) {
    case "NameCharge":
      return nameCharge(kept, command, now)
    case "Paid":
      return kept.charge_id === command.entry_id ? noted({ _tag: "Renewed", at: now }) : noted()
    case "Unpaid":
      return kept.charge_id === command.entry_id ? unpaid(kept, now) : noted()
    case "QuarantineOver":
      return can(kept, "quarantine_over") && isOver(kept.released_at, quarantine_ms, now)
        ? noted({ _tag: "Returned", at: now })
        : noted()
    case "EventsTold":
      return noted({ _tag: "EventsTold", told: command.told })
    case "CredentialsEnded":
      return noted({ _tag: "CredentialsEnded", left: command.left })
  }
}

export const decideNumber = (state: PhoneNumber, command: NumberCommand, now: number): Answer => {
  const { kept } = state
  switch (command._tag) {
    case "Claim":
      return claim(state, command)
    case "ClaimPaid":
    case "ClaimRefused":
      return settleClaim(state, command, now)
    case "Register":
      return register(state, command, now)
  }
  if (kept === null) return refused(new NumberNotFound())
  switch (command._tag) {
    case "Release":
    case "Route":
    case "Remove":
      return serve(state, kept, command, now)
    case "Reassign":
      return reassign(state, kept, command, now)
    case "Retire":
      return retire(state, kept, command, now)
    default:
      return proceed(kept, command, now)
  }
}
