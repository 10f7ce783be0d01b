import { Context, Effect, Layer, Metric, type Scope } from "effect"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"

/** How many streams one API key may have open in a process. */
const max_streams = 20

const open = Metric.gauge("trunkline_streams_open", {
  description: "Live streams and connections of browsers that are open."
})

/** Reserves a stream for the key until the scope closes. Fails with RateLimited if it has too many open. */
export type TakeSlot = (caller: string) => Effect.Effect<void, RateLimited, Scope.Scope>

export const makeStreamLimit = (max = max_streams, holder = "API key"): TakeSlot => {
  const taken = new Map<string, number>()
  const counted = (by: number) => Metric.modify(open, by)
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

/** The live streams of calls and of workspaces, which count together. */
export class StreamLimit extends Context.Service<StreamLimit, { readonly take: TakeSlot }>()(
  "trunkline/http/StreamLimit"
) {
  static readonly layer = Layer.sync(StreamLimit, () => ({ take: makeStreamLimit() }))
}
