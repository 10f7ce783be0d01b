import { Result } from "effect"
import type { Decided, Decision } from "../Decision.ts"
import { phase } from "./Breaker.ts"
import { accepted, gone, secretUnset, settle } from "./Settlement.ts"
import type { Kept, Subscription, SubscriptionEvent } from "./Subscription.ts"
import type { SubscriptionCommand, SubscriptionReply } from "./SubscriptionCommand.ts"
import type { DisabledReason } from "./SubscriptionRecord.ts"
import { recordOf } from "./RecordOf.ts"
import { evolve } from "./Subscription.ts"
import type { Outcome } from "./DeliveryRecord.ts"

type Decide = Decided<SubscriptionEvent, SubscriptionReply>
type Command<Tag extends SubscriptionCommand["_tag"]> = Extract<SubscriptionCommand, { _tag: Tag }>

/** A receiver that accepts nothing for so long is given up. */
const giveUpAfter_ms = 120 * 3_600_000

const noted: SubscriptionReply = { _tag: "Noted" }
const answer = (decision: Decision<SubscriptionEvent, SubscriptionReply>): Decide => Result.succeed(decision)
const nothing = answer({ events: [], reply: noted })
const remembered = (event: SubscriptionEvent) => answer({ events: [event], reply: noted, volatile: true })

const create = (state: Subscription, { facts }: Command<"Create">, now: number): Decide => {
  if (state.kept !== null) return answer({ events: [], reply: { _tag: "Created", record: recordOf(state.id, state.kept) } })
  const event: SubscriptionEvent = { _tag: "Created", facts, at: now }
  return answer({ events: [event], reply: { _tag: "Created", record: recordOf(state.id, evolve(state, event).kept!) } })
}

/** An answer to another load than the one under way comes from a fiber that was interrupted too late. */
const load = ({ memory }: Subscription, { load, ...found }: Command<"Loaded">): Decide =>
  load === memory.loads ? remembered({ ...found, _tag: "LoadCame" }) : nothing

const disabledBy = (kept: Kept, outcome: Outcome, now: number): DisabledReason | undefined => {
  if (kept.status === "disabled" || accepted(outcome) || outcome.error === secretUnset) return undefined
  if (gone(outcome)) return "receiver_gone"
  return kept.failing_since !== null && now - kept.failing_since >= giveUpAfter_ms ? "failing" : undefined
}

const finish = (
  { kept, memory }: Subscription,
  { attempt, delivery_id, outcome }: Command<"AttemptFinished">,
  now: number
): Decide => {
  const delivery = memory.window.find(({ id }) => id === delivery_id)
  if (kept === null || delivery === undefined || delivery.attempts + 1 !== attempt) return nothing
  const reason = disabledBy(kept, outcome, now)
  const settled: SubscriptionEvent = { _tag: "DeliverySettled", delivery, settlement: settle(delivery, outcome, now), at: now }
  return answer({ events: reason === undefined ? [settled] : [settled, { _tag: "Disabled", reason, at: now }], reply: noted })
}

export const decideSubscription = (state: Subscription, command: SubscriptionCommand, now: number): Decide => {
  if (command._tag === "Create") return create(state, command, now)
  if (state.kept === null) return nothing
  switch (command._tag) {
    case "Poke": return remembered({ _tag: "Poked", at: now })
    case "ProbeDue": return phase(state.memory.breaker) === "open" ? remembered({ _tag: "ProbeBegan" }) : nothing
    case "Loaded": return load(state, command)
    case "AttemptFinished": return finish(state, command, now)
  }
}
