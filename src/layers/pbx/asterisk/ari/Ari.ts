// ARI, Asterisk's REST interface: requests, and a stream of events.
import { Data, type Effect, type Redacted, type Scope } from "effect"
import type { AriEvent } from "./AriEvent.ts"
import type { Download } from "./RecordedFile.ts"

export interface AriOptions {
  /** `http://127.0.0.1:8088/ari` */
  readonly url: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly app: string
  /** Where Asterisk connects to the engine, with the same name and password: `ws://127.0.0.1:8090/pbx/ari`. */
  readonly listen?: string | undefined
}

export type AriMethod = "GET" | "POST" | "PUT" | "DELETE"

export interface AriResponse {
  readonly status: number
  /** Parsed JSON; undefined if the response has none. */
  readonly body: unknown
}

/** Asterisk has not responded. The request may or may not have been carried out. */
export class AriAway extends Data.TaggedError("AriAway")<{ readonly cause: unknown }> {}

export interface Ari {
  readonly request: (
    method: AriMethod,
    path: string,
    query?: Readonly<Record<string, string | number | undefined>>,
    body?: unknown
  ) => Effect.Effect<AriResponse, AriAway>
  /**
   * A file, to be read once and before the scope closes. Its bytes fail if Asterisk sends none of them for five
   * seconds.
   */
  readonly download: (path: string) => Effect.Effect<Download, AriAway, Scope.Scope>
  /**
   * Runs `handle` for each event, in order, and `connected` concurrently on each new connection. `eventsHandled` waits
   * until the events received so far have been handled. Never returns; interrupt it to stop.
   */
  readonly follow: <R>(
    connected: (eventsHandled: Effect.Effect<void>) => Effect.Effect<void, AriAway, R>,
    handle: (event: AriEvent) => Effect.Effect<void, never, R>
  ) => Effect.Effect<never, never, R>
}

/**
 * The application that receives the events of contacts. A subscription to an endpoint includes the events of its
 * channels, so the engine's main application would receive those twice.
 */
export const contactsApp = (app: string): string => `${app}-contacts`
