// The rules of a top-up. A failed or expired push is not final: a late payment still counts if its receipt belongs to
// no other top-up.
import { Result } from "effect"
import { systemOrigin } from "../access/Origin.ts"
import { allBut, decideByPresence, refuse, type Rules } from "../Command.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import { isPresent } from "../Presence.ts"
import {
  type AbsentTopUp,
  expiresAt,
  owedBack_minor,
  type PresentTopUp,
  receiptDeadline_ms,
  recordOf,
  startTopUp,
  type TopUpEvent
} from "./TopUp.ts"
import { TopUpCommands, type TopUpMessage } from "./TopUpCommand.ts"
import type { TopUpId } from "../BrandedIds.ts"

type PresentRules = Rules<PresentTopUp, TopUpCommands, TopUpEvent>
type AbsentRules = Rules<AbsentTopUp, TopUpCommands, TopUpEvent>

const all = (events: ReadonlyArray<TopUpEvent>) => Result.succeed({ events, reply: undefined })
const happened = <Reply>(event: TopUpEvent, reply: Reply) => Result.succeed({ events: [event], reply })
const unchanged = <Reply>(reply: Reply) => Result.succeed({ events: [], reply })
const nothing = unchanged(undefined)
const done = (event: TopUpEvent) => happened(event, undefined)

const shown = (topup: PresentTopUp) => ({ record: recordOf(topup), push: topup.push })

/** Neither paid, failed nor expired. */
const isOpen = ({ expired, failure, proof }: PresentTopUp): boolean => proof === null && failure === null && !expired

const start = (id: TopUpId, { facts, origin, proof }: TopUpMessage<"Start">, sequence: number) =>
  happened({ _tag: "Started", facts, proof, origin }, shown(startTopUp(id, facts, proof, sequence)))

/**
 * Whether a payment counts for the top-up. A failed prompt takes none, so that the money becomes a top-up of its own; a
 * card payment was made for one top-up and has no other. An expired top-up may have been paid in time.
 */
const takes = ({ facts, failure, push }: PresentTopUp, currency: string = facts.currency): boolean =>
  currency === facts.currency && (failure === null || (facts.provider === "card" && push !== "refused"))

const prove: PresentRules["Prove"] = (topup, command) => {
  const { facts, proof } = topup
  const { workspace_id } = facts
  if (proof !== null) return unchanged({ taken: proof.receipt === command.proof.receipt, workspace_id })
  return takes(topup, command.currency)
    ? happened({ _tag: "Proved", proof: command.proof }, { taken: true, workspace_id })
    : unchanged({ taken: false, workspace_id })
}

const expire: PresentRules["Expire"] = (topup, _command, now) => {
  if (!isOpen(topup)) return nothing
  const { confirmed_at } = topup
  if (confirmed_at === null) return now < expiresAt(topup) ? nothing : done({ _tag: "Expired", at: now })
  return now < confirmed_at + receiptDeadline_ms
    ? nothing
    : done({
        _tag: "Failed",
        at: now,
        code: "provider_error",
        message: "The provider confirmed the payment but never named its receipt."
      })
}

/** Only a top-up that was credited can be reversed. What the provider has taken back before is not debited again. */
const reverse: PresentRules["Reverse"] = (topup, { entry_id, note, origin }) => {
  const { credited, proof, reversal, reversed_by_hand, reversed_minor } = topup
  if (!credited || proof === null) return refuse(new TopUpNotFound({ message: "No succeeded top-up has this id." }))
  if (reversed_by_hand) return unchanged(shown(topup))
  const taken: TopUpEvent = { _tag: "TakenBack", taken_back_minor: proof.amount_minor, by_hand: true }
  const amount_minor = proof.amount_minor - reversed_minor
  const events: ReadonlyArray<TopUpEvent> =
    reversal === null && amount_minor > 0
      ? [taken, { _tag: "ReversalRequested", entry_id, amount_minor, note, origin }]
      : [taken]
  return Result.succeed({ events, reply: shown(topup) })
}

const otherCurrency = "The provider says that it was paid in another currency. Nothing was credited."

type CheckedStanding = TopUpMessage<"Checked">["standing"]

