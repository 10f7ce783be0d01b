// Large pages that stay the same while the process runs. Their bytes are made once and shared by all responses.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse

/** The bytes of a page in each coding, with their entity tags (RFC 9110, section 8.8.3). */
interface Page {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly plain_tag: string
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly gzip_tag: string
}

/** Caches may keep a page for a minute, and ask after that whether it is still the same. */
const cacheControl = "public, max-age=60, must-revalidate"

const compressed = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const body = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))
  return new Uint8Array(await new globalThis.Response(body).arrayBuffer())
}

const pageOf = async (plain: Uint8Array<ArrayBuffer>): Promise<Page> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", plain))
  const tag = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")
  return { plain, plain_tag: `"${tag}"`, gzip: await compressed(plain), gzip_tag: `"${tag}-gzip"` }
}

/** Whether the client takes gzip (RFC 9110, section 12.5.3). */
export const takesGzip = (acceptEncoding: string | undefined): boolean => {
  const weights = new Map<string, number>()
  for (const item of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith("q="))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0
}

/** Whether the header If-None-Match names one of the tags (RFC 9110, section 13.1.2). */
export const namesTag = (ifNoneMatch: string | undefined, tags: ReadonlyArray<string>): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((given) => {
    const tag = given.trim().replace(/^W\//, "")
    return tag === "*" || tags.includes(tag)
  })

const responseWith = (original: Response, page: Page, { headers }: HttpServerRequest.HttpServerRequest): Response => {
  const gzip = takesGzip(headers["accept-encoding"])
  const { "content-length": _, ...own } = original.headers
  const common = {
    ...own,
    etag: gzip ? page.gzip_tag : page.plain_tag,
    "cache-control": cacheControl,
    vary: "accept-encoding"
  }
  if (namesTag(headers["if-none-match"], [page.plain_tag, page.gzip_tag]))
    return HttpServerResponse.empty({ status: 304, headers: common })
  return HttpServerResponse.uint8Array(gzip ? page.gzip : page.plain, {
    headers: { ...common, ...(gzip && { "content-encoding": "gzip" }) }
  })
}

/** For routes that always answer with the same response: sends it compressed and with an entity tag. */
export const FixedPages = HttpRouter.middleware(
  Effect.sync(() => {
    const pages = new WeakMap<Response, Promise<Page>>()
    const pageFor = (response: Response, bytes: Uint8Array): Promise<Page> => {
      const page = pages.get(response) ?? pageOf(new Uint8Array(bytes))
      pages.set(response, page)
      return page
    }
    return <E, R>(httpEffect: Effect.Effect<Response, E, R>) =>
      Effect.gen(function* () {
        const response = yield* httpEffect
        const { body } = response
        if (response.status !== 200 || body._tag !== "Uint8Array") return response
        const page = yield* Effect.promise(() => pageFor(response, body.body))
        return responseWith(response, page, yield* HttpServerRequest.HttpServerRequest)
      })
  })
)
