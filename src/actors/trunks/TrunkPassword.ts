import { sealContext, type SecretPlace } from "../shared/SealedResponse.ts"
import type { TrunkId, WorkspaceId } from "../../domain/BrandedIds.ts"

const place: SecretPlace = "sip_trunks/password"

/** What the sealed password of a trunk is bound to: it cannot be opened as the password of another trunk. */
export const trunkPasswordBound = (trunk_id: TrunkId, workspace_id: WorkspaceId): string =>
  sealContext(place, trunk_id, workspace_id)
