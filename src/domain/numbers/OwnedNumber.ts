import type { Routing } from "./Routing.ts"
import type { NumberId, WorkspaceId } from "../BrandedIds.ts"

/** A number as the calls of its workspace use it. */
export interface OwnedNumber {
  readonly id: NumberId
  readonly number: string
  readonly status: "active" | "past_due" | "suspended" | "released" | "retired"
  /** `byo`: its calls go over the workspace's own trunk, at rates of their own. */
  readonly source: "platform" | "byo"
  readonly country: string
  readonly outbound_per_min_minor: number | null
  readonly inbound_per_min_minor: number | null
  /** What becomes of its inbound calls. */
  readonly routing: Routing
}

/** A number with the workspace that has it now. */
export interface AssignedNumber extends OwnedNumber {
  readonly workspace_id: WorkspaceId
}
