// The few pages that links in mails lead to. They run no script, load nothing, and are kept by nobody.
import { HttpServerResponse } from "effect/http"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

const style = "body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}"
  + "button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1a56db;color:#fff;cursor:pointer}"

const headers = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

export interface PageContent {
  readonly title: string
  readonly text: string
  /** A button that posts the token to the page's own address. */
  readonly action?: { readonly label: string; readonly path: string; readonly token: string }
}

export const htmlPage = ({ action, text, title }: PageContent, status = 200): HttpServerResponse.HttpServerResponse => {
  const form = action === undefined ? "" : `<form method="post" action="${escaped(action.path)}">
<input type="hidden" name="token" value="${escaped(action.token)}"><button>${escaped(action.label)}</button></form>`
  return HttpServerResponse.text(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${style}</style></head><body><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</body></html>
`,
    { status, contentType: "text/html; charset=utf-8", headers }
  )
}
