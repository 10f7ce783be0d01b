// The body of a response that is written after its request has ended. A server hands it the way to its client, once it
// has sent the head.
import type { Sink, Written } from "./Sink.ts"
import { webIterator } from "./WebSink.ts"

export abstract class LiveBody implements AsyncIterable<Uint8Array>, Written {
  abstract attach(sink: Sink): void
  abstract drained(): void
  abstract closed(): void
  abstract readonly signal: AbortSignal | undefined;

  /** For a server without a socket: a `Response` of the web takes its body from an iterable. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return webIterator(this)
  }
}
