// What is stored for a change of a top-up: its row, its webhook events and its lines of the audit log.
import type { Change } from "../Decision.ts"
import { auditRow } from "../access/Origin.ts"
import type { AuditRow, EventRow } from "../journal/Rows.ts"
import { presentOf } from "../Presence.ts"
import { publishedEvent, type PublishedKind } from "../journal/PublishedEvent.ts"
import { stateOfTopUp } from "./StoredTopUp.ts"
import { recordOf, statusOf, type TopUp, type TopUpEvent } from "./TopUp.ts"

type TopUpChange = Change<TopUp, TopUpEvent>

const kindOf = (event: TopUpEvent): PublishedKind | undefined => {
  switch (event._tag) {
    case "Credited":
      return "topup.succeeded"
    case "Failed":
    case "PushRefused":
    case "Expired":
      return "topup.failed"
    case "Reversed":
      return event.amount_minor > 0 ? "topup.reversed" : "topup.succeeded"
    default:
      return undefined
  }
}

const eventRows = ({ id, now, steps, uuid }: TopUpChange): ReadonlyArray<EventRow> =>
  steps.flatMap(({ after, event }) => {
    const kind = kindOf(event)
    if (kind === undefined) return []
    const topup = presentOf(after)
    const { workspace_id } = topup.facts
    const payload = { ...recordOf(topup), kind }
    return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence: topup.sequence, at: now, payload })]
  })

/** The audit log shows the requests of people and keys. A payment that came in without a prompt has no requester. */
const auditRows = ({ events, id, now }: TopUpChange): ReadonlyArray<AuditRow> =>
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

export const recordTopUp = (change: TopUpChange) => {
  const topup = presentOf(change.after)
  const { credited, facts, proof, reversed_minor } = topup
  const { amount_minor, created_at, provider, workspace_id } = facts
  return {
    workspace_id,
    state: stateOfTopUp(topup),
    columns: {
      provider,
      status: statusOf(topup),
      amount_minor,
      provider_reference: proof?.receipt ?? null,
      credited_minor: credited && proof !== null ? proof.amount_minor : null,
      reversed_minor,
      created_at
    },
    events: eventRows(change),
    audit: auditRows(change)
  }
}
