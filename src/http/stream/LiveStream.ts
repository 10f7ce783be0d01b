// One open live stream: what its client has been told, and whether anything may be written to it.
import { Context, Effect, Scope } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { LiveBody } from "./LiveBody.ts"
import type { Sink } from "./Sink.ts"

/** The streams of a process, which one fiber serves. */
export interface Streams {
  /** What the effects of the streams need. */
  readonly services: Context.Context<never>
  readonly opened: (stream: LiveStream) => void
  /** It has something to tell. */
  readonly isReady: (stream: LiveStream) => void
  /** It waits for news, until it is due. */
  readonly waits: (stream: LiveStream) => void
  /** Its client has gone, or has all of it. */
  readonly closed: (stream: LiveStream) => void
}

export interface Turn {
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether the server shuts down. */
  readonly isStopping: boolean
}

/** What a stream is of, and for whom. */
export interface Opened {
  readonly streams: Streams
  readonly workspace_id: WorkspaceId
  /** Whether the client may still follow. */
  readonly admitted: Effect.Effect<boolean>
  /** Aborts the request. Only a request without a socket has one. */
  readonly signal: AbortSignal | undefined
}

/**
 * `waiting`: for news. `ready`: for its turn. `working`: it is its turn. `blocked`: the client has not taken what was
 * written. `over`: all is written.
 */
type State = "opening" | "waiting" | "ready" | "working" | "blocked" | "over"

export abstract class LiveStream extends LiveBody {
  readonly workspace_id: WorkspaceId
  readonly admitted: Effect.Effect<boolean>
  readonly signal: AbortSignal | undefined
  /** What the stream holds until it is closed: its place in the limit, and its subscriptions. */
  readonly scope = Scope.makeUnsafe()
  /** The time by which it stands in the line of those that wait. */
  listed_due_at: number | undefined
  private readonly streams: Streams
  private state: State = "opening"
  /** There was news during its turn. */
  private isWoken = false
  private sink: Sink | undefined

  constructor({ admitted, signal, streams, workspace_id }: Opened) {
    super()
    this.streams = streams
    this.workspace_id = workspace_id
    this.admitted = admitted
    this.signal = signal
  }

  /** When the client must be told something even if there is no news, epoch milliseconds. */
  abstract readonly due_at: number

  /** Whether there is more to tell without further news. */
  abstract readonly hasMore: boolean

  /** Acquires something that the stream holds until it is closed. Nothing of the request is kept with it. */
  hold<A, E>(acquire: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> {
    return Effect.updateContext(acquire, () => Context.add(this.streams.services, Scope.Scope, this.scope))
  }

  /** What is told first, with the head of the response. */
  protected abstract readonly opening: ReadonlyArray<string>

  /** The next text, which may be none. Undefined when nothing follows. */
  abstract next(turn: Turn): Effect.Effect<ReadonlyArray<string> | undefined, ReadFailed>

  get isAttached(): boolean {
    return this.state !== "opening"
  }

  attach(sink: Sink): void {
    this.sink = sink
    this.streams.opened(this)
    this.write(this.opening)
  }

  /** There may be something to tell. */
  wake(): void {
    if (this.state === "working") this.isWoken = true
    else if (this.state === "waiting") this.toReady()
  }

  begin(): void {
    this.state = "working"
    this.isWoken = false
  }

  /** Ends its turn, with what `next` has returned. */
  finish(text: ReadonlyArray<string> | undefined): void {
    if (this.state !== "working") return
    if (text !== undefined) return this.write(text)
    this.state = "over"
    this.sink?.end()
  }

  /** The client is told by the broken connection that it has not all of it. */
  cut(): void {
    if (this.state !== "over") this.state = "over"
    this.sink?.destroy()
  }

  drained(): void {
    if (this.state === "blocked") this.toReady()
  }

  closed(): void {
    this.state = "over"
    this.sink = undefined
    this.streams.closed(this)
  }

  private write(lines: ReadonlyArray<string>): void {
    if (lines.length > 0 && this.sink?.write(lines.join("")) === false) this.state = "blocked"
    else if (this.hasMore || this.isWoken) this.toReady()
    else {
      this.state = "waiting"
      this.streams.waits(this)
    }
  }

  private toReady(): void {
    this.state = "ready"
    this.streams.isReady(this)
  }
}
