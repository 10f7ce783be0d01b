// What is stored of a decision about a number: its row, its webhook events and the audit log.
import { Struct } from "effect"
import { auditRow, type Origin } from "../access/Origin.ts"
import type { Change, Step } from "../Decision.ts"
import type { AuditRow, Column, EventRow } from "../journal/Rows.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { isoInstant } from "../kit/Instants.ts"
import { noticesOf } from "./EvolveNumber.ts"
import { numberView } from "./NumberView.ts"
import type { NumberData, NumberEvent, PhoneNumber } from "./PhoneNumber.ts"
import { numberState } from "./StoredNumber.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

type NumberStep = Step<PhoneNumber, NumberEvent>

const dataOf = (state: PhoneNumber): NumberData | undefined => (state._tag === "Present" ? state.data : undefined)

/** Every event that has a notice has a time. */
const timeOf = (event: NumberEvent): number => ("at" in event ? event.at : 0)

const eventRows = ({ after, before, event }: NumberStep, uuid: () => string): ReadonlyArray<EventRow> => {
  const [former, present] = [dataOf(before), dataOf(after)]
  if (present === undefined) return []
  const first = (former?.sequence ?? 0) + 1
  const at = timeOf(event)
  return noticesOf(before, event).map(({ kind, of, workspace_id }, index) => {
    const record =
      of === "before" && former !== undefined
        ? { ...numberView(after.id, former), status: "released", released_at: isoInstant(at) }
        : numberView(after.id, present)
    const charged =
      event._tag === "Renewed" || event._tag === "Claimed" ? { amount_minor: present.monthly_price_minor ?? 0 } : {}
    return publishedEvent(uuid(), {
      workspace_id,
      subject_id: after.id,
      sequence: first + index,
      at,
      number_id: after.id,
      payload: { kind, workspace_id, ...record, ...charged }
    })
  })
}

/** The members that the audit log shows. */
const audited = (data: NumberData | undefined) => {
  if (data === undefined) return undefined
  const { label, number, routing, source, status } = data
  return { number, status, source, label, routing }
}

const auditRows = ({ after, before, event }: NumberStep): ReadonlyArray<AuditRow> => {
  const [former, present] = [dataOf(before), dataOf(after)]
  const row = (
    origin: Origin,
    action_kind: AuditRow["action_kind"],
    workspace_id: WorkspaceId | null,
    values: { readonly before?: unknown; readonly after?: unknown }
  ): AuditRow =>
    auditRow(origin, {
      workspace_id,
      action_kind,
      target: { type: "number", id: after.id },
      at: timeOf(event),
      ...values
    })
  const both = { before: audited(former), after: audited(present) }
  const workspace_id = present?.workspace_id ?? null
  switch (event._tag) {
    case "Claimed": {
      const origin = former?.claim?.origin
      return origin === undefined ? [] : [row(origin, "number.claimed", workspace_id, { after: both.after })]
    }
    case "Registered":
      return [row(event.origin, "number.byo_registered", event.workspace_id, { after: both.after })]
    case "Removed":
      return [row(event.origin, "number.byo_removed", former?.workspace_id ?? null, { before: both.before })]
    case "Released":
      return [row(event.origin, "number.released", workspace_id, both)]
    case "RoutingChanged":
      return [row(event.origin, "number.routing_changed", workspace_id, both)]
    case "Reassigned": {
      const from = former?.workspace_id ?? null
      const moved = { before: { workspace_id: from }, after: { workspace_id: event.workspace_id } }
      return [from, event.workspace_id].map((id) => row(event.origin, "number.reassigned", id, moved))
    }
    case "Retired":
      return [row(event.origin, "number.retired", null, both)]
    default:
      return []
  }
}

/** Members of the state that have a column of the same name. */
const columns = [
  "number",
  "series_id",
  "status",
  "source",
  "country",
  "type",
  "locality",
  "capabilities",
  "label",
  "currency",
  "monthly_price_minor",
  "inbound_per_min_minor",
  "outbound_per_min_minor",
  "claimed_at",
  "renews_at",
  "past_due_since",
  "released_at"
] as const

const columnsOf = (data: NumberData): Readonly<Record<string, Column>> => ({
  ...Struct.pick(data, columns),
  routing: JSON.stringify(data.routing),
  reserved_for: data.claim?.workspace_id ?? null
})

export interface RecordedNumber {
  readonly workspace_id: WorkspaceId | null
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly events: ReadonlyArray<EventRow>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordNumber = ({ after, steps, uuid }: Change<PhoneNumber, NumberEvent>): RecordedNumber => {
  if (after._tag === "Absent") throw new Error(`Number ${after.id} does not exist: there is nothing to store`)
  const { data } = after
  return {
    workspace_id: data.workspace_id,
    state: numberState.write(data),
    columns: columnsOf(data),
    events: steps.flatMap((step) => eventRows(step, uuid)),
    audit: steps.flatMap(auditRows)
  }
}
