// The threads that relay media streams, so that audio never passes the thread of the actors.
import { Effect, FiberSet, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { toWorkspaceId } from "../../domain/BrandedIds.ts"
import { StreamHeaders } from "../../domain/ports/calls/StreamHeaders.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import type { MediaRelay, RelayedStream, RelayNotice } from "../pbx/MediaRelay.ts"
import type { RelayCommand, RelayReport, RelayThreadOptions } from "./RelayProtocol.ts"

/** A stream takes about half a percent of a core, so two threads carry more than a machine has streams. */
const threadsMax = Math.max(1, Math.min(2, availableParallelism() - 1))

/** The built package has the same file in JavaScript. */
const entry = new URL(`./RelayWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

type Told = (notice: RelayNotice) => void
type Headers = RelayedStream["headers"]

interface RelayPoolOptions {
  readonly policy: TargetPolicy
  /** Signs the headers of a stream now, and passes them on. */
  readonly sign: (stream: RelayedStream, then: (headers: Headers) => void) => void
}

class RelayThread {
  private readonly worker: Worker
  private readonly sign: RelayPoolOptions["sign"]
  private readonly open = new Map<string, { readonly stream: RelayedStream; readonly told: Told }>()

  constructor({ policy, sign }: RelayPoolOptions, over: () => void) {
    this.sign = sign
    const workerData: RelayThreadOptions = { policy }
    this.worker = new Worker(entry, { workerData })
    this.worker.on("message", ({ notice, stream_id }: RelayReport) => this.report(stream_id, notice))
    // An error ends the thread, which `exit` reports too.
    this.worker.on("error", () => {})
    this.worker.on("exit", () => {
      over()
      for (const stream_id of this.open.keys())
        this.report(stream_id, { kind: "ended", result: "engine_restarted", detail: "The relay has ended." })
    })
  }

  get streams(): number {
    return this.open.size
  }

  has(stream_id: string): boolean {
    return this.open.has(stream_id)
  }

  /** Whether a stream of this workspace is relayed here. */
  serves(account_id: string): boolean {
    return [...this.open.values()].some(({ stream }) => stream.account_id === account_id)
  }

  start(stream: RelayedStream, told: Told): void {
    this.open.set(stream.stream_id, { stream, told })
    this.send({ kind: "open", stream })
  }

  send(command: RelayCommand): void {
    this.worker.postMessage(command, [])
  }

  async end(): Promise<void> {
    this.open.clear()
    await this.worker.terminate()
  }

  private report(stream_id: string, notice: RelayReport["notice"]): void {
    const open = this.open.get(stream_id)
    if (notice.kind === "broken") {
      if (open !== undefined) this.sign(open.stream, (headers) => this.send({ kind: "reconnect", stream_id, headers }))
      return
    }
    if (notice.kind === "ended") this.open.delete(stream_id)
    open?.told(notice)
  }
}

class RelayPool implements MediaRelay {
  private readonly options: RelayPoolOptions
  private readonly threads = new Set<RelayThread>()

  constructor(options: RelayPoolOptions) {
    this.options = options
  }

  /** The streams of a workspace share a thread, where what they use together is counted. */
  readonly open: MediaRelay["open"] = (stream, told) => {
    const serving = [...this.threads].find((thread) => thread.serves(stream.account_id))
    return (serving ?? this.idlest()).start(stream, told)
  }

  readonly attach: MediaRelay["attach"] = (stream_id, source) =>
    this.threadOf(stream_id)?.send({ kind: "attach", stream_id, source })

  readonly joined: MediaRelay["joined"] = (stream_id) => this.threadOf(stream_id)?.send({ kind: "joined", stream_id })

  readonly pressed: MediaRelay["pressed"] = (stream_id, digit) =>
    this.threadOf(stream_id)?.send({ kind: "pressed", stream_id, digit })

  readonly stop: MediaRelay["stop"] = (stream_id, result, detail) =>
    this.threadOf(stream_id)?.send({ kind: "stop", stream_id, result, detail })

  async end(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()))
  }

  private threadOf(stream_id: string): RelayThread | undefined {
    return [...this.threads].find((thread) => thread.has(stream_id))
  }

  /** Threads are started when they are needed: an engine without streams has none. */
  private idlest(): RelayThread {
    const [first, ...others] = [...this.threads].sort((one, other) => one.streams - other.streams)
    if (first !== undefined && (first.streams === 0 || others.length + 1 >= threadsMax)) return first
    const thread: RelayThread = new RelayThread(this.options, () => this.threads.delete(thread))
    this.threads.add(thread)
    return thread
  }
}

/**
 * The relay of a gateway in this process. Its threads end with the scope. A signature is too old after five minutes, so
 * each connection of a stream has one of its own.
 */
export const makeRelayPool = (policy: TargetPolicy): Effect.Effect<MediaRelay, never, Scope.Scope | StreamHeaders> =>
  Effect.gen(function* () {
    const signed = yield* StreamHeaders
    const run = yield* FiberSet.makeRuntime()
    const sign: RelayPoolOptions["sign"] = ({ account_id, ...stream }, then) =>
      void run(
        Effect.map(signed.of({ ...stream, workspace_id: toWorkspaceId(account_id) }), (headers) =>
          then({ ...stream.headers, ...headers })
        )
      )
    return yield* Effect.acquireRelease(
      Effect.sync(() => new RelayPool({ policy, sign })),
      (pool) => Effect.promise(() => pool.end())
    )
  })
