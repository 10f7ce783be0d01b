import { Context } from "effect"
import type { TargetPolicy } from "../../targets/TargetUrl.ts"

/** Where this deployment may send requests, besides https to public hosts. */
export class AllowedTargets extends Context.Service<AllowedTargets, TargetPolicy>()(
  "trunkline/domain/ports/AllowedTargets"
) {}
