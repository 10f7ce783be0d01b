// What must be going on while a number is as it is: its claim, its rental, its deadlines, and its webhooks' knowledge of it.
import { deadline, task, type Work } from "../Decision.ts"
import type { NumberCommand } from "./NumberCommand.ts"
import { isAssigned, quarantine_ms } from "./NumberStatus.ts"
import type { EventsTarget, KeptNumber, Leaving, NumberClaim, PhoneNumber } from "./PhoneNumber.ts"

export type NumberWork =
  | { readonly _tag: "CompleteClaim"; readonly claim: NumberClaim }
  /** One attempt to pay for the month that is due. */
  | { readonly _tag: "PayRental" }
  | { readonly _tag: "TellEvents"; readonly owed: OwedTelling }
  /** What a workspace had of it ends: SIP credentials, and its place in the chat app. */
  | { readonly _tag: "EndCredentials"; readonly left: Leaving }

/** What the webhooks have to be told: that the events of the number go there, or, of a workspace, nowhere. */
export interface OwedTelling {
  readonly workspace_id: string
  readonly url: string | null
}

type Planned = Work<NumberCommand, NumberWork>

/** Who changes a routing tells the webhooks at once. Should they not come to it, the number does it so much later. */
const telling_after_ms = 10_000

const wanted = ({ routing, status, workspace_id }: KeptNumber): EventsTarget | null =>
  workspace_id !== null && isAssigned(status) && routing.events_url !== null
    ? { workspace_id, url: routing.events_url }
    : null

/** What the webhooks do not know yet, one step at a time: a former workspace is told first. */
export const owedTelling = (kept: KeptNumber): OwedTelling | null => {
  const { told } = kept
  const target = wanted(kept)
  if (told !== null && told.workspace_id !== target?.workspace_id) return { workspace_id: told.workspace_id, url: null }
  return target !== null && told?.url !== target.url ? target : null
}

const telling = (kept: KeptNumber): ReadonlyArray<Planned> => {
  const owed = owedTelling(kept)
  return owed === null
    ? []
    : [task(`events:${owed.workspace_id}:${owed.url}`, { _tag: "TellEvents", owed }, kept.routed_at + telling_after_ms)]
}

const rental = (at: number): Planned => task(`rental:${at}`, { _tag: "PayRental" }, at)

const ending = ({ leaving }: KeptNumber): ReadonlyArray<Planned> =>
  leaving.map((left) => task(`end_credentials:${left.workspace_id}:${left.at}`, { _tag: "EndCredentials", left }))

const ofStatus = (kept: KeptNumber): ReadonlyArray<Planned> => {
  switch (kept.status) {
    case "available":
      return kept.claim === null
        ? []
        : [task(`claim:${kept.claim.entry_id}`, { _tag: "CompleteClaim", claim: kept.claim })]
    case "active":
      return kept.renews_at === null ? [] : [rental(kept.renews_at)]
    case "past_due":
    case "suspended":
      return kept.retry_at === null ? [] : [rental(kept.retry_at)]
    case "released":
      return [deadline("quarantine", (kept.released_at ?? 0) + quarantine_ms, { _tag: "QuarantineOver" })]
    case "retired":
    case "removed":
      return []
  }
}

export const planNumber = ({ kept }: PhoneNumber): ReadonlyArray<Planned> =>
  kept === null ? [] : [...ofStatus(kept), ...ending(kept), ...telling(kept)]
