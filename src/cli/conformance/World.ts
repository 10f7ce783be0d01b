// What a check may use: requests to the deployment, and a server on this machine that receives what it sends.
import type { Receiver } from "./Receiver.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a deployment answers is not known
  readonly body: any
}

/** A value of an answer. */
export type Json = Answer["body"]

export interface Asked {
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Null sends no key. Default: the key of the command. */
  readonly key?: string | null
}

export interface Surroundings {
  readonly baseUrl: string
  readonly key: string
  readonly signal: AbortSignal
  readonly fetch: typeof globalThis.fetch
  readonly sleep: (milliseconds: number) => Promise<void>
  /** From 0 to below 1. Chooses what no other run should choose: an extension, a phone. */
  readonly random: () => number
  /** Opens what the deployment sends to; undefined where it cannot reach this machine. */
  readonly openReceiver: (() => Promise<Receiver>) | undefined
}

export interface World extends Omit<Surroundings, "fetch" | "openReceiver"> {
  readonly env: "live" | "test"
  /** A number of the workspace, and its id. */
  readonly from: string
  readonly numberId: string
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Answer>
  /** Makes something once, for all promises that need it. */
  readonly shared: <T>(name: string, make: () => Promise<T>) => Promise<T>
  /** Throws Skipped where the deployment cannot reach this machine. */
  readonly receiver: () => Promise<Receiver>
  /** Asks again until the value is there. Throws SetUpFailed when it has not come within so many milliseconds. */
  readonly wait: <T>(what: string, look: () => Promise<T | undefined>, within_ms?: number) => Promise<T>
}

/** The promise cannot be checked here. */
export class Skipped extends Error {
  override readonly name = "Skipped"
}

/** What the check needs did not come to be, so that the promise itself was not judged. */
export class SetUpFailed extends Error {
  override readonly name = "SetUpFailed"
}

const longest_ms = 60_000
const pause_ms = 250
const wait_ms = 45_000

/** As JSON; undefined if it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const makeAsk =
  ({ baseUrl, fetch, key: ownKey, signal }: Surroundings): World["ask"] =>
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
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

const makeShared = (): World["shared"] => {
  const made = new Map<string, Promise<unknown>>()
  return <T>(name: string, make: () => Promise<T>) => {
    const found =
      made.get(name) ??
      make().catch((cause: unknown) => {
        throw cause instanceof Skipped || cause instanceof SetUpFailed
          ? cause
          : new SetUpFailed(`${name}: ${(cause as Error).message}`, { cause })
      })
    made.set(name, found)
    return found as Promise<T>
  }
}

/** Throws SetUpFailed for a key that shows no workspace or no number. */
export const makeWorld = async (surroundings: Surroundings): Promise<World> => {
  const { baseUrl, key, openReceiver, random, signal, sleep } = surroundings
  const ask = makeAsk(surroundings)
  const shared = makeShared()
  const { body: own } = await ask("GET", "/v1/key")
  if (own?.env === "test") await ask("POST", "/v1/sandbox/credits", { body: { amount_minor: 100_000 } })
  const { body: numbers } = await ask("GET", "/v1/numbers?status=active&limit=200")
  const number: Json = Array.isArray(numbers) ? numbers[0] : undefined
  if (typeof number?.number !== "string") throw new SetUpFailed("The workspace of this key has no active number.")
  return {
    baseUrl,
    key,
    signal,
    sleep,
    random,
    env: own?.env === "test" ? "test" : "live",
    from: number.number,
    numberId: number.id,
    ask,
    shared,
    receiver: () =>
      shared("a receiver", () => {
        if (openReceiver === undefined) throw new Skipped("the deployment cannot reach this machine")
        return openReceiver()
      }),
    wait: async (what, look, within_ms = wait_ms) => {
      for (let waited = 0; waited <= within_ms; waited += pause_ms) {
        const found = await look()
        if (found !== undefined) return found
        await sleep(pause_ms)
      }
      throw new SetUpFailed(`${what} did not come within ${within_ms / 1000} s`)
    }
  }
}
