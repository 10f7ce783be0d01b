// A live stream: `for await` gives its events. It reconnects where it was, until the stream has ended.
import { ApiError, ConnectionError } from "./Errors.ts"
import { EventReader, type ServerEvent } from "./EventReader.ts"
import { waitBefore } from "./Retry.ts"
import { sleep, type Transport } from "./Transport.ts"

export interface StreamOptions {
  /** Ends the stream; the loop then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** The last event that is known, from `lastEventId`: later ones are sent first. */
  readonly after?: string
  /** `false`: the loop throws when the connection is lost. `maxMs`: for how long it tries. Default 5 minutes. */
  readonly reconnect?: false | { readonly maxMs?: number }
  /** Is told before each attempt to come back. */
  readonly onReconnect?: (info: { readonly after: string | null; readonly attempt: number }) => void
}

/** The server sends something every 15 seconds. A longer silence is a dead connection. */
const silence_ms = 40_000
const reconnectFor_ms = 5 * 60_000
const longestWait_ms = 30_000

/** How one connection ended. `over`: the stream has no more events. `asked`: the server asks to connect again. */
type Ending = "over" | "asked" | "lost"

interface Source {
  readonly transport: Transport
  readonly path: string
  readonly query?: object | undefined
  readonly options: StreamOptions
}

export class EventStream<E> implements AsyncIterable<E>, AsyncDisposable {
  private readonly source: Source
  private readonly closing = new AbortController()
  private last: string | null

  constructor(source: Source) {
    this.source = source
    this.last = source.options.after ?? null
  }

  /** Where the stream is. With `after` another one continues there. */
  get lastEventId(): string | null {
    return this.last
  }

  /** Ends the loop. */
  close(): void {
    this.closing.abort()
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close()
    return Promise.resolve()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E, void, undefined> {
    const { onReconnect, reconnect, signal } = this.source.options
    const stop = signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal])
    let attempt = 0
    let lostAt: number | undefined
    try {
      while (true) {
        let cause: unknown
        let ending: Ending = "lost"
        try {
          for await (const event of this.connection(stop)) {
            attempt = 0
            lostAt = undefined
            if (event.event === "end") ending = "over"
            else if (event.event === "closing") ending = "asked"
            else yield valueOf<E>(event)
          }
        } catch (error) {
          if (signal?.aborted === true) throw signal.reason
          if (error instanceof ApiError && !error.retryable) throw error
          cause = error
        }
        if (signal?.aborted === true) throw signal.reason
        if (ending === "over" || this.closing.signal.aborted) return
        if (ending === "asked") continue
        lostAt ??= Date.now()
        attempt++
        const patience = reconnect === false ? 0 : (reconnect?.maxMs ?? reconnectFor_ms)
        if (Date.now() - lostAt >= patience) throw this.lost(attempt, cause)
        onReconnect?.({ after: this.last, attempt })
        await this.pause(attempt, cause, stop)
        if (this.closing.signal.aborted) return
      }
    } finally {
      this.close()
    }
  }

  private async pause(attempt: number, cause: unknown, stop: AbortSignal): Promise<void> {
    const retryAfter = cause instanceof ApiError ? cause.retryAfter : null
    const wait = waitBefore(attempt, retryAfter, Math.random()) ?? longestWait_ms
    try {
      await sleep(Math.min(wait, longestWait_ms), stop)
    } catch (error) {
      if (!this.closing.signal.aborted) throw error
    }
  }

  private lost(attempts: number, cause: unknown): ConnectionError {
    return new ConnectionError("The stream was lost.", { attempts, lastEventId: this.last, cause })
  }

  /** The events of one connection. */
  private async *connection(stop: AbortSignal): AsyncGenerator<ServerEvent, void, undefined> {
    const { path, query, transport } = this.source
    const quiet = new AbortController()
    const watch = () => setTimeout(() => quiet.abort(new Error("The connection is silent.")), silence_ms)
    let timer = watch()
    try {
      const response = await transport.open(path, query, this.last, AbortSignal.any([stop, quiet.signal]))
      const reader = new EventReader(this.last)
      const parts = response.getReader()
      const decoder = new TextDecoder()
      while (true) {
        const { done, value } = await parts.read()
        if (done) return
        clearTimeout(timer)
        timer = watch()
        for (const event of reader.push(decoder.decode(value, { stream: true }))) {
          this.last = event.id ?? this.last
          yield event
        }
        this.last = reader.lastEventId
      }
    } finally {
      clearTimeout(timer)
      quiet.abort()
    }
  }
}

/** `stream.reset` has no kind in its data. */
const valueOf = <E>({ data, event }: ServerEvent): E => {
  const value = JSON.parse(data) as E
  return event === "stream.reset" ? { ...value, kind: event, event_kind: event } : value
}
