// What is stored of a decision of a number: its row, what customers are told of it, and the lines of the audit log.
import type { Change } from "../Decision.ts"
import { auditRow } from "../access/Origin.ts"
import type { AuditRow, Column, EventRow, Stored } from "../journal/Rows.ts"
import { publishedEvent } from "../webhooks/PublishedEvent.ts"
import { noticesOf } from "./NumberNotices.ts"
import { type KeptNumber, type NumberEvent, type PhoneNumber, unclaimed } from "./PhoneNumber.ts"
import { numberView } from "./NumberView.ts"
import { routingOf } from "./Routing.ts"

/** One event, and the number on both sides of it. */
interface Step {
  readonly id: string
  readonly before: KeptNumber | null
  readonly after: KeptNumber
  readonly event: NumberEvent
}

const timeOf = (event: NumberEvent): number => ("at" in event ? event.at : 0)

const toldOf = ({ after, before, event, id }: Step, uuid: () => string): ReadonlyArray<EventRow> => {
  const first = (before?.sequence ?? 0) + 1
  return noticesOf(before, event).map(({ kind, of, workspace_id }, index) => {
    const shown =
      of === "before" && before !== null
        ? { ...numberView(id, before), status: "released", released_at: new Date(timeOf(event)).toISOString() }
        : numberView(id, after)
    const paid =
      event._tag === "Renewed" || event._tag === "Claimed" ? { amount_minor: after.monthly_price_minor ?? 0 } : {}
    const payload = { kind, workspace_id, ...shown, ...paid }
    return publishedEvent(uuid(), {
      workspace_id,
      subject_id: id,
      sequence: first + index,
      at: timeOf(event),
      number_id: id,
      payload
    })
  })
}

const shown = ({ label, number, routing, source, status }: KeptNumber) => ({ number, status, source, label, routing })

const auditOf = ({ after, before, event, id }: Step): ReadonlyArray<AuditRow> => {
  if (!("origin" in event) && event._tag !== "Claimed") return []
  const at = timeOf(event)
  const row = (action_kind: AuditRow["action_kind"], workspace_id: string | null, values: object = {}): AuditRow =>
    auditRow("origin" in event ? event.origin : before!.claim!.origin, {
      workspace_id,
      action_kind,
      target: { type: "number", id },
      at,
      ...values
    })
  const both = { ...(before !== null && { before: shown(before) }), after: shown(after) }
  switch (event._tag) {
    case "Claimed":
      return [row("number.claimed", after.workspace_id, { after: shown(after) })]
    case "Registered":
      return [row("number.byo_registered", event.workspace_id, { after: shown(after) })]
    case "Removed":
      return [row("number.byo_removed", before!.workspace_id, { before: shown(before!) })]
    case "Released":
      return [row("number.released", after.workspace_id, both)]
    case "RoutingChanged":
      return [row("number.routing_changed", after.workspace_id, both)]
    case "Reassigned": {
      const moved = { before: { workspace_id: before!.workspace_id }, after: { workspace_id: event.workspace_id } }
      return [
        row("number.reassigned", before!.workspace_id, moved),
        row("number.reassigned", event.workspace_id, moved)
      ]
    }
    case "Retired":
      return [row("number.retired", null, both)]
  }
}

const columnsOf = (kept: KeptNumber): Readonly<Record<string, Column>> => ({
  number: kept.number,
  series_id: kept.series_id,
  status: kept.status,
  source: kept.source,
  country: kept.country,
  type: kept.type,
  locality: kept.locality,
  capabilities: kept.capabilities,
  label: kept.label,
  currency: kept.currency,
  monthly_price_minor: kept.monthly_price_minor,
  inbound_per_min_minor: kept.inbound_per_min_minor,
  outbound_per_min_minor: kept.outbound_per_min_minor,
  routing: JSON.stringify(kept.routing),
  claimed_at: kept.claimed_at,
  renews_at: kept.renews_at,
  past_due_since: kept.past_due_since,
  released_at: kept.released_at,
  reserved_for: kept.claim?.workspace_id ?? null
})

export interface NumberRecorded {
  readonly workspace_id: string | null
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly events: ReadonlyArray<EventRow>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordNumber = (change: Change<PhoneNumber, NumberEvent>): NumberRecorded => {
  const { id, kept } = change.after
  const steps = change.steps.map(({ after, before, event }) => ({
    id,
    before: before.kept,
    after: after.kept!,
    event
  }))
  return {
    workspace_id: kept!.workspace_id,
    state: JSON.stringify(kept),
    columns: columnsOf(kept!),
    events: steps.flatMap((step) => toldOf(step, change.uuid)),
    audit: steps.flatMap(auditOf)
  }
}

/** Rows that inventory made know what the number is, and nothing else yet. */
export const restoreNumber = ({ state }: Stored, id: string): PhoneNumber => {
  const stored = JSON.parse(state) as KeptNumber
  return { id, kept: { ...unclaimed(stored), ...stored, routing: routingOf(stored.routing) } }
}
