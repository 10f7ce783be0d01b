// `/docs`: the reference, with the program that shows it served from the engine. It loads nothing from other sites.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { errorsPath } from "../../domain/errors/Envelope.ts"
import { guidesPath } from "./guides/Guide.ts"

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

/** The height tells the reference how much room the links above it take. */
const style =
  ":root{--scalar-custom-header-height:40px;color-scheme:light dark}body{margin:0}" +
  "body>nav{position:sticky;top:0;z-index:10;display:flex;gap:20px;align-items:center;height:40px;padding:0 20px;" +
  "font:14px system-ui,sans-serif;background:light-dark(#fff,#121518);border-bottom:1px solid light-dark(#e5e8eb,#22272c)}" +
  "body>nav a{color:light-dark(#0b57a4,#7fb8f2)}"

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>trunkline: reference</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><nav aria-label="Documentation"><a href="${guidesPath}">Guides</a><a href="${errorsPath}">Errors</a><a href="/">Console</a></nav><div id="reference"></div><script src="${scriptPath}"></script></body>
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

/** Made once, when it is asked for first. `FixedPages` compresses it. */
export const ReferencePage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const script = yield* Effect.cached(
      Effect.map(program, (text) =>
        HttpServerResponse.text(text + start, { contentType: "text/javascript; charset=utf-8" })
      )
    )
    yield* router.add(
      "GET",
      path,
      HttpServerResponse.text(page, {
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": policy, "x-content-type-options": "nosniff" }
      })
    )
    yield* router.add("GET", scriptPath, script)
  })
)
