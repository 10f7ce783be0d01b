// The two ways to Asterisk: it connects to the engine, keeps what it has to tell while the engine is away, and is asked over
// the same socket (its outbound WebSockets, 22.5 or later); or the engine connects to it, and asks over HTTP.
import { Effect, Schedule, type Scope } from "effect"
import { type Ari, type AriAnswer, AriAway, type AriOptions } from "./Ari.ts"
import { type AriListener, type AriListenFailed, openAriListener } from "./AriListener.ts"
import { type AriHttp, makeAriHttp } from "./AriHttp.ts"
import type { AriLine } from "./AriLine.ts"

const again = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])
const look_every = "500 millis"
/** An Asterisk that has an application connects for it within its interval of some hundred milliseconds. */
const dialling_patience_ms = 30_000
const not_found = 404
const unavailable = 503

/**
 * Asterisk answers what comes over a socket one after the other, and these not before the channel is done with what it
 * plays: all else would wait behind them.
 */
export const waitsForChannel = (path: string): boolean =>
  /^\/channels\/[^/]+\/(answer|variable)$|^\/bridges\/[^/]+\/(add|remove)Channel$/.test(path)

/**
 * It was started and does not know yet what it has, so nothing that it says now counts. Before it says so, its HTTP server
 * has a page for whatever is asked that there is no such thing: what ARI itself has not, it says in JSON.
 */
const isStarting = ({ body, status }: AriAnswer): boolean =>
  status === unavailable || (status === not_found && body === undefined)

const counted = (answer: AriAnswer): Effect.Effect<AriAnswer, AriAway> =>
  isStarting(answer) ? Effect.fail(new AriAway({ cause: "Asterisk is starting" })) : Effect.succeed(answer)

const queryOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/**
 * Returns when the engine has to connect: Asterisk is there, and is not about to do it. To connect where Asterisk does would
 * take the application from it, and lose what it has kept.
 */
const leftToUs = ({ request }: AriHttp, app: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    let tries = dialling_patience_ms / 500
    while (tries > 0) {
      yield* Effect.sleep(look_every)
      const status = yield* request("GET", `/applications/${encodeURIComponent(app)}`).pipe(
        Effect.flatMap(counted),
        Effect.match({ onFailure: () => undefined, onSuccess: ({ status }) => status })
      )
      if (status === not_found) break
      if (status !== undefined) tries--
    }
    yield* Effect.logWarning(
      "Asterisk does not connect to ARI_LISTEN, so the engine connects to it: what happens while it is away will not be told"
    )
  })

/** The next connection, and who opened it. */
const nextLine = (
  http: AriHttp,
  door: AriListener | undefined,
  app: string
): Effect.Effect<AriLine, AriAway, Scope.Scope> => {
  if (door === undefined) return http.connect
  return Effect.raceFirst(door.next, leftToUs(http, app).pipe(Effect.andThen(http.connect)))
}

const follow =
  (http: AriHttp, door: AriListener | undefined, app: string): Ari["follow"] =>
  (connected, told) =>
    Effect.scoped(
      Effect.gen(function* () {
        const line = yield* nextLine(http, door, app)
        const overtaken = door === undefined ? Effect.never : Effect.asVoid(door.nextBut(line))
        yield* Effect.raceAllFirst([line.hear(told), Effect.andThen(connected(line.takenIn), Effect.never), overtaken])
      })
    ).pipe(
      Effect.andThen(Effect.fail(new AriAway({ cause: "the connection ended" }))),
      Effect.catchDefect((cause) =>
        Effect.andThen(
          Effect.logError("What Asterisk told could not be followed", cause),
          Effect.fail(new AriAway({ cause }))
        )
      ),
      Effect.tapError(({ cause }) => Effect.logDebug("Asterisk is not connected", cause)),
      Effect.retry(again),
      Effect.catch(() => Effect.never)
    )

export const makeAri = (options: AriOptions): Effect.Effect<Ari, AriListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const http = yield* makeAriHttp(options)
    const door =
      options.listen === undefined ? undefined : yield* openAriListener({ ...options, listen: options.listen })
    return {
      request: (method, path, query = {}, body) =>
        Effect.suspend(() => {
          const line = waitsForChannel(path) ? undefined : door?.open
          return (line ?? http).request(method, path + queryOf(query), body)
        }).pipe(Effect.flatMap(counted)),
      download: http.download,
      follow: follow(http, door, options.app)
    }
  })
