// The work that a top-up needs in each state.
import { deadline, task, type Work } from "../Decision.ts"
import {
  expiresAt,
  owedBack_minor,
  type PresentTopUp,
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
  /** Reads the standing of a card payment, because the provider said that it has changed. */
  | { readonly _tag: "Check"; readonly facts: TopUpFacts; readonly check: number; readonly request_id: string }
  /** Chooses the entry of the next reversal. */
  | { readonly _tag: "BeginReversal" }
  | { readonly _tag: "Debit"; readonly facts: TopUpFacts; readonly proof: Proof; readonly reversal: Reversal }

type Works = ReadonlyArray<Work<TopUpMessage, TopUpWork>>

const planOpen = (topup: PresentTopUp): Works => {
  const { confirmed_at, facts, push, queries, request_id } = topup
  if (confirmed_at !== null) {
    return [
      task("find-receipt", { _tag: "FindReceipt", facts }),
      deadline("expire", confirmed_at + receiptDeadline_ms, { _tag: "Expire" })
    ]
  }
  const { created_at, provider } = facts
  const expiry = deadline<TopUpMessage>("expire", expiresAt(topup), { _tag: "Expire" })
  // A push that was begun stays planned until its outcome is known, because the task that began it is still running.
  if (push === "none" || push === "begun")
    return provider === "manual" ? [] : [task("push", { _tag: "Push", facts }), expiry]
  const delay_ms = queryDelays_ms(topup)[queries]
  if (request_id === null || delay_ms === undefined) return [expiry]
  const query = queries + 1
  return [task(`query:${query}`, { _tag: "Query", facts, query, request_id }, created_at + delay_ms), expiry]
}

const planReversal = (topup: PresentTopUp, proof: Proof): Works => {
  const { facts, reversal, reversed_minor } = topup
  if (reversal !== null) return [task(`debit:${reversal.entry_id}`, { _tag: "Debit", facts, proof, reversal })]
  return owedBack_minor(topup) === reversed_minor ? [] : [task("begin-reversal", { _tag: "BeginReversal" })]
}

/** A new notice interrupts the reading for the one before it: what it read may be outdated. */
const planCheck = ({ checked, checks, facts, request_id }: PresentTopUp): Works =>
  checks > checked && request_id !== null
    ? [task(`check:${checks}`, { _tag: "Check", facts, check: checks, request_id })]
    : []

const planPayment = (topup: PresentTopUp): Works => {
  const { credited, expired, facts, failure, proof } = topup
  if (proof !== null) return credited ? planReversal(topup, proof) : [task("credit", { _tag: "Credit", facts, proof })]
  return expired || failure !== null ? [] : planOpen(topup)
}

export const planTopUp = (topup: TopUp): Works =>
  topup._tag === "Absent" ? [] : [...planPayment(topup), ...planCheck(topup)]
