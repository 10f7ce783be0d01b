import type { EventRow } from "../journal/Rows.ts"

interface Told {
  readonly workspace_id: string
  readonly subject_id: string
  readonly sequence: number
  /** Epoch milliseconds. */
  readonly at: number
  /** Set for what subscriptions that filter by numbers are to get. */
  readonly number_id?: string | null
  readonly payload: { readonly kind: string } & Readonly<Record<string, unknown>>
}

/** What subscriptions are told of anything but a call, whose log is its own. */
export const publishedEvent = (
  id: string,
  { at, number_id = null, payload, sequence, subject_id, workspace_id }: Told
): EventRow => ({
  id,
  workspace_id,
  subject_id,
  sequence,
  kind: payload.kind,
  occurred_at: at,
  late: false,
  payload: JSON.stringify(payload),
  number_id,
  fan_out: true
})
