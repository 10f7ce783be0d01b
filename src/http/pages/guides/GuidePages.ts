// `/docs/guides`: the pages of docs/ beside the reference. They run no script and load nothing.
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorsPath } from "../../../domain/errors/Envelope.ts"
import type { ServiceUnavailable } from "../../../domain/errors/GeneralErrors.ts"
import { answerFailure } from "../../request/AnswerFailure.ts"
import { escaped } from "../Page.ts"
import { queryMax, searchGuides, wordsOf } from "./GuideSearch.ts"
import { guideStyle, guideStyleHash } from "./GuideStyle.ts"
import { guidesPath, type Guides } from "./Guide.ts"

const headers = {
  "content-security-policy": `default-src 'none'; style-src '${guideStyleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "cache-control": "public, max-age=60, must-revalidate",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff"
}

const listOf = (guides: Guides, current: string | undefined): string =>
  [...guides]
    .map(([name, { title }]) => {
      const here = name === current ? ' aria-current="page"' : ""
      return `<li><a href="${guidesPath}/${name}"${here}>${escaped(title)}</a></li>`
    })
    .join("")

interface Shown {
  readonly title: string
  readonly body: string
  readonly current?: string
  readonly query?: string
}

const page = (guides: Guides, { body, current, query = "", title }: Shown): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)} · trunkline</title><link rel="icon" href="data:,"><style>${guideStyle}</style></head>
<body><header><a class="name" href="${guidesPath}">Guides</a><a href="/docs">API reference</a><a href="${errorsPath}">Errors</a><a href="/">Console</a>
<form role="search" action="${guidesPath}"><input type="search" name="q" maxlength="${queryMax}" aria-label="Search the guides" placeholder="Search" value="${escaped(query)}"><button>Search</button></form></header>
<div class="page"><nav aria-label="Guides"><ul>${listOf(guides, current)}</ul></nav><main>${body}</main></div></body></html>
`,
    { contentType: "text/html; charset=utf-8", headers }
  )

const resultsOf = (guides: Guides, query: string): string => {
  const found = searchGuides(guides, wordsOf(query))
  if (found.length === 0) return "<p>Nothing was found. Try fewer words.</p>"
  const rows = found.map(
    ({ excerpt, guide, id, name, title }) =>
      `<li><a href="${guidesPath}/${name}#${escaped(id)}">${escaped(title === guide ? guide : `${guide}: ${title}`)}</a><p>${escaped(excerpt)}</p></li>`
  )
  return `<ol class="found">${rows.join("")}</ol>`
}

const welcome = `<h1>Guides</h1><p>How to use the engine, subject by subject. The <a href="/docs">API reference</a> has every request, and the <a href="${errorsPath}">list of errors</a> every code.</p>`
const notInstalled = "<p>The guides are not installed here: the folder docs of the package is missing.</p>"

const indexOf = (guides: Guides, query: string | undefined) => {
  if (query !== undefined && query !== "")
    return page(guides, { title: "Search", query, body: `<h1>Search</h1>${resultsOf(guides, query)}` })
  const list = guides.size === 0 ? notInstalled : `<ul class="all">${listOf(guides, undefined)}</ul>`
  return page(guides, { title: "Guides", body: welcome + list })
}

const unknownGuide: Shown = { title: "No such guide", body: "<h1>No such guide</h1><p>Choose one from the list.</p>" }

const queryIn = ({ url }: HttpServerRequest.HttpServerRequest): string | undefined =>
  new URLSearchParams(url.split("?", 2)[1]).get("q")?.slice(0, queryMax)

/** While the guides cannot be made, their routes answer 503. */
export const GuidePages = (guides: Effect.Effect<Guides, ServiceUnavailable>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const answered = (show: (known: Guides) => HttpServerResponse.HttpServerResponse) =>
        Effect.catch(Effect.map(guides, show), answerFailure)
      yield* router.add("GET", guidesPath, (request) => answered((known) => indexOf(known, queryIn(request))))
      yield* router.add("GET", `${guidesPath}/:name`, () =>
        Effect.flatMap(HttpRouter.params, ({ name = "" }) =>
          answered((known) => {
            const guide = known.get(name)
            if (guide === undefined) return HttpServerResponse.setStatus(page(known, unknownGuide), 404)
            return page(known, { title: guide.title, body: guide.html, current: name })
          })
        )
      )
    })
  )
