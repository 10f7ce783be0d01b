import { deadline, task, type Work } from "../Decision.ts"
import { phase } from "./Breaker.ts"
import type { DueDelivery } from "./DeliveryRecord.ts"
import { roomOf, type Subscription } from "./Subscription.ts"
import type { SubscriptionCommand } from "./SubscriptionCommand.ts"

export type SubscriptionWork =
  /** Read deliveries that are due. */
  | { readonly _tag: "Load" }
  | { readonly _tag: "Attempt"; readonly delivery: DueDelivery }
  | { readonly _tag: "MailDisabling"; readonly at: number }

export const planSubscription = (state: Subscription): ReadonlyArray<Work<SubscriptionCommand, SubscriptionWork>> => {
  const { kept, memory } = state
  if (kept === null) return []
  const work: Array<Work<SubscriptionCommand, SubscriptionWork>> = memory.window.map((delivery) =>
    task(`attempt:${delivery.id}:${delivery.attempts + 1}`, { _tag: "Attempt", delivery })
  )
  if (roomOf(state) > 0) work.push(task(`load:${memory.loads}`, { _tag: "Load" }))
  if (kept.unmailed_at !== undefined)
    work.push(task(`mail:${kept.unmailed_at}`, { _tag: "MailDisabling", at: kept.unmailed_at }))
  if (kept.status !== "active") return work
  const { breaker, next_due_at } = memory
  if (next_due_at !== null) work.push(deadline(`due:${next_due_at}`, next_due_at, { _tag: "Poke" }))
  if (breaker.open_until !== null && phase(breaker) === "open") {
    work.push(deadline(`probe:${breaker.open_until}`, breaker.open_until, { _tag: "ProbeDue" }))
  }
  return work
}
