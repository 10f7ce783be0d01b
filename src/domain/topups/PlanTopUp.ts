// The work that a top-up needs in each state.
import { deadline, task, type Work } from "../Decision.ts"
import {
  type PresentTopUp,
  promptLifetime_ms,
  type Proof,
  queryDelays_ms,
  receiptDeadline_ms,
  type Reversal,
  type TopUp,
  type TopUpFacts
} from "./TopUp.ts"
import type { TopUpMessage } from "./TopUpCommand.ts"

export type TopUpWork =
  /** Prompts the payer. */
  | { readonly _tag: "Push"; readonly facts: TopUpFacts }
  /** Asks the provider for the outcome. `query` is the number of the query, from 1. */
  | { readonly _tag: "Query"; readonly facts: TopUpFacts; readonly query: number; readonly request_id: string }
  /** Searches for the receipt of a payment that the provider has confirmed. */
  | { readonly _tag: "FindReceipt"; readonly facts: TopUpFacts }
  | { readonly _tag: "Credit"; readonly facts: TopUpFacts; readonly proof: Proof }
  | { readonly _tag: "Debit"; readonly facts: TopUpFacts; readonly proof: Proof; readonly reversal: Reversal }

type Works = ReadonlyArray<Work<TopUpMessage, TopUpWork>>

const planOpen = ({ confirmed_at, facts, push, queries, request_id }: PresentTopUp): Works => {
  if (confirmed_at !== null) {
    return [
      task("find-receipt", { _tag: "FindReceipt", facts }),
      deadline("expire", confirmed_at + receiptDeadline_ms, { _tag: "Expire" })
    ]
  }
  const { created_at, provider } = facts
  const expiry = deadline<TopUpMessage>("expire", created_at + promptLifetime_ms, { _tag: "Expire" })
  // A push that was begun stays planned until its outcome is known, because the task that began it is still running.
  if (push === "none" || push === "begun")
    return provider === "manual" ? [] : [task("push", { _tag: "Push", facts }), expiry]
  const delay_ms = queryDelays_ms[queries]
  if (request_id === null || delay_ms === undefined) return [expiry]
  const query = queries + 1
  return [task(`query:${query}`, { _tag: "Query", facts, query, request_id }, created_at + delay_ms), expiry]
}

export const planTopUp = (topup: TopUp): Works => {
  if (topup._tag === "Absent") return []
  const { credited, expired, facts, failure, proof, reversal, reversed } = topup
  if (proof !== null && !credited) return [task("credit", { _tag: "Credit", facts, proof })]
  if (proof !== null && reversal !== null && !reversed)
    return [task("debit", { _tag: "Debit", facts, proof, reversal })]
  return credited || expired || failure !== null ? [] : planOpen(topup)
}
