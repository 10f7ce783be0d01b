// The router says "not found" of a known path with another method, too. This knows better.
import { FindMyWay, type HttpRouter } from "effect/http"

export interface KnownRoute {
  readonly method: string
  readonly path: HttpRouter.PathInput
}

/** The methods that each path answers; none for an unknown path. */
export const makePathIndex = (routes: Iterable<KnownRoute>): ((url: string) => ReadonlyArray<string>) => {
  const methods = new Map<HttpRouter.PathInput, Array<string>>()
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  const index = FindMyWay.make<ReadonlyArray<string>>()
  for (const [path, allowed] of methods) index.on("GET", path, allowed.sort())
  return (url) => index.find("GET", url)?.handler ?? []
}
