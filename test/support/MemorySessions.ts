import { Effect, Layer, Redacted } from "effect"
import { Sessions } from "../../src/domain/ports/access/Sessions.ts"
import type { Session } from "../../src/domain/access/Session.ts"

/** Sessions by token, from a map. */
export const layer = (sessions: ReadonlyMap<string, Session>) => {
  const look = (token: Redacted.Redacted) => Effect.sync(() => sessions.get(Redacted.value(token)))
  const knows = (token: Redacted.Redacted) => Effect.sync(() => sessions.has(Redacted.value(token)))
  return Layer.succeed(Sessions)({ find: look, look, knows })
}
