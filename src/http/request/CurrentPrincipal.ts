import { Context } from "effect"
import type { Principal } from "../../domain/access/Principal.ts"

/** Who makes the request being served. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "trunkline/http/CurrentPrincipal"
) {}
