import type { TrunkTarget } from "../pbx/TenantCommand.ts"
import type { TrunkDefinition } from "./TrunkRecord.ts"

/**
 * The definition of a trunk as the PBX gets it. `password` is the unsealed password; `addresses` are those of its host.
 */
export const trunkTarget = (
  definition: TrunkDefinition,
  password: string | null,
  addresses: ReadonlyArray<string>
): TrunkTarget => {
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
    ...(addresses.length > 0 && { addresses }),
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(realm !== null && { realm }),
    ...(expires_seconds !== null && { expires_seconds })
  }
}
