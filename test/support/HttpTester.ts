// Requests to the server under test. Every answer is compared with the OpenAPI document.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { OpenApi } from "effect/http-api"
import { DocumentedApi } from "../../src/http/openapi/DocumentedApi.ts"
import { answerOf } from "./Conformance.ts"
import type { Document } from "./Fuzz.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** The code of an error envelope. */
  readonly code: string | undefined
}

export interface Question {
  readonly method?: string
  readonly path: string
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  /** Text and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
  /** Default: redirects are followed. */
  readonly redirect?: "manual"
}

export const origin = Effect.map(HttpServer.HttpServer, ({ address }) => {
  const { port } = address as unknown as { readonly port: number }
  return `http://127.0.0.1:${port}`
})

const document = OpenApi.fromApi(DocumentedApi)

const templates = Object.keys(document.paths)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`)
  }))
  .sort((a, b) => Number(a.template.includes("{")) - Number(b.template.includes("{")))

/** Status codes that are answered before the endpoint is known. */
const ofTheEdge = new Set(["not_found", "method_not_allowed", "internal_error", "service_unavailable"])

const assertDocumented = (method: string, path: string, status: number, code: string | undefined) => {
  const found = templates.find(({ pattern }) => pattern.test(path.replace(/\/+$/, "")))
  const operation =
    found &&
    (document.paths[found.template] as Record<string, { responses: Record<string, unknown> }>)[method.toLowerCase()]
  if (operation === undefined || (code !== undefined && ofTheEdge.has(code))) return
  const declared = answerOf(document as unknown as Document, operation, status)
  assert.isDefined(declared, `${method} ${path} answers ${status} ${code}, which its contract does not have`)
  if (code !== undefined)
    assert.include(JSON.stringify(declared), `"${code}"`, `${method} ${path} answers ${status} ${code}`)
}

const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> | null =>
  body === undefined
    ? null
    : typeof body === "string" || body instanceof Uint8Array
      ? (body as string | Uint8Array<ArrayBuffer>)
      : JSON.stringify(body)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends the request, and asserts what holds for every answer. */
export const ask = ({ body, headers, key, method = body === undefined ? "GET" : "POST", path, redirect }: Question) =>
  Effect.gen(function* () {
    const base = yield* origin
    const response = yield* Effect.promise((signal) =>
      fetch(base + path, {
        method,
        signal,
        redirect: redirect ?? "follow",
        body: bodyOf(body),
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers
        }
      })
    )
    const text = yield* Effect.promise(() => response.text())
    const json = parsed(text)
    const error = (json as { error?: { code: string; request_id: string; message: string } } | undefined)?.error
    const answer: Answer = { status: response.status, headers: response.headers, text, body: json, code: error?.code }
    assert.match(response.headers.get("x-request-id") ?? "none", uuid)
    assert.strictEqual(response.headers.get("x-service-version"), "2026-10-01")
    // Pages that mails link to are HTML for people, and not in the document.
    const is_page = response.headers.get("content-type") === "text/html; charset=utf-8"
    if (response.status >= 400 && method !== "HEAD" && !is_page) {
      assert.isDefined(error, `${method} ${path} answers ${response.status} without the envelope: ${text}`)
      assert.strictEqual(error!.request_id, response.headers.get("x-request-id"))
      assert.notMatch(text, /node_modules|\bat .*\.ts/, "a stack trace was sent")
    }
    assertDocumented(method, new URL(response.url).pathname, response.status, answer.code)
    return answer
  })

export const originateBody = {
  to: "+254711000001",
  from: "+254700000001",
  voice_callback_url: "https://example.com/voice"
}
