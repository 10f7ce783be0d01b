import type { WorkspaceId } from "../BrandedIds.ts"
import type { NumberRecord } from "./NumberRecord.ts"

type Used =
  | "id"
  | "number"
  | "status"
  | "source"
  | "country"
  | "outbound_per_min_minor"
  | "inbound_per_min_minor"
  | "routing"

/** A number as the calls of its workspace use it. */
export type OwnedNumber = Pick<NumberRecord, Used>

/** A number with the workspace that has it now. */
export interface AssignedNumber extends OwnedNumber {
  readonly workspace_id: WorkspaceId
}
