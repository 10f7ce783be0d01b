import { Context, Effect, Layer, Metric } from "effect"
import { mobileMoneyIngestPath } from "../../domain/ports/MobileMoneyNotices.ts"

export interface AccessLine {
  readonly request_id: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly duration_ms: number
  /** When it was answered, epoch milliseconds. */
  readonly at: number
}

const duration = Metric.histogram("trunkline_http_request_duration_ms", {
  description: "Time from a request's head to its answer, by class of status, in milliseconds.",
  boundaries: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]
})

/** Slower than this is always worth a line. */
const slow_ms = 1000

/** Providers of mobile money authenticate with a secret in the path. */
const secretPath = new RegExp(`^(${mobileMoneyIngestPath}/).+`)

/** Queries hold phone numbers, which have no place in a log; and whoever sends a long path sends many. */
const pathOf = (url: string): string => url.split("?", 1)[0]!.replace(secretPath, "$1…").slice(0, 200)

/** Lines about failed and slow requests in an interval: when everything fails, a log of it all helps nobody. */
const max_troubled = 50

/** What was served: every request counts in the metrics; the log gets samples, and what failed or was slow. */
export class AccessLog extends Context.Service<
  AccessLog,
  {
    readonly served: (line: AccessLine) => Effect.Effect<void>
  }
>()("trunkline/http/AccessLog") {
  /** Of the ordinary requests one is logged each `interval_ms`. */
  static readonly sampled = (interval_ms: number) =>
    Layer.sync(AccessLog, () => {
      const byClass = [1, 2, 3, 4, 5].map((digit) => Metric.withAttributes(duration, { status: `${digit}xx` }))
      let interval = { ends_at: 0, ordinary: 0, troubled: 0 }

      const isLogged = ({ at, duration_ms, status }: AccessLine): boolean => {
        if (at >= interval.ends_at) interval = { ends_at: at + interval_ms, ordinary: 0, troubled: 0 }
        return status >= 500 || duration_ms >= slow_ms ? interval.troubled++ < max_troubled : interval.ordinary++ === 0
      }

      return AccessLog.of({
        served: (line) => {
          const measured = Metric.update(byClass[Math.trunc(line.status / 100) - 1]!, line.duration_ms)
          if (!isLogged(line)) return measured
          const { at: _, url, ...rest } = line
          return Effect.andThen(
            measured,
            Effect.annotateLogs(Effect.logInfo("request"), { ...rest, path: pathOf(url) })
          )
        }
      })
    })
}
