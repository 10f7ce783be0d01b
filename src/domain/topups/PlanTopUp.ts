import { deadline, task, type Work } from "../Decision.ts"
import { asked_after_ms, expires_after_ms, type Kept, type Proof, receipt_within_ms, type TopUp } from "./TopUp.ts"
import type { TopUpCommand } from "./TopUpCommand.ts"

export type TopUpWork =
  | { readonly _tag: "Push" }
  /** The question of this number, from 1. */
  | { readonly _tag: "Query"; readonly query: number; readonly request_id: string }
  /** The receipt of a payment that the provider has confirmed is to be looked for. */
  | { readonly _tag: "FindReceipt" }
  | { readonly _tag: "Credit"; readonly proof: Proof }
  | { readonly _tag: "Debit" }

const open = (kept: Kept): ReadonlyArray<Work<TopUpCommand, TopUpWork>> => {
  const {
    confirmed_at,
    facts: { created_at, provider },
    push,
    queries,
    request_id
  } = kept
  if (confirmed_at !== null) {
    return [
      task("find-receipt", { _tag: "FindReceipt" }),
      deadline("expire", confirmed_at + receipt_within_ms, { _tag: "Expire" })
    ]
  }
  const expiry = deadline<TopUpCommand>("expire", created_at + expires_after_ms, { _tag: "Expire" })
  // Begun, it stays planned until its outcome is known: it is under way in the task that began it.
  if (push === "none" || push === "begun") return provider === "manual" ? [] : [task("push", { _tag: "Push" }), expiry]
  const wait_ms = asked_after_ms[queries]
  if (request_id === null || wait_ms === undefined) return [expiry]
  return [task(`query:${queries + 1}`, { _tag: "Query", query: queries + 1, request_id }, created_at + wait_ms), expiry]
}

export const planTopUp = ({ kept }: TopUp): ReadonlyArray<Work<TopUpCommand, TopUpWork>> => {
  if (kept === null) return []
  const { credited, expired, failure, proof, reversal, reversed } = kept
  if (proof !== null && !credited) return [task("credit", { _tag: "Credit", proof })]
  if (reversal !== null && !reversed) return [task("debit", { _tag: "Debit" })]
  return credited || expired || failure !== null ? [] : open(kept)
}
