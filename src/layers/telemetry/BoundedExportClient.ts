// The HTTP client of the telemetry exporter. A receiver that is down, slow or silent costs bounded memory.
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"

const timeout = "5 seconds"
/** Limit on exports in flight, of all kinds. One more fails: the exporter drops its batch and pauses for a minute. */
const maxInFlight = 8

/** Logs the first failure after a success and the first success after a failure. */
const watched = (client: HttpClient.HttpClient) => {
  let inFlight = 0
  let isDown = false

  const reportLoss = (why: string) => {
    if (isDown) return Effect.void
    isDown = true
    return Effect.logWarning(
      `OTLP_URL does not accept telemetry (${why}). Telemetry is dropped until it does; calls are unaffected.`
    )
  }

  const reportRecovery = Effect.suspend(() => {
    if (!isDown) return Effect.void
    isDown = false
    return Effect.logInfo("OTLP_URL accepts telemetry again")
  })

  return HttpClient.transform(client, (answer, request) =>
    Effect.suspend(() => {
      if (inFlight >= maxInFlight) return Effect.die(`More than ${maxInFlight} exports are in flight.`)
      inFlight++
      const late = new HttpClientError.TransportError({ request, description: "no answer in time" })
      return answer.pipe(
        // The body counts too: an endless one would occupy the export.
        Effect.tap((response) => response.arrayBuffer),
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(new HttpClientError.HttpClientError({ reason: late }))
        }),
        Effect.tap(({ status }) => (status < 300 ? reportRecovery : reportLoss(`status ${status}`))),
        Effect.tapError(({ reason }) => reportLoss(reason._tag)),
        Effect.ensuring(Effect.sync(() => void inFlight--))
      )
    })
  )
}

/** Not GuardedClient: an operator's receiver is usually on a private address. */
export const layer = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watched)).pipe(
  Layer.provide(FetchHttpClient.layer)
)
