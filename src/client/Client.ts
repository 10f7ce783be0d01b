// `trunkline/client`: the API with promises, for Node, Bun, Deno and browsers. It depends on nothing but `fetch`.
import { EventStream, type StreamOptions } from "./EventStream.ts"
import { routes } from "./generated/Routes.ts"
import type { Operations } from "./generated/Operations.ts"
import type { CallRecord, CallStreamEvent, CallWithEvents, TopUp } from "./generated/Types.ts"
import type { ReadOptions, TrunklineOptions, WriteOptions } from "./Options.ts"
import { type Page, Pages } from "./Pages.ts"
import { type Answer, type Result, started } from "./Result.ts"
import { sleep, Transport } from "./Transport.ts"

export * from "./Errors.ts"
export type { Operations } from "./generated/Operations.ts"
export type * from "./generated/Types.ts"
export type { StreamOptions } from "./EventStream.ts"
export { EventStream } from "./EventStream.ts"
export type { ReadOptions, RequestLog, TrunklineOptions, WriteOptions } from "./Options.ts"
export { type Page, Pages } from "./Pages.ts"
export { type Answer, Result } from "./Result.ts"

type CallStatus = CallRecord["status"]
type Method = (...given: ReadonlyArray<unknown>) => unknown

/** What the client adds to the operations of the contract. */
interface Conveniences {
  readonly calls: {
    /**
     * Waits until the call has this status, or has ended, and returns it. A call that ended otherwise is returned as it
     * is: look at its `status`.
     */
    waitUntil(id: string, status: CallStatus | "ended", options?: StreamOptions): Promise<CallWithEvents>
  }
  readonly topups: {
    /** Waits until the top-up has succeeded or failed, and returns it. */
    waitUntilSettled(id: string, options?: { readonly signal?: AbortSignal }): Promise<TopUp>
  }
}

const isPage = (): boolean => {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
  return "document" in globalThis && process?.versions?.node === undefined
}

const pageOf = ({ data, response, ...answer }: Answer<unknown>): Answer<Page<unknown>> => ({
  ...answer,
  response,
  data: { items: data as ReadonlyArray<unknown>, nextCursor: response.headers.get("x-next-cursor") }
})

/** The method of a route: its arguments are the parts of the path, the body, the query, and the options. */
const methodOf = (transport: Transport, route: string): Method => {
  const [method = "GET", template = "/", flags = ""] = route.split(" ")
  const has = (flag: string) => flags.includes(flag)
  return (...given) => {
    const rest = [...given]
    const path = template.replaceAll(/\{\w+\}/g, () => {
      const part = rest.shift()
      // An empty part would be another route.
      if (typeof part !== "string" || part === "") throw new TypeError(`${method} ${template}: an id is missing`)
      return encodeURIComponent(part)
    })
    const body = has("b") ? rest.shift() : undefined
    const query = has("q") ? (rest.shift() as object | undefined) : undefined
    const options = rest.shift() as (WriteOptions & StreamOptions) | undefined
    if (has("s")) return new EventStream({ transport, path, query, options: options ?? {} })
    const send = (cursor?: string) =>
      transport.request({
        method,
        path,
        query: cursor === undefined ? query : { ...query, cursor },
        body,
        keyed: has("k"),
        raw: has("r"),
        options
      })
    return has("l") ? new Pages(async (cursor) => pageOf(await send(cursor))) : started(send())
  }
}

const operationsOf = (transport: Transport): Operations =>
  Object.fromEntries(
    Object.entries(routes).map(([group, names]) => {
      const methods = Object.entries(names).map(([name, route]) => [name, methodOf(transport, route)])
      return [group, Object.fromEntries(methods)]
    })
  ) as Operations

const ended = new Set<string>([
  "completed",
  "no_answer",
  "busy",
  "failed",
  "canceled"
] satisfies ReadonlyArray<CallStatus>)

const waitUntil =
  ({ get, stream }: Operations["calls"]): Conveniences["calls"]["waitUntil"] =>
  async (id, wanted, options) => {
    const events: AsyncIterable<CallStreamEvent> = stream(id, options)
    for await (const event of events) {
      const status = "status" in event ? String(event.status) : ""
      if (status === wanted || ended.has(status)) break
    }
    return await get(id, {}, options?.signal === undefined ? {} : { signal: options.signal })
  }

const waitUntilSettled =
  ({ get }: Operations["topups"]): Conveniences["topups"]["waitUntilSettled"] =>
  async (id, options = {}) => {
    const never = new AbortController().signal
    for (let wait = 500; ; wait = Math.min(wait * 1.5, 5_000)) {
      const topup = await get(id, options)
      if (topup.status !== "pending") return topup
      await sleep(wait, options.signal ?? never)
    }
  }

class Client {
  private readonly transport: Transport

  constructor(options: TrunklineOptions = {}) {
    if (options.apiKey !== undefined && isPage() && options.dangerouslyAllowBrowser !== true)
      throw new Error(
        "An API key in a page can be read by everybody who opens it. Call your own server, or use a session (`session: true`)."
      )
    this.transport = new Transport(options)
    const { calls, topups, ...others } = operationsOf(this.transport)
    Object.assign(this, others, {
      calls: { ...calls, waitUntil: waitUntil(calls) },
      topups: { ...topups, waitUntilSettled: waitUntilSettled(topups) }
    })
  }

  /** Any request, for routes that this version does not know. `path` begins with `/v1/`. */
  request<T>(
    method: string,
    path: string,
    { body, query, ...options }: WriteOptions & { readonly query?: object; readonly body?: unknown } = {}
  ): Result<T> {
    const keyed = method.toUpperCase() === "POST"
    const sent = { method: method.toUpperCase(), path, query, body, keyed, options }
    return started(this.transport.request(sent) as Promise<Answer<T>>)
  }

  /** The same client with other options for its requests. */
  with(options: Omit<ReadOptions, "signal">): Trunkline {
    return new Trunkline({ ...this.transport.options, ...options })
  }
}

export type Trunkline = Client & Operations & Conveniences

/** The client of an engine. Its groups and methods are those of the API reference. */
export const Trunkline = Client as new (options?: TrunklineOptions) => Trunkline
