// Tells which methods a path has. The router answers 404 for a known path with another method; that must be a 405.
import { FindMyWay, type HttpRouter } from "effect/http"

export interface KnownRoute {
  readonly method: string
  readonly path: HttpRouter.PathInput
}

/**
 * Each route has one spelling. A proxy in front decides by the path, so nobody may write a path in a way that the
 * proxy's rules do not know.
 */
export const exactPaths = { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: false } as const

/** An escape of a character that needs none (RFC 3986, section 2.3). */
const needlessEscape = /%(?:2[DdEe]|3\d|4[1-9A-Fa-f]|5[\dAaFf]|6[1-9A-Fa-f]|7[\dAaEe])/
const otherSpelling = /[;#\\]|\/\/|\/\.{0,2}$|\/\.{1,2}\//

/** Whether the path is written as no route is: with parameters, dot segments, empty segments or needless escapes. */
export const isMisspelt = (url: string): boolean => {
  const [path = ""] = url.replace(/^https?:\/\/[^/?#]*/i, "").split("?", 1)
  return path !== "/" && (otherSpelling.test(path) || needlessEscape.test(path))
}

/** Returns a function from URL to the methods of its path; an unknown path has none. */
export const makePathIndex = (routes: Iterable<KnownRoute>): ((url: string) => ReadonlyArray<string>) => {
  const methods = new Map<HttpRouter.PathInput, Array<string>>()
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  const index = FindMyWay.make<ReadonlyArray<string>>(exactPaths)
  for (const [path, allowed] of methods) index.on("GET", path, allowed.sort())
  return (url) => (isMisspelt(url) ? [] : (index.find("GET", url)?.handler ?? []))
}
