// What a promise of the interface is checked with: requests to a deployment, from outside.
import type { Trunkline } from "../../client/Client.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a deployment answers is not known
  readonly body: any
}

export interface Asked {
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Null sends no key. Default: the key of the command. */
  readonly key?: string | null
}

export interface World {
  readonly baseUrl: string
  readonly key: string
  readonly client: Trunkline
  /** A number of the workspace. */
  readonly from: string
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Answer>
  readonly signal: AbortSignal
}

/** A promise of the interface. `check` returns what is wrong; undefined: it is kept. */
export interface Kept {
  readonly area: string
  /** What the interface says, as a sentence. */
  readonly says: string
  readonly check: (world: World) => Promise<string | undefined>
}

const longest_ms = 30_000

export const makeAsk =
  (baseUrl: string, ownKey: string, signal: AbortSignal): World["ask"] =>
  async (method, path, { body, headers = {}, key = ownKey, raw } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { "content-type": "application/json" }),
        ...headers
      },
      ...(sent !== undefined && { body: sent }),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(longest_ms)])
    })
    const text = await response.text()
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      parsed = undefined
    }
    return { status: response.status, headers: response.headers, text, body: parsed }
  }

/** What is wrong with an answer that should be this error in the error envelope. */
export const notError = ({ body, headers, status }: Answer, expected: number, code: string): string | undefined => {
  const error = body?.error
  if (status !== expected) return `${expected} expected, ${status} ${String(error?.code ?? "")} came`.trim()
  if (error?.code !== code) return `the code is ${String(error?.code)}, not ${code}`
  if (typeof error.message !== "string" || error.message === "") return "the error has no message"
  if (typeof error.request_id !== "string") return "the error has no request_id"
  const header = headers.get("x-request-id")
  return header === null || header === error.request_id ? undefined : "X-Request-Id differs from request_id"
}

export const expected = (isKept: boolean, fault: string): string | undefined => (isKept ? undefined : fault)
