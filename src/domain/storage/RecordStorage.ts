// What is stored for a change of a storage: its state, its webhook events and its lines of the audit log.
import type { Change, Step as StepOf } from "../Decision.ts"
import { auditRow } from "../access/Origin.ts"
import type { AuditRow, EventRow } from "../journal/Rows.ts"
import { publishedEvent, type PublishedKind } from "../journal/PublishedEvent.ts"
import { recordOf } from "../kit/RecordOf.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { type Storage, type StorageEvent, storageState } from "./Storage.ts"
import { type RecordingUsage, StorageRecord } from "./StorageRecord.ts"
import { free_tier_mb, gbOfTier } from "./Tiers.ts"

type Step = StepOf<Storage, StorageEvent>

interface Announcement {
  readonly kind: Extract<PublishedKind, `storage.${string}`>
  readonly at: number
  readonly fields: Readonly<Record<string, unknown>>
}

const announcementOf = ({ after, before, event }: Step): Announcement | undefined => {
  const of = { workspace_id: after.id }
  switch (event._tag) {
    case "TierChanged": {
      const { at, charge_minor, currency, reason, tier_mb } = event
      const changed_at = isoInstant(at)
      const fields = {
        ...of,
        from_tier_mb: before.tier_mb,
        to_tier_mb: tier_mb,
        charge_minor,
        currency,
        reason,
        changed_at
      }
      return { kind: "storage.tier_changed", at, fields }
    }
    case "UsageHigh": {
      const { tier_mb, used_bytes } = after
      return {
        kind: "storage.usage_high",
        at: event.at,
        fields: { ...of, percent: event.percent, used_bytes, tier_mb }
      }
    }
    case "Evicted": {
      const { freed_bytes, recordings, used_bytes } = event
      const { tier_mb } = after
      if (recordings === 0) return undefined
      return {
        kind: "storage.recordings_evicted",
        at: event.at,
        fields: { ...of, recordings, freed_bytes, used_bytes, tier_mb }
      }
    }
    default:
      return undefined
  }
}

const eventRow = ({ after }: Step, { at, fields, kind }: Announcement, uuid: () => string): EventRow =>
  publishedEvent(uuid(), {
    workspace_id: after.id,
    subject_id: after.id,
    sequence: after.sequence,
    at,
    payload: { kind, ...fields }
  })

const auditOf = ({ after, before, event }: Step): ReadonlyArray<AuditRow> => {
  if (event._tag !== "TierChanged" && event._tag !== "Scheduled") return []
  const shown = ({ pending_tier_mb, tier_mb }: Storage) => ({ tier_mb, pending_tier_mb })
  return [
    auditRow(event.origin, {
      workspace_id: after.id,
      action_kind: "storage.tier_changed",
      target: { type: "storage", id: after.id },
      before: shown(before),
      after: shown(after),
      at: event.at
    })
  ]
}

export const recordStorage = ({ after, steps, uuid }: Change<Storage, StorageEvent>) => ({
  workspace_id: after.id,
  state: storageState.write(after),
  columns: {},
  events: steps.flatMap((step) => {
    const announcement = announcementOf(step)
    return announcement === undefined ? [] : [eventRow(step, announcement, uuid)]
  }),
  audit: steps.flatMap(auditOf)
})

/** The storage as customers see it. */
export const storageRecord = (
  storage: Storage,
  usage: RecordingUsage,
  workspace: Pick<StorageRecord, "retention_days" | "currency">
): StorageRecord => {
  const { past_due_since, pending_tier_mb, renews_at, tier_mb } = storage
  return recordOf(
    StorageRecord,
    { ...storage, ...workspace, ...usage },
    {
      tier_gb: gbOfTier(tier_mb),
      pending_reason: pending_tier_mb === null ? null : pending_tier_mb === free_tier_mb ? "downgrade" : "renewal",
      renews_at: instantOrNull(renews_at),
      past_due_since: instantOrNull(past_due_since),
      currency: storage.currency ?? workspace.currency
    }
  )
}
