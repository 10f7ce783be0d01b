// What a top-up makes of what it is told. A failed or expired push is not the last word: money that comes in late counts,
// and only a receipt that belongs to nobody else is money.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import {
  evolveTopUp,
  expires_after_ms,
  type Kept,
  receipt_within_ms,
  recordOf,
  type TopUp,
  type TopUpEvent
} from "./TopUp.ts"
import type { TopUpCommand, TopUpReply } from "./TopUpCommand.ts"

type Answer = Decided<TopUpEvent, TopUpReply>
type CommandOf<Tag extends TopUpCommand["_tag"]> = Extract<TopUpCommand, { readonly _tag: Tag }>

const happened = (event: TopUpEvent, reply: TopUpReply = { _tag: "Noted" }): Answer =>
  Result.succeed({ events: [event], reply })
const nothing = (reply: TopUpReply = { _tag: "Noted" }): Answer => Result.succeed({ events: [], reply })

const shown = (id: string, kept: Kept): TopUpReply => ({ _tag: "Shown", record: recordOf(id, kept), push: kept.push })

/** Neither paid nor over. */
const isOpen = ({ expired, failure, proof }: Kept): boolean => proof === null && failure === null && !expired

const start = (topup: TopUp, { facts, origin, proof }: CommandOf<"Start">): Answer => {
  const { id, kept } = topup
  if (kept !== null && kept.push !== "refused") return nothing(shown(id, kept))
  const event: TopUpEvent = { _tag: "Started", facts, proof, origin }
  return happened(event, shown(id, evolveTopUp(topup, event).kept!))
}

/** What has failed was not paid, whatever a receipt says: its money is another payment. What has expired may have been. */
const prove = (kept: Kept, { proof }: CommandOf<"Prove">): Answer => {
  const reply = (taken: boolean): TopUpReply => ({ _tag: "Proved", taken, workspace_id: kept.facts.workspace_id })
  if (kept.proof !== null) return nothing(reply(kept.proof.receipt === proof.receipt))
  return kept.failure === null ? happened({ _tag: "Proved", proof }, reply(true)) : nothing(reply(false))
}

const expire = (kept: Kept, now: number): Answer => {
  if (!isOpen(kept)) return nothing()
  if (kept.confirmed_at === null) {
    return now < kept.facts.created_at + expires_after_ms ? nothing() : happened({ _tag: "Expired", at: now })
  }
  return now < kept.confirmed_at + receipt_within_ms
    ? nothing()
    : happened({
        _tag: "Failed",
        at: now,
        code: "provider_error",
        message: "The provider confirmed the payment and never named its receipt."
      })
}

/** What was never paid has nothing to take back. */
const reverse = (id: string, kept: Kept, { entry_id, note, origin }: CommandOf<"Reverse">): Answer => {
  if (!kept.credited) return Result.fail(new TopUpNotFound({ message: "No succeeded top-up has this id." }))
  return kept.reversal === null
    ? happened({ _tag: "ReversalAsked", entry_id, note, origin }, shown(id, kept))
    : nothing(shown(id, kept))
}

const decide = (id: string, kept: Kept, command: Exclude<TopUpCommand, CommandOf<"Start">>, now: number): Answer => {
  switch (command._tag) {
    case "Show":
      return nothing(shown(id, kept))
    case "BeginPush":
      return kept.push === "none" && isOpen(kept)
        ? happened({ _tag: "PushBegun" }, { _tag: "MayPush", yes: true })
        : nothing({ _tag: "MayPush", yes: false })
    case "PushAccepted":
      return kept.push === "begun" ? happened({ _tag: "PushAccepted", request_id: command.request_id }) : nothing()
    case "PushRefused":
      return kept.push === "begun" && isOpen(kept)
        ? happened({ _tag: "PushRefused", at: now, code: command.code, message: command.message })
        : nothing()
    case "StillPending":
      return command.query > kept.queries && isOpen(kept)
        ? happened({ _tag: "Asked", queries: command.query })
        : nothing()
    case "Confirm":
      return isOpen(kept) && kept.confirmed_at === null ? happened({ _tag: "Confirmed", at: now }) : nothing()
    case "Prove":
      return prove(kept, command)
    case "Credited":
      return kept.proof !== null && !kept.credited ? happened({ _tag: "Credited", at: now }) : nothing()
    case "Fail":
      return isOpen(kept) && kept.confirmed_at === null
        ? happened({ _tag: "Failed", at: now, code: command.code, message: command.message })
        : nothing()
    case "Expire":
      return expire(kept, now)
    case "Reverse":
      return reverse(id, kept, command)
    case "Debited":
      return kept.reversal !== null && !kept.reversed ? happened({ _tag: "Reversed", at: now }) : nothing()
  }
}

export const decideTopUp = (topup: TopUp, command: TopUpCommand, now: number): Answer => {
  if (command._tag === "Start") return start(topup, command)
  return topup.kept === null ? Result.fail(new TopUpNotFound()) : decide(topup.id, topup.kept, command, now)
}
