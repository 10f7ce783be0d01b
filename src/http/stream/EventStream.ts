import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** The response of a live stream. Proxies must not keep its events back. */
export const eventStream = <E>(text: Stream.Stream<string, E>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.encodeText(text), {
    contentType: "text/event-stream",
    headers: { "cache-control": "no-cache", "x-accel-buffering": "no" }
  })
