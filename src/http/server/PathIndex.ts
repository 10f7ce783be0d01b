// Tells which methods a path has. The router answers 404 for a known path with another method; that must be a 405.
import { FindMyWay, type HttpRouter } from "effect/http"

export interface KnownRoute {
  readonly method: string
  readonly path: HttpRouter.PathInput
}

/** Returns a function from URL to the methods of its path; an unknown path has none. */
export const makePathIndex = (routes: Iterable<KnownRoute>): ((url: string) => ReadonlyArray<string>) => {
  const methods = new Map<HttpRouter.PathInput, Array<string>>()
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  const index = FindMyWay.make<ReadonlyArray<string>>()
  for (const [path, allowed] of methods) index.on("GET", path, allowed.sort())
  return (url) => index.find("GET", url)?.handler ?? []
}
