// The rules of a top-up. A failed or expired push is not final: a late payment still counts if its receipt belongs to
// no other top-up.
import { Result } from "effect"
import { allBut, decideByPresence, refuse, type Rules } from "../Command.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import { isPresent } from "../Presence.ts"
import {
  type AbsentTopUp,
  type PresentTopUp,
  promptLifetime_ms,
  receiptDeadline_ms,
  recordOf,
  startTopUp,
  type TopUpEvent
} from "./TopUp.ts"
import { TopUpCommands, type TopUpMessage } from "./TopUpCommand.ts"
import type { TopUpId } from "../BrandedIds.ts"

type PresentRules = Rules<PresentTopUp, TopUpCommands, TopUpEvent>
type AbsentRules = Rules<AbsentTopUp, TopUpCommands, TopUpEvent>

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
 * A failed top-up takes no payment, so the money becomes a top-up of its own. An expired one may have been paid in
 * time.
 */
const prove: PresentRules["Prove"] = ({ facts: { workspace_id }, failure, proof }, command) => {
  if (proof !== null) return unchanged({ taken: proof.receipt === command.proof.receipt, workspace_id })
  return failure === null
    ? happened({ _tag: "Proved", proof: command.proof }, { taken: true, workspace_id })
    : unchanged({ taken: false, workspace_id })
}

const expire: PresentRules["Expire"] = (topup, _command, now) => {
  if (!isOpen(topup)) return nothing
  const { confirmed_at, facts } = topup
  if (confirmed_at === null)
    return now < facts.created_at + promptLifetime_ms ? nothing : done({ _tag: "Expired", at: now })
  return now < confirmed_at + receiptDeadline_ms
    ? nothing
    : done({
        _tag: "Failed",
        at: now,
        code: "provider_error",
        message: "The provider confirmed the payment but never named its receipt."
      })
}

/** Only a top-up that was credited can be reversed. */
const reverse: PresentRules["Reverse"] = (topup, { entry_id, note, origin }) => {
  if (!topup.credited) return refuse(new TopUpNotFound({ message: "No succeeded top-up has this id." }))
  return topup.reversal === null
    ? happened({ _tag: "ReversalRequested", entry_id, note, origin }, shown(topup))
    : unchanged(shown(topup))
}

const present: PresentRules = {
  Start: (topup, command) =>
    topup.push === "refused" ? start(topup.id, command, topup.sequence) : unchanged(shown(topup)),
  Show: (topup) => unchanged(shown(topup)),
  BeginPush: (topup) =>
    topup.push === "none" && isOpen(topup) ? happened({ _tag: "PushBegun" }, true) : unchanged(false),
  PushAccepted: ({ push }, { request_id }) => (push === "begun" ? done({ _tag: "PushAccepted", request_id }) : nothing),
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
  Debited: ({ reversal, reversed }, _command, now) =>
    reversal !== null && !reversed ? done({ _tag: "Reversed", at: now }) : nothing
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
