import { Context } from "effect"
import type { TargetPolicy } from "../../targets/TargetUrl.ts"

/** What the deployment allows as a target of what the engine sends, besides https to public hosts. */
export class AllowedTargets extends Context.Service<AllowedTargets, TargetPolicy>()(
  "trunkline/domain/ports/AllowedTargets"
) {}
