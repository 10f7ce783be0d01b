// One open live stream: what its client has been told, and whether anything may be written to it.
import { Context, Effect, Scope } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { LiveBody } from "./LiveBody.ts"
import type { Sink } from "./Sink.ts"
import { closingText } from "./StreamText.ts"

/** The streams of a process, which one fiber serves. */
export interface Streams {
  /** What the effects of the streams need. */
  readonly services: Context.Context<never>
  readonly opened: (stream: LiveStream) => void
  /** The stream has something to tell. */
  readonly isReady: (stream: LiveStream) => void
  /** The stream waits for news, or until it is due. */
  readonly waits: (stream: LiveStream) => void
  /** Called when the client has gone, or has all of the stream. */
  readonly closed: (stream: LiveStream) => void
}

/** What every stream is opened with. */
export interface Opened {
  readonly streams: Streams
  readonly workspace_id: WorkspaceId
  /** Whether the client may still follow. */
  readonly admitted: Effect.Effect<boolean>
  /** Aborts the request. Only a request without a socket has one. */
  readonly signal: AbortSignal | undefined
}

/**
 * `opening`: the head is not sent yet. `waiting`: there is no news. `ready`: the stream stands in the line for a turn.
 * `working`: it has its turn. `blocked`: the client has not taken what was written. `over`: nothing more is written.
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

  /** The next text, which may be none. Undefined when nothing follows. `now`: epoch milliseconds. */
  abstract next(now: number): Effect.Effect<ReadonlyArray<string> | undefined, ReadFailed>

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
    if (text === undefined) this.complete()
    else this.write(text)
  }

  /** Ends a stream that has nothing to tell, because the server stops. */
  leave(): void {
    this.sink?.write(closingText("shutdown"))
    this.complete()
  }

  /** Breaks the connection, so that the client knows that it does not have all of the stream. */
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

  private complete(): void {
    this.state = "over"
    this.sink?.end()
  }

  private toReady(): void {
    this.state = "ready"
    this.streams.isReady(this)
  }
}
