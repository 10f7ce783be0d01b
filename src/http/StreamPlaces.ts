import { Effect, type Scope } from "effect"
import { RateLimited } from "../domain/errors/GeneralErrors.ts"

/** Open streams that one API key may have in a process. */
const max_streams = 20

/** A place for a stream of the key, until the scope closes. */
export type TakePlace = (key_id: string) => Effect.Effect<void, RateLimited, Scope.Scope>

export const makeStreamPlaces = (): TakePlace => {
  const taken = new Map<string, number>()
  const take = (key_id: string) =>
    Effect.suspend(() => {
      const count = taken.get(key_id) ?? 0
      if (count >= max_streams) {
        return Effect.fail(new RateLimited({ message: `The API key has ${max_streams} streams open already.` }))
      }
      taken.set(key_id, count + 1)
      return Effect.void
    })
  const leave = (key_id: string) =>
    Effect.sync(() => {
      const left = taken.get(key_id)! - 1
      if (left === 0) taken.delete(key_id)
      else taken.set(key_id, left)
    })
  return (key_id) => Effect.acquireRelease(take(key_id), () => leave(key_id))
}
