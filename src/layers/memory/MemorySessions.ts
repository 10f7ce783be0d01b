import { Effect, Layer, Redacted } from "effect"
import { type Session, Sessions } from "../../domain/ports/Sessions.ts"

/** Sessions by token, from a map. */
export const layer = (sessions: ReadonlyMap<string, Session>) =>
  Layer.succeed(Sessions)({ find: (token) => Effect.sync(() => sessions.get(Redacted.value(token))) })
