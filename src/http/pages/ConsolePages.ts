// Serves the built console: its page at every address of the console, and its files under names that have the hash of
// what is in them.
import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { namesTag } from "./FixedPage.ts"
import { htmlPage } from "./Page.ts"

/** A file with the compressed forms that were made when the console was built. */
export interface ConsoleFile {
  /** A quoted string that changes with the content. */
  readonly etag: string
  readonly content_type: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array | undefined
  readonly brotli: Uint8Array | undefined
}

export interface ConsoleFiles {
  readonly index: ConsoleFile
  /** By name. */
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

/** The addresses of the console. Each answers with the same page, which shows what its address says. */
const pages = [
  "/",
  "/sign-up",
  "/place",
  "/calls",
  "/calls/:id",
  "/numbers",
  "/numbers/:id",
  "/wallet",
  "/webhooks",
  "/keys",
  "/softphone",
  "/recordings",
  "/settings",
  "/operators",
  "/new-workspace"
] as const
const assets = "/assets/:name"
/** Where texts send people. */
const alias = "/console"

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** The page is asked for again at each load, and answered with 304 while it is the same. */
const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "microphone=(self), camera=(), geolocation=()",
  "x-content-type-options": "nosniff"
}

const assetHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff"
}

/** Whether a content coding is acceptable (RFC 9110, section 12.5.3): named, and not with a weight of 0. */
const accepts = (accepted: string, coding: string): boolean =>
  accepted.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

const formOf = (file: ConsoleFile, accepted: string) => {
  if (file.brotli !== undefined && accepts(accepted, "br")) return { coding: "br", bytes: file.brotli }
  if (file.gzip !== undefined && accepts(accepted, "gzip")) return { coding: "gzip", bytes: file.gzip }
  return { coding: undefined, bytes: file.plain }
}

const answer = (file: ConsoleFile, more: Readonly<Record<string, string>>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const { bytes, coding } = formOf(file, headers["accept-encoding"] ?? "")
    // Weak: the forms are equivalent, but not the same bytes (RFC 9110, section 8.8.1).
    const all = { ...more, etag: `W/${file.etag}`, vary: "accept, accept-encoding" }
    if (namesTag(headers["if-none-match"], [file.etag])) return HttpServerResponse.empty({ status: 304, headers: all })
    return HttpServerResponse.uint8Array(bytes, {
      contentType: file.content_type,
      headers: coding === undefined ? all : { ...all, "content-encoding": coding }
    })
  })

/** As if there were no such route, so that the client is told which one it may have meant. */
const unrouted = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))
)

/**
 * Whether the page answers a request. Browsers name the type. `curl` names none: it gets the page at `/`, where no path
 * of the API can be meant, and elsewhere is told which path of the API it may have misspelt.
 */
const wantsPage = (path: string, accept = "*/*"): boolean =>
  /\btext\/html\b/i.test(accept) || (path === "/" && /(?:\*|\btext)\/\*/i.test(accept))

/** Shown in place of a console that was not built: `npm ci --ignore-scripts` builds none. */
const notBuilt = htmlPage({
  title: "The console is not built",
  text: "Build it with npm run build, and start the engine again. The API reference is at /docs."
})

/** `files` is undefined if the console was not built. */
export const ConsolePages = (files: ConsoleFiles | undefined) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const page = files === undefined ? Effect.succeed(notBuilt) : answer(files.index, pageHeaders)
      const pageAt = (path: string) => (request: HttpServerRequest.HttpServerRequest) =>
        wantsPage(path, request.headers["accept"]) ? page : unrouted
      yield* Effect.forEach(pages, (path) => router.add("GET", path, pageAt(path)), { discard: true })
      yield* router.add("GET", alias, HttpServerResponse.redirect("/", { status: 302 }))
      yield* router.add("GET", assets, (request) => {
        const [path = ""] = request.url.split("?", 1)
        const file = files?.assets.get(path.slice(path.lastIndexOf("/") + 1))
        return file === undefined ? unrouted : answer(file, assetHeaders)
      })
    })
  )
