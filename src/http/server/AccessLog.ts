import { Context, Effect, Layer, Metric } from "effect"
import { mobileMoneyIngestPath } from "../../domain/topups/PostedNotice.ts"

export interface AccessLine {
  readonly request_id: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly duration_ms: number
  /** When the response was sent, epoch milliseconds. */
  readonly at: number
}

const duration = Metric.histogram("trunkline_http_request_duration_seconds", {
  description: "Time from a request's head to its response, by class of status.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

/** Requests that take at least this long count as slow. */
const slow_ms = 1000

/** Mobile-money providers authenticate with a secret in the path, which must not be logged. */
const secretPath = new RegExp(`^(${mobileMoneyIngestPath}/).+`)

/** The path of a URL for the log: without the query, which can hold phone numbers, and at most 200 characters. */
const pathOf = (url: string): string => url.replace(/\?.*$/s, "").replace(secretPath, "$1…").slice(0, 200)

/** At most this many failed and slow requests are logged per interval, so that an outage does not flood the log. */
const max_troubled = 50

/** Counts every request in the metrics, and logs a sample of them and those that failed or were slow. */
export class AccessLog extends Context.Service<
  AccessLog,
  {
    readonly record: (line: AccessLine) => Effect.Effect<void>
  }
>()("trunkline/http/AccessLog") {
  /** Logs one ordinary request per `interval_ms`. */
  static readonly sampled = (interval_ms: number) =>
    Layer.effect(
      AccessLog,
      Effect.gen(function* () {
        const ofClass = (digit: number) => Metric.withAttributes(duration, { status: `${digit}xx` })
        const known = new Map([1, 2, 3, 4, 5].map((digit) => [digit, ofClass(digit)]))
        yield* Effect.forEach(known.values(), Metric.value, { discard: true })
        let interval = { ends_at: 0, ordinary: 0, troubled: 0 }

        const isLogged = ({ at, duration_ms, status }: AccessLine): boolean => {
          if (at >= interval.ends_at) interval = { ends_at: at + interval_ms, ordinary: 0, troubled: 0 }
          return status >= 500 || duration_ms >= slow_ms
            ? interval.troubled++ < max_troubled
            : interval.ordinary++ === 0
        }

        return AccessLog.of({
          record: (line) => {
            const digit = Math.trunc(line.status / 100)
            const measured = Metric.update(known.get(digit) ?? ofClass(digit), line.duration_ms / 1_000)
            if (!isLogged(line)) return measured
            const { at: _, url, ...rest } = line
            return Effect.andThen(
              measured,
              Effect.annotateLogs(Effect.logInfo("request"), { ...rest, path: pathOf(url) })
            )
          }
        })
      })
    )
}
