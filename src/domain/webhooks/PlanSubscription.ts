// The work of a subscription: loading due deliveries, attempting them, and notifying the admins.
import { deadline, task, type Work } from "../Decision.ts"
import { phase } from "./Breaker.ts"
import type { DueDelivery } from "./DeliveryRecord.ts"
import { loadSize, type Subscription } from "./Subscription.ts"
import type { SubscriptionMessage } from "./SubscriptionCommand.ts"

export type SubscriptionWork =
  /** Reads due deliveries. */
  | { readonly _tag: "Load" }
  | { readonly _tag: "Attempt"; readonly delivery: DueDelivery }
  | { readonly _tag: "MailDisabling"; readonly at: number }

export const planSubscription = (state: Subscription): ReadonlyArray<Work<SubscriptionMessage, SubscriptionWork>> => {
  if (state._tag === "Absent") return []
  const { data, memory } = state
  const work: Array<Work<SubscriptionMessage, SubscriptionWork>> = memory.window.map((delivery) =>
    task(`attempt:${delivery.id}:${delivery.attempts + 1}`, { _tag: "Attempt", delivery })
  )
  if (loadSize(state) > 0) work.push(task(`load:${memory.loads}`, { _tag: "Load" }))
  if (data.unmailed_at !== undefined)
    work.push(task(`mail:${data.unmailed_at}`, { _tag: "MailDisabling", at: data.unmailed_at }))
  if (data.status !== "active") return work
  const { breaker, next_due_at } = memory
  if (next_due_at !== null) work.push(deadline(`due:${next_due_at}`, next_due_at, { _tag: "Poke" }))
  if (breaker.open_until !== null && phase(breaker) === "open") {
    work.push(deadline(`probe:${breaker.open_until}`, breaker.open_until, { _tag: "ProbeDue" }))
  }
  return work
}
