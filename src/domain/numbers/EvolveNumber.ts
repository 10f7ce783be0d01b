import type { PublishedKind } from "../journal/PublishedEvent.ts"
import { anniversary, dayOfMonth, type NumberTrigger, retry_ms, transitions } from "./NumberStatus.ts"
import {
  type NumberClaim,
  type NumberData,
  type NumberEvent,
  type PhoneNumber,
  unclaimed,
  unowned
} from "./PhoneNumber.ts"
import { defaultRouting } from "./Routing.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** A webhook event about a number. */
export interface NumberNotice {
  readonly kind: Extract<PublishedKind, `number.${string}`>
  /** The workspace whose subscriptions get it. */
  readonly workspace_id: WorkspaceId
  /** Whether it shows the number before or after the event. A former workspace sees the number as it had it. */
  readonly of: "before" | "after"
}

const notice = (
  kind: NumberNotice["kind"],
  workspace_id: WorkspaceId | null,
  of: NumberNotice["of"] = "after"
): ReadonlyArray<NumberNotice> => (workspace_id === null ? [] : [{ kind, workspace_id, of }])

/** The webhook events that follow from an event. A rental that stays unpaid makes none. */
export const noticesOf = (before: PhoneNumber, event: NumberEvent): ReadonlyArray<NumberNotice> => {
  const data = before._tag === "Present" ? before.data : undefined
  const owner = data?.workspace_id ?? null
  switch (event._tag) {
    case "Claimed":
      return notice("number.claimed", data?.claim?.workspace_id ?? null)
    case "Registered":
      return notice("number.claimed", event.workspace_id)
    case "Renewed":
      return notice("number.renewed", owner)
    case "Unpaid":
      return data?.status === "active" ? notice("number.past_due", owner) : []
    case "Suspended":
      return notice("number.suspended", owner)
    case "Released":
      return notice("number.released", owner)
    case "Removed":
      return notice("number.released", owner, "before")
    case "Reassigned":
      return [...notice("number.released", owner, "before"), ...notice("number.claimed", event.workspace_id)]
    case "RoutingChanged":
      return notice("number.routing_changed", owner)
    case "ClaimBegun":
    case "ClaimFailed":
    case "ChargeNamed":
    case "Returned":
    case "Retired":
    case "EventsUrlSynced":
    case "CredentialsEnded":
      return []
  }
}

const paidUp = { charge_id: null, retry_at: null, past_due_since: null, suspended_at: null } as const

/** The status after the trigger. A trigger that the status does not allow changes nothing. */
const moved = (data: NumberData, trigger: NumberTrigger): NumberData => ({
  ...data,
  status: transitions[data.status][trigger] ?? data.status
})

const claimed = (data: NumberData, { terms, workspace_id }: NumberClaim, at: number): NumberData => ({
  ...moved(data, "claim"),
  ...unowned,
  ...terms,
  workspace_id,
  claimed_at: at,
  routed_at: at,
  renews_at: anniversary(dayOfMonth(at), at)
})

const renewed = (data: NumberData, at: number): NumberData => ({
  ...moved(data, "paid"),
  ...paidUp,
  renews_at: anniversary(dayOfMonth(data.claimed_at ?? at), Math.max(at, data.renews_at ?? at))
})

const unpaid = (data: NumberData, at: number): NumberData => ({
  ...moved(data, "unpaid"),
  charge_id: null,
  past_due_since: data.past_due_since ?? at,
  retry_at: at + retry_ms
})

/** Adds the present workspace to those that the number is leaving. */
const leftWorkspace = ({ leaving, workspace_id }: NumberData, at: number): Pick<NumberData, "leaving"> => ({
  leaving: workspace_id === null ? leaving : [...leaving, { workspace_id, at }]
})

const released = (data: NumberData, at: number): NumberData => ({
  ...moved(data, "release"),
  ...leftWorkspace(data, at),
  ...paidUp,
  renews_at: null,
  routing: defaultRouting,
  routed_at: at,
  released_at: at
})

/** The new workspace gets the months that are paid. A month that is unpaid is charged to it at once. */
const reassigned = (
  data: NumberData,
  { at, terms, workspace_id }: Extract<NumberEvent, { _tag: "Reassigned" }>
): NumberData => ({
  ...moved(data, "reassign"),
  ...leftWorkspace(data, at),
  ...paidUp,
  ...terms,
  workspace_id,
  label: null,
  routing: defaultRouting,
  routed_at: at
})

const changed = (data: NumberData, event: Exclude<NumberEvent, { _tag: "Registered" }>): NumberData => {
  switch (event._tag) {
    case "ClaimBegun":
      return { ...data, claim: event.claim }
    case "ClaimFailed":
      return { ...data, claim: null }
    case "Claimed":
      return data.claim === null ? data : claimed(data, data.claim, event.at)
    case "ChargeNamed":
      return { ...data, charge_id: event.entry_id }
    case "Renewed":
      return renewed(data, event.at)
    case "Unpaid":
      return unpaid(data, event.at)
    case "Suspended":
      return { ...moved(data, "grace_over"), suspended_at: event.at }
    case "Released":
      return released(data, event.at)
    case "Returned":
      return { ...moved(data, "quarantine_over"), ...unowned }
    case "Reassigned":
      return reassigned(data, event)
    case "Retired":
      return { ...moved(data, "retire"), ...unowned }
    case "Removed":
      return { ...moved(data, "remove"), ...unowned, ...leftWorkspace(data, event.at), routed_at: event.at }
    case "RoutingChanged":
      return { ...data, routing: event.routing, label: event.label, routed_at: event.at }
    case "EventsUrlSynced":
      return { ...data, told: event.target }
    case "CredentialsEnded": {
      const { at, workspace_id } = event.leaving
      return { ...data, leaving: data.leaving.filter((one) => one.at !== at || one.workspace_id !== workspace_id) }
    }
  }
}

/** A number that was removed before keeps what its former workspaces still have to end. */
export const registeredData = (
  before: NumberData | undefined,
  { at, facts, label, routing, workspace_id }: Extract<NumberEvent, { _tag: "Registered" }>
): NumberData => ({
  ...unclaimed(facts),
  workspace_id,
  label,
  routing,
  status: "active",
  routed_at: at,
  claimed_at: at,
  leaving: before?.leaving ?? [],
  told: before?.told ?? null,
  sequence: before?.sequence ?? 0
})

/** The state after the event, without the count of webhook events. */
const dataAfter = (state: PhoneNumber, event: NumberEvent): NumberData | undefined => {
  const data = state._tag === "Present" ? state.data : undefined
  if (event._tag === "Registered") return registeredData(data, event)
  return data && changed(data, event)
}

export const evolveNumber = (state: PhoneNumber, event: NumberEvent): PhoneNumber => {
  const data = dataAfter(state, event)
  if (data === undefined) return state
  const sequence = data.sequence + noticesOf(state, event).length
  return { _tag: "Present", id: state.id, data: { ...data, sequence } }
}
