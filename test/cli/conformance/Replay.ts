// Records what a run of the promises saw, and plays it again in memory, with flaws.
import { listenOnLoopback, type Received, type Receiver } from "../../../src/cli/conformance/Receiver.ts"
import { makeWorld, type World } from "../../../src/cli/conformance/World.ts"

export interface Exchange {
  /** Method, path and body. */
  readonly name: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Recording {
  readonly baseUrl: string
  readonly key: string
  readonly receiverUrl: string
  readonly exchanges: ReadonlyArray<Exchange>
  readonly received: ReadonlyArray<Received>
}

/** How a deployment is wrong. What is absent passes as it is. */
export interface Flaw {
  readonly response?: (exchange: Exchange) => Partial<Pick<Exchange, "headers" | "status" | "text">>
  readonly received?: (request: Received) => Received
}

const signal = new AbortController().signal
const nameOf = (input: unknown, { body, method = "GET" }: RequestInit): string => {
  const { pathname, search } = new URL(String(input))
  return `${method} ${pathname}${search} ${typeof body === "string" ? body : ""}`
}

/** The same in the replay, whatever the order in which promises choose. */
const random = () => 0.5

const bodiless = new Set([204, 304])

/** Runs with a world whose exchanges are kept. */
export const record = async (
  baseUrl: string,
  key: string,
  work: (world: World) => Promise<void>
): Promise<Recording> => {
  const exchanges: Array<Exchange> = []
  const opened: Array<Receiver> = []
  const keeping: typeof globalThis.fetch = async (input, init = {}) => {
    const response = await fetch(input, init)
    const text = await response.text()
    const { headers, status } = response
    exchanges.push({ name: nameOf(input, init), status, headers, text })
    return new Response(bodiless.has(status) ? null : text, { status, headers })
  }
  const world = await makeWorld({
    baseUrl,
    key,
    signal,
    random,
    fetch: keeping,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    openReceiver: async () => {
      const receiver = await listenOnLoopback()
      opened.push(receiver)
      return receiver
    }
  })
  await work(world)
  for (const receiver of opened) receiver.close()
  const receiverUrl = opened[0]?.url ?? ""
  return { baseUrl, key, receiverUrl, exchanges, received: opened.flatMap(({ received }) => received) }
}

/** What a world asks before all else is answered as it was, once. */
const setUp = new Set(["GET /v1/key ", "GET /v1/numbers?status=active&limit=200 "])

/** A world in which everything is answered as it was, but for the flaw, and no time passes. */
export const replay = async (
  { baseUrl, exchanges, key, received, receiverUrl }: Recording,
  flaw: Flaw = {}
): Promise<World> => {
  const waiting = new Map<string, Array<Exchange>>()
  for (const exchange of exchanges) {
    waiting.set(exchange.name, [...(waiting.get(exchange.name) ?? []), exchange])
  }
  const known = new Set(exchanges.map(({ name }) => name).filter((name) => !setUp.has(name)))
  const answering: typeof globalThis.fetch = (input, init = {}) => {
    const name = nameOf(String(input).replaceAll("no-uuid-", ""), init)
    const [next, ...later] = waiting.get(name) ?? []
    if (next === undefined) return Promise.reject(new Error(`${name} was not recorded`))
    if (later.length > 0) waiting.set(name, later)
    const flawed = known.has(name) ? flaw.response?.(next) : undefined
    if (setUp.has(name)) known.add(name)
    const { headers = next.headers, status = next.status, text = next.text } = flawed ?? {}
    return Promise.resolve(new Response(bodiless.has(status) ? null : text, { status, headers }))
  }
  const came = received.map((request) => flaw.received?.(request) ?? request)
  return await makeWorld({
    baseUrl,
    key,
    signal,
    random,
    fetch: answering,
    sleep: () => Promise.resolve(),
    openReceiver: () => Promise.resolve({ url: receiverUrl, received: came, answer: () => {}, close: () => {} })
  })
}
