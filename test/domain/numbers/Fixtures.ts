// Numbers in every status, for tests of the rules.
import type { NumberStatus } from "../../../src/domain/numbers/NumberStatus.ts"
import {
  type NumberData,
  type NumberTerms,
  type PresentNumber,
  unclaimed
} from "../../../src/domain/numbers/PhoneNumber.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"

export const number_id = numberId("0199a000-0000-7000-8000-0000000000f1")
export const mine = workspaceId("0199a000-0000-7000-8000-0000000000a1")
export const theirs = workspaceId("0199a000-0000-7000-8000-0000000000a2")
export const origin = systemOrigin
export const terms: NumberTerms = {
  currency: "KES",
  monthly_price_minor: 500,
  inbound_per_min_minor: 1,
  outbound_per_min_minor: 3
}
export const day_ms = 86_400_000
export const t0 = Date.parse("2027-01-31T10:00:00Z")

export const facts = {
  number: "+254207900100",
  series_id: "0199a000-0000-7000-8000-0000000000e1",
  source: "platform",
  country: "KE",
  type: "local",
  locality: "Nairobi",
  capabilities: ["voice"]
} as const

export const claim = { workspace_id: mine, terms, entry_id: "entry", origin, kept_under: null }

const owned: Partial<NumberData> = { workspace_id: mine, ...terms, claimed_at: t0, renews_at: t0 + 28 * day_ms }
const owing: Partial<NumberData> = { ...owned, charge_id: "entry", past_due_since: t0, retry_at: t0 + day_ms }

const byStatus: Readonly<Record<NumberStatus, Partial<NumberData>>> = {
  available: {},
  active: owned,
  past_due: owing,
  suspended: { ...owing, suspended_at: t0 },
  released: { ...owned, renews_at: null, released_at: t0 },
  retired: {},
  removed: { source: "byo" }
}

export const numberIn = (status: NumberStatus, change: Partial<NumberData> = {}): PresentNumber => ({
  _tag: "Present",
  id: number_id,
  data: { ...unclaimed(facts), ...byStatus[status], status, ...change }
})
