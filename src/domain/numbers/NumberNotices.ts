// What the subscriptions of a workspace are told of its numbers.
import type { EventKind } from "../webhooks/EventTable.ts"
import type { KeptNumber, NumberEvent } from "./PhoneNumber.ts"

export interface NumberNotice {
  readonly kind: Extract<EventKind, `number.${string}`>
  /** Who is told. */
  readonly workspace_id: string
  /** It is about the number as its former workspace had it. */
  readonly of: "before" | "after"
}

const notice = (
  kind: NumberNotice["kind"],
  workspace_id: string | null,
  of: NumberNotice["of"] = "after"
): ReadonlyArray<NumberNotice> => (workspace_id === null ? [] : [{ kind, workspace_id, of }])

/** What follows from an event, by the number as it was before it. A rental that is still unpaid is no news. */
export const noticesOf = (kept: KeptNumber | null, event: NumberEvent): ReadonlyArray<NumberNotice> => {
  const owner = kept?.workspace_id ?? null
  switch (event._tag) {
    case "Claimed":
      return notice("number.claimed", kept?.claim?.workspace_id ?? null)
    case "Registered":
      return notice("number.claimed", event.workspace_id)
    case "Renewed":
      return notice("number.renewed", owner)
    case "Unpaid":
      return kept?.status === "active" ? notice("number.past_due", owner) : []
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
    case "EventsTold":
    case "CredentialsEnded":
      return []
  }
}
