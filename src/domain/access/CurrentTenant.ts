import { Context, Effect } from "effect"
import type { WorkspaceId } from "../BrandedIds.ts"

/**
 * The workspace of the current request. Row security hides the rows of all others, whatever a query selects. Undefined
 * outside of requests: the engine's own work may read every workspace.
 */
export const CurrentTenant = Context.Reference<WorkspaceId | undefined>("trunkline/domain/access/CurrentTenant", {
  defaultValue: () => undefined
})

/** Reads for all workspaces in the middle of a request, for caches that all requests share. */
export const forEverybody: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  CurrentTenant,
  undefined
)

/** Whether a read must not wait behind the other reads of its workspace. */
export const IsUrgent = Context.Reference<boolean>("trunkline/domain/access/IsUrgent", { defaultValue: () => false })

/** Reads for what a busy workspace must still be able to do: to hang up costs it less than to wait. */
export const urgently: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  IsUrgent,
  true
)
