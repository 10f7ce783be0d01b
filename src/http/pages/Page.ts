// The HTML of the pages that mails link to. They run no script, load nothing and are never cached.
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Catalog } from "../../domain/errors/Catalog.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}" +
  "button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1a56db;color:#fff;cursor:pointer}"

const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // "no-referrer" would send the form with the origin "null", which looks like another site's in old browsers.
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

/** A page that shows text alone. */
export const document = (title: string, body: string) => ({
  headers,
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${style}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>
`
})

export interface PageContent {
  readonly title: string
  readonly text: string
  /** A button that posts the token to the page's own address. */
  readonly action?: { readonly label: string; readonly path: string; readonly token: string }
  readonly links?: ReadonlyArray<{ readonly label: string; readonly path: string }>
}

export const htmlPage = (
  { action, links = [], text, title }: PageContent,
  status = 200
): HttpServerResponse.HttpServerResponse => {
  const form =
    action === undefined
      ? ""
      : `<form method="post" action="${escaped(action.path)}">
<input type="hidden" name="token" value="${escaped(action.token)}"><button>${escaped(action.label)}</button></form>`
  const anchors = links.map(({ label, path }) => `<p><a href="${escaped(path)}">${escaped(label)}</a></p>`).join("")
  const { html } = document(title, `<p>${escaped(text)}</p>${form}${anchors}`)
  return HttpServerResponse.text(html, { status, contentType: "text/html; charset=utf-8", headers })
}

/** An error as a page for people, instead of the JSON envelope. */
export const refusalPage = (title: string, error: unknown): HttpServerResponse.HttpServerResponse => {
  const failure = error instanceof Failure ? error : new ServiceUnavailable()
  const { message, resolution = "" } = failure
  return htmlPage({ title, text: `${message} ${resolution}` }, Catalog.get(failure._tag)?.status ?? 500)
}

const tokenIn = (text: string | undefined): string => new URLSearchParams(text).get("token") ?? ""

/** The token in the query of a link. */
export const tokenInUrl = ({ url }: HttpServerRequest.HttpServerRequest): string => tokenIn(url.split("?", 2)[1])

/** The token that the form of a page has sent. */
export const tokenInForm = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
  Effect.match(request.text, { onFailure: () => "", onSuccess: tokenIn })
