// Which calls a list shows. An absent member does not restrict it.
import type { NumberId } from "../../BrandedIds.ts"
import type { CallRecord } from "../state/CallRecord.ts"

export interface CallFilter {
  readonly status?: string
  readonly direction?: string
  readonly from?: string
  readonly to?: string
  readonly number_id?: NumberId
  readonly client_reference?: string
  /** Epoch milliseconds; at or after. */
  readonly created_after?: number
  /** Epoch milliseconds; before. */
  readonly created_before?: number
}

/** The members that a call must have with the same value. */
const equal = ["status", "direction", "from", "to", "number_id", "client_reference"] as const

type Filtered = Pick<CallRecord, (typeof equal)[number] | "created_at">

/** Whether a list with the filter shows the call. */
export const isChosen = (call: Filtered, filter: CallFilter): boolean => {
  const { created_after = Number.NEGATIVE_INFINITY, created_before = Number.POSITIVE_INFINITY } = filter
  const at = Date.parse(call.created_at)
  return (
    equal.every((name) => filter[name] === undefined || call[name] === filter[name]) &&
    at >= created_after &&
    at < created_before
  )
}
