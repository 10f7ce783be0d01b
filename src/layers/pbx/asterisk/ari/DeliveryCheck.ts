// Whether Asterisk delivers the events of the engine's applications to a connection. Asterisk may lose an application
// when one of its connections closes while the next one opens: the new connection stays open, and nothing arrives on
// it. Asterisk even reports the application as known, so the check sends an event through Asterisk, and waits for it.
import { Effect } from "effect"
import { type AriAway, type AriResponse, contactsApp } from "./Ari.ts"
import type { AriLine } from "./AriLine.ts"

/** For a connection that lost its application while it opened. */
const firstCheckAfter = "500 millis"
const checkInterval = "5 seconds"
const deliveryTimeout = "5 seconds"
const notFound = 404

type Send = (method: "POST", path: string) => Effect.Effect<AriResponse, AriAway>

/** False only if it is certain: an Asterisk that does not respond may deliver events all the same. */
const delivers = (line: AriLine, send: Send, app: string, check: number): Effect.Effect<boolean> => {
  const eventname = `TrunklineCheck${check}`
  const sent = send("POST", `/events/user/${eventname}?application=${encodeURIComponent(app)}`).pipe(
    Effect.match({
      onFailure: () => "unknown" as const,
      onSuccess: ({ status }) => (status === notFound ? "lost" : status < 300 ? "sent" : "unknown")
    })
  )
  return Effect.raceFirst(
    Effect.as(line.userEvent(app, eventname), true),
    Effect.flatMap(sent, (result) =>
      result === "sent"
        ? Effect.map(Effect.sleep(deliveryTimeout), () => line.isPaused)
        : Effect.succeed(result === "unknown")
    )
  )
}

/** Returns when an application of the engine is lost to this connection. */
export const untilApplicationIsLost = (line: AriLine, send: Send, app: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Effect.sleep(firstCheckAfter)
    for (let check = 1; ; check++) {
      for (const each of [app, contactsApp(app)]) {
        if (yield* delivers(line, send, each, check)) continue
        return yield* Effect.logWarning(`Asterisk has lost the application ${each} of this connection; reconnecting`)
      }
      yield* Effect.sleep(checkInterval)
    }
  })
