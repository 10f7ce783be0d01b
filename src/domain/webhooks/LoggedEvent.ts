import type { EventPosition } from "./EventPosition.ts"

/** How far back the events of a workspace can be read in order. */
export const eventLogReach_ms = 7 * 86_400_000

export interface LoggedEvent {
  readonly position: EventPosition
  readonly kind: string
  /** Epoch milliseconds. */
  readonly occurred_at: number
  readonly recorded_at: number
  /** JSON text. Null if the kind was not asked for. */
  readonly payload: string | null
}
