// Asterisk's REST interface: what it tells, and requests to it.
import { Data, type Effect, type Redacted } from "effect"
import type { AriEvent } from "./AriEvent.ts"

export interface AriOptions {
  /** `http://127.0.0.1:8088/ari` */
  readonly url: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly app: string
  /** Where Asterisk may connect to, as `ws://127.0.0.1:8090/pbx/ari`, with the same name and password. Absent: nowhere. */
  readonly listen?: string | undefined
}

export type AriMethod = "GET" | "POST" | "PUT" | "DELETE"

export interface AriAnswer {
  readonly status: number
  /** JSON, or undefined where the answer is none. */
  readonly body: unknown
}

/** No answer: what was asked may or may not have been done. */
export class AriAway extends Data.TaggedError("AriAway")<{ readonly cause: unknown }> {}

export interface Ari {
  readonly request: (
    method: AriMethod,
    path: string,
    query?: Readonly<Record<string, string | number | undefined>>,
    body?: unknown
  ) => Effect.Effect<AriAnswer, AriAway>
  /** The bytes of a file. */
  readonly download: (path: string) => Effect.Effect<Buffer, AriAway>
  /**
   * Runs `told` with each event, in order, and beside it `connected` on each new connection. `takenIn` waits until all that
   * was heard so far has been told. It ends by interruption.
   */
  readonly follow: <R>(
    connected: (takenIn: Effect.Effect<void>) => Effect.Effect<void, AriAway, R>,
    told: (event: AriEvent) => Effect.Effect<void, never, R>
  ) => Effect.Effect<never, never, R>
}

/**
 * The application that is told of contacts. Whoever is told of an endpoint is told of its channels as well, so one that
 * has channels would be told of those twice.
 */
export const contactsApp = (app: string): string => `${app}-contacts`
