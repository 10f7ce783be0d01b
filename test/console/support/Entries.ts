// Entries of timelines for tests.
import { toCallId } from "../../../src/domain/BrandedIds.ts"
import type { TimelineEntry } from "../../../src/domain/calls/views/TimelineEntry.ts"

const began_at = Date.parse("2026-11-20T10:00:00.000Z")

export const call_id = toCallId("call-1")
export const leg_id = toCallId("leg-1")

/** An entry so many milliseconds after the start. */
export const entry = (
  ms: number,
  kind: string,
  detail: Readonly<Record<string, unknown>> = {},
  more: Partial<TimelineEntry> = {}
): TimelineEntry => ({
  id: `${kind}@${ms}${more.call_id === undefined ? "" : ` ${more.call_id}`}`,
  caused_by: null,
  at: new Date(began_at + ms).toISOString(),
  call_id,
  kind,
  cause: "call: test",
  detail,
  ...more
})