/** What a payment's standing changes. A payment counts once; of what was taken back, the latest reading counts. */
const eventsOf = (topup: PresentTopUp, standing: CheckedStanding, now: number): ReadonlyArray<TopUpEvent> => {
  const canFail = isOpen(topup) && topup.confirmed_at === null
  if (standing._tag === "Pending") return []
  if (standing._tag === "Failed")
    return canFail ? [{ _tag: "Failed", at: now, code: standing.code, message: standing.message }] : []
  const { amount_minor, card, currency, receipt, taken_back_minor } = standing
  const { proof } = topup
  if (proof === null && !takes(topup, currency))
    return canFail ? [{ _tag: "Failed", at: now, code: "provider_error", message: otherCurrency }] : []
  if (proof !== null && proof.receipt !== receipt) return []
  return [
    ...(proof === null
      ? [{ _tag: "Proved" as const, proof: { receipt, amount_minor, from_suspense: false, ...(card && { card }) } }]
      : []),
    ...(taken_back_minor === topup.taken_back_minor ? [] : [{ _tag: "TakenBack" as const, taken_back_minor }])
  ]
}

const checked: PresentRules["Checked"] = (topup, { check, standing }, now) =>
  check > topup.checked ? all([...eventsOf(topup, standing, now), { _tag: "Checked", check }]) : nothing

const notes = {
  taken: "The card payment was refunded or disputed",
  returned: "The card payment was returned: a dispute was won, or a refund failed"
}

/** The amount is fixed before it is booked, so that a repeated booking is the same one. */
const beginReversal: PresentRules["BeginReversal"] = (topup, { entry_id }) => {
  const amount_minor = owedBack_minor(topup) - topup.reversed_minor
  if (!topup.credited || topup.reversal !== null || amount_minor === 0) return nothing
  const note = amount_minor > 0 ? notes.taken : notes.returned
  return done({ _tag: "ReversalRequested", entry_id, amount_minor, note, origin: systemOrigin })
}

const present: PresentRules = {
  Start: (topup, command) =>
    topup.push === "refused" ? start(topup.id, command, topup.sequence) : unchanged(shown(topup)),
  Show: (topup) => unchanged(shown(topup)),
  BeginPush: (topup, _command, now) => {
    // Once the provider may have forgotten the key of a charge, a repetition could be a second charge.
    if (topup.facts.card !== undefined && now >= expiresAt(topup)) return unchanged(false)
    if (topup.push === "none" && isOpen(topup)) return happened({ _tag: "PushBegun" }, true)
    // A payment page prompts nobody, and the provider answers a repeated request with the same page or charge.
    return unchanged(topup.push === "begun" && topup.facts.provider === "card" && isOpen(topup))
  },
  PushAccepted: ({ facts, push }, { page, request_id }) => {
    if (push !== "begun") return nothing
    const accepted: TopUpEvent = { _tag: "PushAccepted", request_id, ...(page && { page }) }
    // The charge of a saved card is decided at once, as a rule, so its standing is read at once.
    return facts.card === undefined ? done(accepted) : all([accepted, { _tag: "Notified", request_id }])
  },
  PushRefused: (topup, { code, message }, now) =>
    topup.push === "begun" && isOpen(topup) ? done({ _tag: "PushRefused", at: now, code, message }) : nothing,
  StillPending: (topup, { query }) =>
    query > topup.queries && isOpen(topup) ? done({ _tag: "Queried", queries: query }) : nothing,
  Confirm: (topup, _command, now) =>
    isOpen(topup) && topup.confirmed_at === null ? done({ _tag: "Confirmed", at: now }) : nothing,
  Prove: prove,
  Credited: ({ credited, proof }, _command, now) =>
    proof !== null && !credited ? done({ _tag: "Credited", at: now }) : nothing,
  Fail: (topup, { code, message }, now) =>
    isOpen(topup) && topup.confirmed_at === null ? done({ _tag: "Failed", at: now, code, message }) : nothing,
  Expire: expire,
  Reverse: reverse,
  Debited: ({ reversal }, _command, now) =>
    reversal === null ? nothing : done({ _tag: "Reversed", at: now, amount_minor: reversal.amount_minor }),
  Notified: (_topup, { request_id }) => done({ _tag: "Notified", request_id }),
  Checked: checked,
  BeginReversal: beginReversal
}

const absent: AbsentRules = {
  ...allBut(TopUpCommands, ["Start"], () => refuse(new TopUpNotFound())),
  Start: ({ id }, command) => start(id, command, 0)
}

export const decideTopUp = decideByPresence<AbsentTopUp, PresentTopUp, TopUpCommands, TopUpEvent>({
  isPresent,
  absent,
  present
})
