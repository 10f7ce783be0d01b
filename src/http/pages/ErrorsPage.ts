// The page to which the `doc_url` of an error leads: every code with its meaning.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Families } from "../../domain/errors/Catalog.ts"
import { errorsPath } from "../../domain/errors/Envelope.ts"
import type { FailureClass } from "../../domain/errors/Failure.ts"
import { guidesPath } from "./guides/Guide.ts"
import { document, escaped } from "./Page.ts"

/** The text of an error as HTML. Names in it are between backticks. */
const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

const entry = ({ code, resolution = "", status, summary }: FailureClass): string =>
  `<dt id="${escaped(code)}"><code>${escaped(code)}</code>${status === null ? "" : ` (${status})`}</dt>
<dd>${prose(summary)} ${prose(resolution)}</dd>`

const section = ([title, classes]: readonly [string, ReadonlyArray<FailureClass>]): string =>
  `<h2>${escaped(title)}</h2>\n<dl>\n${classes.map(entry).join("\n")}\n</dl>`

const links = `<p><a href="/docs">API reference</a> · <a href="${guidesPath}">Guides</a></p>\n`

const page = document("Errors", links + Families.map(section).join("\n"))

export const ErrorsPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add(
      "GET",
      errorsPath,
      HttpServerResponse.text(page.html, { contentType: "text/html; charset=utf-8", headers: page.headers })
    )
  })
)
