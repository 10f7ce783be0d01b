// The body of a response that is written after its request has ended. A server hands it the way to its client, once it
// has sent the head.
import { webIterator } from "./WebSink.ts"

/** The way to a client. A response of Node is one. */
export interface Sink {
  /** Whether more may be written at once. If not, the body is told when it may: `drained`. */
  write(text: string): unknown
  /** The response is complete. */
  end(): unknown
  /** Cuts the response off, so that its client knows that it is not complete. */
  destroy(): unknown
}

export abstract class LiveBody implements AsyncIterable<Uint8Array> {
  /** The head is sent, and the text may follow. Called once, if at all. */
  abstract attach(sink: Sink): void

  /** The client has taken what was written. */
  abstract drained(): void

  /** The client has gone, or has all of the response. Nothing may be written any more. */
  abstract closed(): void

  /** Rejects what the client reads if its request is aborted after the head. */
  abstract readonly signal: AbortSignal | undefined;

  /** For a server without a socket: a `Response` of the web takes its body from an iterable. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return webIterator(this)
  }
}
