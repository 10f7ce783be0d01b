// Work of which a workspace does one piece at a time in this process: requests that come together could otherwise pass
// a limit that each of them reads. Workspaces do not wait for each other.
import { Effect, RcMap, Scope, Semaphore } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

export type OneAtATime = (
  workspace_id: WorkspaceId
) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The turns that workspaces have or wait for. A workspace is forgotten once its last piece of work has ended. */
export const makeTurns = RcMap.make({ lookup: (_: WorkspaceId) => Semaphore.make(1) })

/** Does one piece of work a workspace at a time, by these turns. */
export const inTurns =
  (turns: Effect.Success<typeof makeTurns>): OneAtATime =>
  (workspace_id) =>
  (effect) =>
    Effect.scopedWith((scope) =>
      RcMap.get(turns, workspace_id).pipe(
        Scope.provide(scope),
        Effect.flatMap((turn) => turn.withPermit(effect))
      )
    )

export const oneAtATime: Effect.Effect<OneAtATime, never, Scope.Scope> = Effect.map(makeTurns, inTurns)
