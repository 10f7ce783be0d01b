import { Context, Effect } from "effect"

/**
 * The workspace that a request was let in for. What it reads of the database is read as that workspace: rows of others
 * are not there, whatever the query says. Undefined outside of requests: the engine's own work is done for everybody.
 */
export const CurrentTenant = Context.Reference<string | undefined>("trunkline/domain/access/CurrentTenant", {
  defaultValue: () => undefined
})

/** For what the engine itself must know in the middle of a request: what it keeps in memory for all. */
export const forEverybody: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  CurrentTenant,
  undefined
)
