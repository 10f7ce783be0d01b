// The two ways to connect with Asterisk. Either Asterisk connects to the engine (outbound WebSockets, Asterisk 22.5 or
// later): it keeps events while the engine is down, and takes requests on the same socket. Or the engine connects to
// Asterisk, and sends requests over HTTP.
import { Effect, Schedule, type Scope } from "effect"
import { type Ari, AriAway, type AriMethod, type AriOptions, type AriResponse } from "./Ari.ts"
import { type AriListener, type AriListenFailed, openAriListener } from "./AriListener.ts"
import { type AriHttp, makeAriHttp } from "./AriHttp.ts"
import type { AriLine } from "./AriLine.ts"
import { untilApplicationIsLost } from "./DeliveryCheck.ts"

const retrySchedule = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])
const checkInterval_ms = 500
/** Asterisk connects for its configured applications within some hundred milliseconds, so this is more than enough. */
const waitForAsterisk_ms = 30_000
const notFound = 404
const unavailable = 503

/**
 * Asterisk handles the requests on a socket one after the other, and completes these only when the channel has finished
 * its playbacks. They go over HTTP so that other requests do not wait behind them.
 */
export const waitsForChannel = (path: string): boolean =>
  /^\/channels\/[^/]+\/(answer|variable)$|^\/bridges\/[^/]+\/(add|remove)Channel$/.test(path)

/**
 * Whether Asterisk is still starting, so that its responses are unreliable. At first its HTTP server responds to
 * everything with an HTML page and 404; the 404 of ARI itself has a JSON body.
 */
const isStarting = ({ body, status }: AriResponse): boolean =>
  status === unavailable || (status === notFound && body === undefined)

const unlessStarting = (response: AriResponse): Effect.Effect<AriResponse, AriAway> =>
  isStarting(response) ? Effect.fail(new AriAway({ cause: "Asterisk is starting" })) : Effect.succeed(response)

const queryOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/**
 * Returns when Asterisk is up but does not connect to the engine. Connecting while Asterisk does would take the
 * application from it, and lose the events that it has kept.
 */
const untilEngineMustConnect = ({ request }: AriHttp, app: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    let checks = waitForAsterisk_ms / checkInterval_ms
    while (checks > 0) {
      yield* Effect.sleep(checkInterval_ms)
      const status = yield* request("GET", `/applications/${encodeURIComponent(app)}`).pipe(
        Effect.flatMap(unlessStarting),
        Effect.match({ onFailure: () => undefined, onSuccess: ({ status }) => status })
      )
      if (status === notFound) break
      if (status !== undefined) checks--
    }
    yield* Effect.logWarning(
      "Asterisk does not connect to ARI_LISTEN, so the engine connects to Asterisk. Events are lost while the engine is down."
    )
  })

/**
 * The next connection, whichever side opens it. `withoutApp`: the connection of Asterisk that has lost the application.
 * Only a new connection gets it back, so the engine connects.
 */
const nextLine = (
  http: AriHttp,
  listener: AriListener | undefined,
  app: string,
  withoutApp: AriLine | undefined
): Effect.Effect<AriLine, AriAway, Scope.Scope> => {
  if (listener === undefined || (withoutApp !== undefined && listener.current === withoutApp)) return http.connect
  return Effect.raceFirst(listener.next, untilEngineMustConnect(http, app).pipe(Effect.andThen(http.connect)))
}

const follow = (http: AriHttp, listener: AriListener | undefined, app: string): Ari["follow"] => {
  const send = (method: AriMethod, path: string) => Effect.flatMap(http.request(method, path), unlessStarting)
  return (connected, handle) => {
    let withoutApp: AriLine | undefined
    return Effect.scoped(
      Effect.gen(function* () {
        const line = yield* nextLine(http, listener, app, withoutApp)
        const replaced = listener === undefined ? Effect.never : Effect.asVoid(listener.nextAfter([line, withoutApp]))
        yield* Effect.raceAllFirst([
          line.follow(handle),
          Effect.andThen(connected(line.eventsHandled), Effect.never),
          replaced,
          Effect.map(untilApplicationIsLost(line, send, app), () => {
            if (line === listener?.current) withoutApp = line
          })
        ])
      })
    ).pipe(
      Effect.andThen(Effect.fail(new AriAway({ cause: "the connection ended" }))),
      Effect.catchDefect((cause) =>
        Effect.andThen(
          Effect.logError("Handling an event of Asterisk failed unexpectedly; reconnecting", cause),
          Effect.fail(new AriAway({ cause }))
        )
      ),
      Effect.tapError(({ cause }) => Effect.logDebug("Asterisk is not connected; reconnecting", cause)),
      Effect.retry(retrySchedule),
      Effect.catch(() => Effect.never)
    )
  }
}

export const makeAri = (options: AriOptions): Effect.Effect<Ari, AriListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const http = yield* makeAriHttp(options)
    const { listen } = options
    const listener = listen === undefined ? undefined : yield* openAriListener({ ...options, listen })
    return {
      request: (method, path, query = {}, body) =>
        Effect.suspend(() => {
          const line = waitsForChannel(path) ? undefined : listener?.current
          return (line ?? http).request(method, path + queryOf(query), body)
        }).pipe(
          Effect.flatMap(unlessStarting),
          Effect.withSpan("Ari.request", { kind: "client", attributes: { method, path } })
        ),
      download: http.download,
      follow: follow(http, listener, options.app)
    }
  })
