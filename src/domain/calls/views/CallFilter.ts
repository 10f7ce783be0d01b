// Which calls a list shows. An absent member does not restrict it.
import type { NumberId } from "../../BrandedIds.ts"

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
