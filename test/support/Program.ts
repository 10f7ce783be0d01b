// The engine as users run it: a separate process with real HTTP, which a test may kill and restart.
import { Data, Effect, Redacted, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Demo } from "../../src/layers/postgres/seed/SeedFile.ts"
import { fastTime, type Pace } from "./FastTime.ts"
import { freePort } from "./Ports.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { until } from "./Until.ts"

export { freePort }

/** There was no answer: it is unknown whether the request was processed. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly cause: unknown }> {}

export class ProgramEnded extends Data.TaggedError("ProgramEnded")<{ readonly message: string }> {}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The code of an error envelope. */
  readonly code: string | undefined
  readonly json: <A>() => A
}

export interface Question {
  readonly method?: string
  readonly body?: unknown
  /** Default: the demo workspace's key. */
  readonly key?: string
  readonly idempotency_key?: string
}

export interface Program {
  readonly base_url: string
  readonly data_dir: string
  readonly demo: () => Demo
  /** The speed of the program's clock. */
  readonly pace: Pace
  /** Epoch milliseconds on that clock. */
  readonly now: () => number
  /**
   * Starts a process and waits until it serves. Returns how long that took in milliseconds, without the time that the
   * process waited for a processor, so that the result is comparable on a busy machine.
   */
  readonly start: Effect.Effect<number, ProgramEnded>
  /** Kills the process, as a power cut would. Returns when it is gone. */
  readonly kill: Effect.Effect<void>
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** The exit code, or the signal that ended it, once it has ended. */
  readonly exited: Effect.Effect<number | NodeJS.Signals>
  readonly isAlive: () => boolean
  readonly pid: () => number | undefined
  readonly ask: (path: string, question?: Question) => Effect.Effect<Answer, Unanswered>
  /** The output since the last start. */
  readonly output: () => string
}

export interface ProgramOptions {
  /** How many times faster than real time its clock runs. Default: 1. */
  readonly speed?: number
  readonly env?: Readonly<Record<string, string>>
  /** Uses an embedded PostgreSQL in its data folder instead of the test's database. */
  readonly embedded?: boolean
  /** Shares the data folder of another program on the same machine. Default: its own folder. */
  readonly data_dir?: string
}

/** The start of an embedded PostgreSQL takes long on a busy machine. */
const startup = { every_ms: 10, within_ms: 120_000 }

/** Open to the user that PostgreSQL runs as when a root engine starts it: all it leaves is in here. */
const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "trunkline-program-"))
    await chmod(path, 0o755)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ask = async (url: string, api_key: string, question: Question): Promise<Answer> => {
  const { body, idempotency_key, key = api_key, method = body === undefined ? "GET" : "POST" } = question
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotency_key !== undefined && { "idempotency-key": idempotency_key })
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000)
  })
  const text = await response.text()
  const json = parsed(text)
  const code = (json as { readonly error?: { readonly code: string } } | undefined)?.error?.code
  return { status: response.status, headers: response.headers, text, code, json: <A>() => json as A }
}

const exited = (child: ChildProcess): Effect.Effect<number | NodeJS.Signals> =>
  Effect.callback((resume) => {
    const look = (): boolean => {
      const end = child.exitCode ?? child.signalCode
      if (end !== null) resume(Effect.succeed(end))
      return end !== null
    }
    if (look()) return
    child.once("exit", look)
    return Effect.sync(() => child.off("exit", look))
  })

/**
 * How long the main thread of a process waited for a processor, in milliseconds. 0 where the system does not count it.
 */
export const stoodInLine_ms = (pid: number | undefined): number => {
  try {
    const [, waited_ns] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")
    return Number(waited_ns) / 1_000_000
  } catch {
    return 0
  }
}

/** Without the configuration of the calling process: vitest sets BASE_URL. */
const environment = ({ embedded, env }: ProgramOptions, url: Redacted.Redacted, { epoch_ms, speed }: Pace) => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  RATE_LIMITS: "off",
  // A fast clock and a busy machine make waits look long. What is refused then has tests of its own.
  MAX_EVENT_LOOP_DELAY_MS: "10000",
  MAX_REQUESTS: "10000",
  LOG_FORMAT: "json",
  LOG_LEVEL: "warn",
  TEST_CLOCK_SPEED: String(speed),
  TEST_CLOCK_EPOCH: String(epoch_ms),
  ...(embedded !== true && { DATABASE_URL: Redacted.value(url) }),
  ...env
})

/**
 * Repeats a request while the engine says that it cannot serve. Where its clock is fast, its waiting times pass fast,
 * too, so that it says so more often on a busy machine.
 */
export const untilServed = <E, R>(request: Effect.Effect<Answer, E, R>) =>
  until("answer of an engine that can serve", request, ({ status }) => status !== 503, { every_ms: 50 })

/** A program that is not started yet. It is killed when the scope closes. */
export const makeProgram = (options: ProgramOptions = {}): Effect.Effect<Program, never, Scope.Scope | TestDatabase> =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const data_dir = options.data_dir ?? (yield* folder)
    const port = yield* freePort
    const base_url = `http://127.0.0.1:${port}`
    const pace = { speed: options.speed ?? 1, epoch_ms: Date.now() }
    const env = { ...environment(options, url, pace), PORT: String(port), DATA_DIR: data_dir }
    const script = join(import.meta.dirname, options.speed === undefined ? "../../src/main.ts" : "ProgramChild.ts")
    let child: ChildProcess | undefined
    let demo: Demo | undefined
    let output = ""

    const launch = Effect.sync(() => {
      output = ""
      const launched = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "pipe"] })
      for (const stream of [launched.stdout, launched.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output = (output + chunk.toString()).slice(-200_000)
        })
      }
      child = launched
      return launched
    })

    const isReady = Effect.promise(() =>
      fetch(`${base_url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false
      )
    )

    const start = Effect.gen(function* () {
      const began_at = Date.now()
      const launched = yield* launch
      const look = Effect.map(isReady, (ok) => (ok ? "ready" : output))
      const ready = until("answer that the program is ready", look, (said) => said === "ready", startup)
      const ended = Effect.flatMap(exited(launched), (end) =>
        Effect.fail(new ProgramEnded({ message: `It ended with ${end} and said:\n${output}` }))
      )
      yield* Effect.raceFirst(ready, ended)
      const took_ms = Date.now() - began_at - stoodInLine_ms(launched.pid)
      demo = yield* Effect.promise(async () => JSON.parse(await readFile(join(data_dir, "demo.json"), "utf8")) as Demo)
      return took_ms
    })

    const signal = (name: NodeJS.Signals) => Effect.sync(() => void child?.kill(name))
    const gone = Effect.suspend(() => (child === undefined ? Effect.succeed(0) : exited(child)))
    const kill = Effect.andThen(signal("SIGKILL"), Effect.asVoid(gone))
    yield* Effect.addFinalizer(() => kill)

    return {
      base_url,
      data_dir,
      demo: () => demo!,
      pace,
      now: fastTime(pace, Date.now),
      start,
      kill,
      signal,
      exited: gone,
      pid: () => child?.pid,
      isAlive: () => child?.exitCode === null && child.signalCode === null,
      ask: (path, question = {}) =>
        Effect.tryPromise({
          try: () => ask(base_url + path, demo!.api_key, question),
          catch: (cause) => new Unanswered({ cause })
        }),
      output: () => output
    }
  })
