// `/docs`: the reference, with the program that shows it served from the engine. It loads nothing from other sites.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"

const path = "/docs"
export const scriptPath = "/docs/reference.js"

/** https://github.com/scalar/scalar/blob/main/documentation/configuration.md */
const configuration = {
  _integration: "html",
  url: "/openapi.json",
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: "api_key" },
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true }
}

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>trunkline: reference</title><link rel="icon" href="data:,"></head>
<body><div id="reference"></div><script src="${scriptPath}"></script></body>
</html>
`

const start = `
window.Scalar.createApiReference(document.getElementById("reference"), ${JSON.stringify(configuration)});
`

/** The script may talk to this engine only. It builds its styles, and tests whether it may build functions. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const script = /<script>([\s\S]*?)<\/script>/

/** The framework has the program within the page that it makes, and exports nothing else. */
const program = Effect.promise(async () => {
  const blank = HttpApiScalar.layer(HttpApi.make("reference"), { path })
  const { dispose, handler } = HttpRouter.toWebHandler(blank, { disableLogger: true })
  const text = await (await handler(new Request(`http://localhost${path}`))).text()
  await dispose()
  return script.exec(text)?.[1] ?? ""
})

const gzipped = (text: string) =>
  Effect.promise(() => new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer())

export const ReferencePage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const prepared = yield* Effect.cached(
      Effect.gen(function* () {
        const text = (yield* program) + start
        return { text, compressed: new Uint8Array(yield* gzipped(text)) }
      })
    )
    yield* router.add(
      "GET",
      path,
      HttpServerResponse.text(page, {
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": policy, "x-content-type-options": "nosniff" }
      })
    )
    yield* router.add("GET", scriptPath, (request) =>
      Effect.map(prepared, ({ compressed, text }) => {
        const contentType = "text/javascript; charset=utf-8"
        const headers = { vary: "accept-encoding", "cache-control": "public, max-age=86400" }
        return /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
          ? HttpServerResponse.uint8Array(compressed, {
              contentType,
              headers: { ...headers, "content-encoding": "gzip" }
            })
          : HttpServerResponse.text(text, { contentType, headers })
      })
    )
  })
)
