import type { NumberRecord } from "./NumberRecord.ts"
import type { KeptNumber } from "./PhoneNumber.ts"

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** A number as its workspace sees it. Inventory is shown to nobody in this form, nor is what was removed. */
export const numberView = (id: string, kept: KeptNumber): NumberRecord => ({
  id,
  number: kept.number,
  status: kept.status as NumberRecord["status"],
  source: kept.source,
  country: kept.country,
  type: kept.type,
  capabilities: kept.capabilities,
  label: kept.label,
  currency: kept.currency,
  monthly_price_minor: kept.monthly_price_minor,
  inbound_per_min_minor: kept.inbound_per_min_minor,
  outbound_per_min_minor: kept.outbound_per_min_minor,
  routing: kept.routing,
  claimed_at: instant(kept.claimed_at),
  renews_at: instant(kept.renews_at),
  past_due_since: instant(kept.past_due_since),
  released_at: instant(kept.released_at)
})
