// What a decision of a top-up leaves behind: its row, what customers are told, and who asked for it.
import type { Change } from "../Decision.ts"
import { auditRow } from "../access/Origin.ts"
import type { AuditRow, EventRow, Stored } from "../journal/Rows.ts"
import type { EventKind } from "../webhooks/EventTable.ts"
import { publishedEvent } from "../webhooks/PublishedEvent.ts"
import { type Kept, recordOf, statusOf, type TopUp, type TopUpEvent } from "./TopUp.ts"

const kindOf = (event: TopUpEvent): EventKind | undefined => {
  switch (event._tag) {
    case "Credited":
      return "topup.succeeded"
    case "Failed":
    case "PushRefused":
    case "Expired":
      return "topup.failed"
    case "Reversed":
      return "topup.reversed"
    default:
      return undefined
  }
}

const told = ({ id, now, steps, uuid }: Change<TopUp, TopUpEvent>): ReadonlyArray<EventRow> =>
  steps.flatMap(({ after, event }) => {
    const kind = kindOf(event)
    if (kind === undefined) return []
    const kept = after.kept!
    const { workspace_id } = kept.facts
    const payload = { ...recordOf(id, kept), kind }
    return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence: kept.sequence, at: now, payload })]
  })

/** A person's or a key's request; money that came in by itself is nobody's doing. */
const audited = ({ events, id, now }: Change<TopUp, TopUpEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (event._tag !== "Started" || event.origin.actor.type === "system") return []
    const { amount_minor, currency, provider, workspace_id } = event.facts
    return [
      auditRow(event.origin, {
        workspace_id,
        action_kind: "wallet.topup_started",
        target: { type: "topup", id },
        after: { provider, amount_minor, currency },
        at: now
      })
    ]
  })

export const recordTopUp = (change: Change<TopUp, TopUpEvent>) => {
  const kept = change.after.kept!
  const {
    credited,
    facts: { amount_minor, created_at, provider, workspace_id },
    proof
  } = kept
  return {
    workspace_id,
    state: JSON.stringify(kept),
    columns: {
      provider,
      status: statusOf(kept),
      amount_minor,
      provider_reference: proof?.receipt ?? null,
      credited_minor: credited ? proof!.amount_minor : null,
      created_at
    },
    events: told(change),
    audit: audited(change)
  }
}

export const topUpOfState = (id: string, { state }: Pick<Stored, "state">): TopUp => ({
  id,
  kept: JSON.parse(state) as Kept
})
