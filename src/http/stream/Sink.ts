// How the text of a live stream reaches its client, and what the way tells of it.

/** The way to a client. A response of Node is one. */
export interface Sink {
  /** Whether more may be written at once. If not, the body is told when it may: `drained`. */
  write(text: string): unknown
  /** The response is complete. */
  end(): unknown
  /** Cuts the response off, so that its client knows that it is not complete. */
  destroy(): unknown
}

/** What writes to a sink. */
export interface Written {
  /** The head is sent, and the text may follow. Called once, if at all. */
  attach(sink: Sink): void
  /** The client has taken what was written. */
  drained(): void
  /** The client has gone, or has all of the response. Nothing may be written any more. */
  closed(): void
  /** Rejects what the client reads if its request is aborted after the head. */
  readonly signal: AbortSignal | undefined
}
