import { Context, type Effect } from "effect"
import type { Principal } from "../../domain/access/Principal.ts"

/** Who makes the request being served. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "trunkline/http/CurrentPrincipal"
) {}

/**
 * Whether the credential of the request being served still admits its principal: a key until it expires or is revoked,
 * a session until it ends or moves to another workspace. A response that lasts asks before each thing that it tells.
 */
export class StillAdmitted extends Context.Service<StillAdmitted, Effect.Effect<boolean>>()(
  "trunkline/http/StillAdmitted"
) {}
