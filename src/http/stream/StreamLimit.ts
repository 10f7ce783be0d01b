import { Context, Effect, Layer, Metric, type Scope } from "effect"
import { callerOf, type Principal } from "../../domain/access/Principal.ts"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { budgets } from "../../domain/limits/Budgets.ts"

const open = Metric.gauge("trunkline_streams_open", {
  description: "Live streams and connections of browsers that are open."
})

/** Reserves a stream for the holder until the scope closes. Fails with RateLimited if it has too many open. */
export type TakeSlot = (holder: string) => Effect.Effect<void, RateLimited, Scope.Scope>

/** `holder`: what the message of the refusal calls it. `counted`: changes the metric of open streams. */
export const makeStreamLimit = (
  max: number,
  holder: string,
  counted = (by: number) => Metric.modify(open, by)
): TakeSlot => {
  const taken = new Map<string, number>()
  const take = (caller: string) =>
    Effect.suspend(() => {
      const count = taken.get(caller) ?? 0
      if (count >= max) {
        return Effect.fail(new RateLimited({ message: `The ${holder} already has ${max} open streams.` }))
      }
      taken.set(caller, count + 1)
      return counted(1)
    })
  const release = (caller: string) =>
    Effect.suspend(() => {
      const count = (taken.get(caller) ?? 0) - 1
      if (count <= 0) taken.delete(caller)
      else taken.set(caller, count)
      return counted(-1)
    })
  return (caller) => Effect.acquireRelease(take(caller), () => release(caller))
}

const makeTake = () => {
  const ofWorkspace = makeStreamLimit(budgets.workspace_live_streams.limit, "workspace", () => Effect.void)
  const ofCaller = makeStreamLimit(budgets.live_streams.limit, "API key or session")
  return (principal: Principal) =>
    Effect.andThen(
      ofCaller(callerOf(principal)),
      principal.kind === "api_key" && principal.unlimited ? Effect.void : ofWorkspace(principal.account_id)
    )
}

/** The live streams of calls and of workspaces, which count together. */
export class StreamLimit extends Context.Service<
  StreamLimit,
  {
    /** Reserves a stream for the key or session, and for its workspace, until the scope closes. */
    readonly take: (principal: Principal) => Effect.Effect<void, RateLimited, Scope.Scope>
  }
>()("trunkline/http/StreamLimit") {
  static readonly layer = Layer.effect(
    StreamLimit,
    // The gauge exists before the first stream, so that a board shows 0.
    Effect.map(Metric.value(open), () => ({ take: makeTake() }))
  )
}
