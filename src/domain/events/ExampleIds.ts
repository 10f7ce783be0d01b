// Values that the example payloads share.
import { toNumberId, toWorkspaceId } from "../BrandedIds.ts"

export const workspace_id = toWorkspaceId("01981d5e-0000-7000-8000-000000000001")
export const number_id = toNumberId("01981d5e-0000-7000-8000-000000000002")
export const at = "2026-10-01T12:00:00.000Z"
