// The client that telemetry goes out by. A receiver that is away, slow or silent costs a bounded amount of memory.
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"

const timeout = "5 seconds"
/** Of all three kinds. One more is given up together with what the exporter has gathered, and it pauses for a minute. */
const max_under_way = 8

/** The first failure after a success is told of, and the first success after a failure. */
const watched = (client: HttpClient.HttpClient) => {
  let under_way = 0
  let is_away = false

  const lost = (why: string) => {
    if (is_away) return Effect.void
    is_away = true
    return Effect.logWarning(
      `Telemetry is not taken at OTLP_URL (${why}): it is lost until it is, and the engine goes on`
    )
  }

  const taken = Effect.suspend(() => {
    if (!is_away) return Effect.void
    is_away = false
    return Effect.logInfo("Telemetry is taken at OTLP_URL again")
  })

  return HttpClient.transform(client, (answer, request) =>
    Effect.suspend(() => {
      if (under_way >= max_under_way) return Effect.die(`More than ${max_under_way} exports are under way.`)
      under_way++
      const late = new HttpClientError.TransportError({ request, description: "no answer in time" })
      return answer.pipe(
        // Its body, too: one that never ends would hold the export.
        Effect.tap((response) => response.arrayBuffer),
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(new HttpClientError.HttpClientError({ reason: late }))
        }),
        Effect.tap(({ status }) => (status < 300 ? taken : lost(`status ${status}`))),
        Effect.tapError(({ reason }) => lost(reason._tag)),
        Effect.ensuring(Effect.sync(() => void under_way--))
      )
    })
  )
}

/** Not the one for customers' targets: an operator's receiver is on a private address, as a rule. */
export const layer = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watched)).pipe(
  Layer.provide(FetchHttpClient.layer)
)
