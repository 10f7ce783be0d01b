import { instantOrNull } from "../kit/Instants.ts"
import { recordOf } from "../kit/RecordOf.ts"
import { NumberRecord } from "./NumberRecord.ts"
import type { NumberData } from "./PhoneNumber.ts"
import type { NumberId } from "../BrandedIds.ts"

/** The number as its workspace sees it. The caller makes sure that it is neither in inventory nor removed. */
export const numberView = (id: NumberId, data: NumberData): NumberRecord =>
  recordOf(NumberRecord, data, {
    id,
    status: data.status as NumberRecord["status"],
    claimed_at: instantOrNull(data.claimed_at),
    renews_at: instantOrNull(data.renews_at),
    past_due_since: instantOrNull(data.past_due_since),
    released_at: instantOrNull(data.released_at)
  })
