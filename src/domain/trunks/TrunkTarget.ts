import type { TrunkTarget } from "../pbx/TenantCommand.ts"
import type { TrunkDefinition } from "./TrunkRecord.ts"

/** What the PBX is told of a trunk, with the password opened. */
export const trunkTarget = (definition: TrunkDefinition, password: string | null): TrunkTarget => {
  const {
    contact_email: _contact,
    expires_seconds,
    label: _label,
    password: _sealed,
    realm,
    username,
    ...rest
  } = definition
  return {
    ...rest,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(realm !== null && { realm }),
    ...(expires_seconds !== null && { expires_seconds })
  }
}
