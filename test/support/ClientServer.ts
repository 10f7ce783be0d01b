// A `fetch` that plays the server, for tests of the client.
import { assert } from "@effect/vitest"

interface Seen {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly credentials: string | undefined
}

type Reply = Response | Error | "silence"

/** A `fetch` that gives these replies, one after the other, and then the last one again. */
export const server = (...replies: ReadonlyArray<Reply | ((seen: Seen) => Reply)>) => {
  const seen: Array<Seen> = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const request: Seen = {
      url: String(input),
      method: init.method ?? "GET",
      headers: init.headers as Record<string, string>,
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
      credentials: init.credentials
    }
    const reply = replies[Math.min(seen.length, replies.length - 1)]
    seen.push(request)
    const given = typeof reply === "function" ? reply(request) : reply
    if (given instanceof Error) throw given
    if (given instanceof Response) return given.clone()
    return await new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)))
  }
  return { fetch, seen }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

export const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(
    {
      error: {
        code,
        message: "No.",
        request_id: "r-1",
        doc_url: `/docs/errors#${code}`,
        details: [{ field: "/to", code: "required", message: "Missing." }],
        suggested_e164: "+254700000001"
      }
    },
    status,
    headers
  )

export const originate = { from: "+254700000001", to: "+254711000001", actions: [{ hangup: {} }] }

export const failure = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  return assert.fail("It did not fail")
}
