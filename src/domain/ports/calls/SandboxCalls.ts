import { Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"
import type { CallRateLimited } from "../../errors/CallErrors.ts"

/** Counts the calls that the sandboxes of one person place, for all processes together. */
export class SandboxCalls extends Context.Service<
  SandboxCalls,
  {
    /** Counts a call. Fails if the person has placed as many as a day allows. */
    readonly count: (sandbox_id: WorkspaceId) => Effect.Effect<void, CallRateLimited>
  }
>()("trunkline/domain/ports/SandboxCalls") {
  /** For tests, and for engines that live as long as one: nothing is counted. */
  static readonly none = Layer.succeed(SandboxCalls)({ count: () => Effect.void })
}
