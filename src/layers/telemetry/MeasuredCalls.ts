// Measures what goes out: voice callbacks and webhook deliveries.
import { Clock, Effect, Exit, Layer, Metric, Option } from "effect"
import { type CallbackFailure, VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import { notSent } from "../../domain/webhooks/Settlement.ts"
import { WebhookSender } from "../../domain/ports/webhooks/WebhookSender.ts"
import type { Outcome } from "../../domain/webhooks/DeliveryRecord.ts"

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

const callbacks = Metric.histogram("trunkline_callback_duration_seconds", {
  description: "Time that voice callbacks take to answer, repetitions included, by outcome.",
  boundaries: seconds
})
const attempts = Metric.histogram("trunkline_webhook_attempt_duration_seconds", {
  description: "Time that receivers of webhooks take to answer, by outcome.",
  boundaries: seconds
})

type Durations = typeof callbacks

/** Giving a metric its labels costs more than counting, so each outcome has its metric. They are few. */
const known = new Map<Durations, Map<string, Durations>>([
  [callbacks, new Map()],
  [attempts, new Map()]
])

const ofOutcome = (metric: Durations, outcome: string): Durations => {
  const found = known.get(metric)?.get(outcome)
  if (found !== undefined) return found
  const made = Metric.withAttributes(metric, { outcome })
  known.get(metric)?.set(outcome, made)
  return made
}

/** Prometheus sees no increase in what begins with 1. */
const fromZero = (metric: Durations, outcomes: ReadonlyArray<string>) =>
  Effect.forEach(outcomes, (outcome) => Metric.value(ofOutcome(metric, outcome)), { discard: true })

const measured = (metric: Durations, outcome: string, from: number, to: number) =>
  Metric.update(ofOutcome(metric, outcome), (to - from) / 1_000)

const interrupted = "interrupted"
/** The compiler names a cause that the port adds. */
const causes = {
  callback_failed: true,
  callback_timeout: true,
  voice_action_invalid: true
} satisfies Record<CallbackFailure["cause"], true>
const callbackOutcomes = ["answered", ...Object.keys(causes), interrupted]

/** The same callbacks. `outcome` is `answered`, or the cause of the failure. */
const voice = Layer.effect(
  VoiceCallback,
  Effect.map(Effect.tap(VoiceCallback, fromZero(callbacks, callbackOutcomes)), ({ ask }) =>
    VoiceCallback.of({
      ask: (request) =>
        Effect.flatMap(Clock.currentTimeMillis, (from) =>
          Effect.onExit(ask(request), (exit) => {
            const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
            const outcome = Exit.isSuccess(exit) ? "answered" : (failure?.cause ?? interrupted)
            return Effect.flatMap(Clock.currentTimeMillis, (to) => measured(callbacks, outcome, from, to))
          })
        )
    })
  )
)

const deliveryOutcomes = ["delivered", "refused", "unreachable"] as const

const outcomeOf = ({ http_status }: Outcome): (typeof deliveryOutcomes)[number] => {
  if (http_status === null) return "unreachable"
  return http_status >= 200 && http_status < 300 ? "delivered" : "refused"
}

/** The same sender. `outcome` is `delivered`, `refused` by an answer, or `unreachable`. */
const webhooks = Layer.effect(
  WebhookSender,
  Effect.map(Effect.tap(WebhookSender, fromZero(attempts, deliveryOutcomes)), ({ send }) =>
    WebhookSender.of({
      send: (request) =>
        Effect.tap(send(request), (outcome) =>
          outcome.error === notSent
            ? Effect.void
            : measured(attempts, outcomeOf(outcome), outcome.at, outcome.at + outcome.duration_ms)
        )
    })
  )
)

export const layer: Layer.Layer<VoiceCallback | WebhookSender, never, VoiceCallback | WebhookSender> = Layer.merge(
  voice,
  webhooks
)
