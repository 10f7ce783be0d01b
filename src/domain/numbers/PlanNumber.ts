// The work of a number: its claim, its rental, its quarantine, the webhooks of its calls, and what ends when it leaves.
import { deadline, task, type Work } from "../Decision.ts"
import type { NumberMessage } from "./NumberCommand.ts"
import { isAssigned, quarantine_ms } from "./NumberStatus.ts"
import type { EventsTarget, Leaving, NumberClaim, NumberData, PhoneNumber } from "./PhoneNumber.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export type NumberWork =
  | { readonly _tag: "CompleteClaim"; readonly claim: NumberClaim }
  /** Tries once to pay for the month that is due. */
  | { readonly _tag: "PayRental" }
  | { readonly _tag: "SyncEventsUrl"; readonly change: EventsUrlChange }
  /** Ends the SIP credentials and the chat-app trunk of a former workspace. */
  | { readonly _tag: "EndCredentials"; readonly leaving: Leaving }

/**
 * Where a workspace receives the events of the number's calls, as the webhook subscriptions must know it. Null:
 * nowhere.
 */
export interface EventsUrlChange {
  readonly workspace_id: WorkspaceId
  readonly url: string | null
}

type Planned = Work<NumberMessage, NumberWork>

/** The request that changes a routing also tells the webhooks. The number does it only if the request did not. */
const syncAfter_ms = 10_000

const targetOf = ({ routing, status, workspace_id }: NumberData): EventsTarget | null =>
  workspace_id !== null && isAssigned(status) && routing.events_url !== null
    ? { workspace_id, url: routing.events_url }
    : null

/**
 * What the webhooks do not know yet, one step at a time: a former workspace comes first. Null: they know everything.
 */
export const pendingEventsUrl = (data: NumberData): EventsUrlChange | null => {
  const { told } = data
  const target = targetOf(data)
  if (told !== null && told.workspace_id !== target?.workspace_id) return { workspace_id: told.workspace_id, url: null }
  return target !== null && told?.url !== target.url ? target : null
}

const syncing = (data: NumberData): ReadonlyArray<Planned> => {
  const change = pendingEventsUrl(data)
  if (change === null) return []
  const key = `events:${change.workspace_id}:${change.url}`
  return [task(key, { _tag: "SyncEventsUrl", change }, data.routed_at + syncAfter_ms)]
}

const rental = (at: number): Planned => task(`rental:${at}`, { _tag: "PayRental" }, at)

const ending = (data: NumberData): ReadonlyArray<Planned> =>
  data.leaving.map((leaving) =>
    task(`end_credentials:${leaving.workspace_id}:${leaving.at}`, { _tag: "EndCredentials", leaving })
  )

const ofStatus = (data: NumberData): ReadonlyArray<Planned> => {
  switch (data.status) {
    case "available":
      return data.claim === null
        ? []
        : [task(`claim:${data.claim.entry_id}`, { _tag: "CompleteClaim", claim: data.claim })]
    case "active":
      return data.renews_at === null ? [] : [rental(data.renews_at)]
    case "past_due":
    case "suspended":
      return data.retry_at === null ? [] : [rental(data.retry_at)]
    case "released":
      return [deadline("quarantine", (data.released_at ?? 0) + quarantine_ms, { _tag: "QuarantineOver" })]
    case "retired":
    case "removed":
      return []
  }
}

export const planNumber = (state: PhoneNumber): ReadonlyArray<Planned> =>
  state._tag === "Absent" ? [] : [...ofStatus(state.data), ...ending(state.data), ...syncing(state.data)]
