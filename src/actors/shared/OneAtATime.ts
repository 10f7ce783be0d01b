// Work of which a workspace does one piece at a time in this process: requests that come together could otherwise pass
// a limit that each of them reads. Workspaces do not wait for each other.
import { Effect, RcMap, Scope, Semaphore } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

export type OneAtATime = (
  workspace_id: WorkspaceId
) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const oneAtATime: Effect.Effect<OneAtATime, never, Scope.Scope> = Effect.map(
  RcMap.make({ lookup: (_: WorkspaceId) => Semaphore.make(1) }),
  (turns) => (workspace_id) => (effect) =>
    Effect.scopedWith((scope) =>
      RcMap.get(turns, workspace_id).pipe(
        Scope.provide(scope),
        Effect.flatMap((turn) => turn.withPermit(effect))
      )
    )
)
