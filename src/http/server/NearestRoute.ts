// Finds the route that a request for an unknown path was probably meant for.
import { type Candidate, candidate, nearestOf } from "../../domain/text/Nearest.ts"
import type { KnownRoute } from "../request/PathIndex.ts"

/** Longer paths are not compared. */
const maxSegments = 8

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").slice(1)

/** The routes that begin with the same segments. Each different segment is compared once, however many have it. */
interface Branch {
  readonly names: Map<string, Named>
  parameter: Branch | undefined
  /** The route that ends here. `place`: among all routes. */
  route: { readonly path: string; readonly place: number } | undefined
}

interface Named {
  readonly branch: Branch
  /** In a list, as `nearestOf` reads it. */
  readonly candidates: readonly [Candidate]
}

interface Found {
  readonly path: string
  readonly place: number
  readonly steps: number
}

const emptyBranch = (): Branch => ({ names: new Map(), parameter: undefined, route: undefined })

const branchOf = (branch: Branch, segment: string): Branch => {
  if (segment.startsWith(":")) return (branch.parameter ??= emptyBranch())
  const known = branch.names.get(segment)
  if (known !== undefined) return known.branch
  const named: Named = { branch: emptyBranch(), candidates: [candidate(segment)] }
  branch.names.set(segment, named)
  return named.branch
}

const makeTree = (paths: ReadonlyArray<string>): Branch => {
  const tree = emptyBranch()
  for (const [place, path] of paths.entries()) {
    let branch = tree
    for (const segment of segmentsOf(path)) branch = branchOf(branch, segment)
    branch.route ??= { path, place }
  }
  return tree
}

const better = (a: Found | undefined, b: Found | undefined): Found | undefined => {
  if (a === undefined || b === undefined) return a ?? b
  return b.steps < a.steps || (b.steps === a.steps && b.place < a.place) ? b : a
}

/**
 * The route with as many segments of which the fewest differ, and the first of those. Segments that differ must be
 * near. `steps`: how many differ so far; `found`: the best of the other branches.
 */
const search = (
  branch: Branch,
  path: ReadonlyArray<string>,
  index: number,
  steps: number,
  found: Found | undefined
): Found | undefined => {
  if (steps > (found?.steps ?? Number.POSITIVE_INFINITY)) return found
  const segment = path[index]
  if (segment === undefined) return better(found, branch.route && { ...branch.route, steps })
  let best = found
  const same = branch.names.get(segment)
  if (same !== undefined) best = search(same.branch, path, index + 1, steps, best)
  if (branch.parameter !== undefined) best = search(branch.parameter, path, index + 1, steps, best)
  for (const named of branch.names.values())
    if (named !== same && nearestOf(segment, named.candidates) !== undefined)
      best = search(named.branch, path, index + 1, steps + 1, best)
  return best
}

/** The path of the route, with parameters as in the documentation. Undefined: no route is near. */
export const makeNearestRoute = (routes: Iterable<KnownRoute>): ((url: string) => string | undefined) => {
  const tree = makeTree([...new Set(Array.from(routes, ({ path }) => String(path)))])
  return (url) => {
    const [path = ""] = url.split("?", 1)
    const given = segmentsOf(path.replace(/\/+$/, ""))
    if (given.length > maxSegments) return undefined
    let found = search(tree, given, 0, 0, undefined)
    if (given[0] !== "v1") {
      // A path without its version is the most common mistake.
      const versioned = search(tree, ["v1", ...given], 0, 0, undefined)
      if (versioned !== undefined && versioned.steps < (found?.steps ?? Number.POSITIVE_INFINITY)) found = versioned
    }
    // A path that differs nowhere from a route has a faulty parameter, and no suggestion helps.
    if (found?.steps === 0 && found.path.includes(":")) return undefined
    return found?.path.replaceAll(/:(\w+)/g, "{$1}")
  }
}
