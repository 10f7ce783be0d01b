// Finds the route that a request for an unknown path was probably meant for.
import { nearest } from "../../domain/text/Nearest.ts"
import type { KnownRoute } from "../request/PathIndex.ts"

/** Longer paths are not compared. */
const maxSegments = 8

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").slice(1)

/** What differs between a path and a route with as many segments; undefined if they are not near. */
const differences = (path: ReadonlyArray<string>, route: ReadonlyArray<string>): number | undefined => {
  let found = 0
  for (const [index, segment] of route.entries()) {
    const given = path[index] ?? ""
    if (segment.startsWith(":") || segment === given) continue
    if (nearest(given, [segment]) === undefined) return undefined
    found++
  }
  return found
}

/** The path of the route, with parameters as in the documentation. Undefined: no route is near. */
export const makeNearestRoute = (routes: Iterable<KnownRoute>): ((url: string) => string | undefined) => {
  const paths = [...new Set(Array.from(routes, ({ path }) => String(path)))]
  const byLength = Map.groupBy(
    paths.map((path) => ({ path, segments: segmentsOf(path) })),
    ({ segments }) => segments.length
  )
  return (url) => {
    const [path = ""] = url.split("?", 1)
    const given = segmentsOf(path.replace(/\/+$/, ""))
    if (given.length > maxSegments) return undefined
    // A path without its version is the most common mistake.
    const candidates = given[0] === "v1" ? [given] : [given, ["v1", ...given]]
    let found: { readonly path: string; readonly steps: number } | undefined
    for (const candidate of candidates) {
      for (const { path, segments } of byLength.get(candidate.length) ?? []) {
        const steps = differences(candidate, segments)
        if (steps !== undefined && steps < (found?.steps ?? Number.POSITIVE_INFINITY)) found = { path, steps }
      }
    }
    // A path that differs nowhere from a route has a faulty parameter, and no suggestion helps.
    if (found?.steps === 0 && found.path.includes(":")) return undefined
    return found?.path.replaceAll(/:(\w+)/g, "{$1}")
  }
}
