import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { toCallId } from "../../../src/domain/BrandedIds.ts"
import type { CallbackRequest } from "../../../src/domain/calls/state/CallbackAttempt.ts"
import { CallbackFailure, VoiceCallback } from "../../../src/domain/ports/calls/VoiceCallback.ts"
import { WebhookSender } from "../../../src/domain/ports/webhooks/WebhookSender.ts"
import type { Outcome, WebhookRequest } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { layer } from "../../../src/layers/telemetry/MeasuredCalls.ts"
import { workspaceId } from "../../support/Ids.ts"

const request: CallbackRequest = {
  url: "https://example.com/voice",
  fallback_url: null,
  workspace_id: workspaceId("01890a5d-ac96-774b-bcce-b302099a0001"),
  call_id: toCallId("01890a5d-ac96-774b-bcce-b302099a8057"),
  idempotency_key: "key",
  body: "{}",
  deadline_at: 10_000
}

/** Each ask takes a second. The third one fails. */
const slow = Layer.sync(VoiceCallback, () => {
  let asked = 0
  return VoiceCallback.of({
    ask: () =>
      Effect.andThen(
        Effect.sleep("1 second"),
        Effect.suspend(() =>
          ++asked === 3
            ? Effect.fail(new CallbackFailure({ cause: "callback_failed", detail: "Refused." }))
            : Effect.succeed([])
        )
      )
  })
})

/** Measures requests that get these statuses, one after the other, each after two seconds. */
const answering = (statuses: ReadonlyArray<number | null>) =>
  Layer.sync(WebhookSender, () => {
    let sent = 0
    return WebhookSender.of({
      send: () =>
        Effect.map(Clock.currentTimeMillis, (at): Outcome => ({
          at,
          duration_ms: 2_000,
          http_status: statuses[sent++] ?? null,
          error: null,
          response_excerpt: null,
          retry_after_ms: null
        }))
    })
  })

/** How often each outcome was counted, and the seconds that all of them took. */
const measuredOf = (id: string) =>
  Effect.map(Metric.snapshot, (all) =>
    Object.fromEntries(
      all.flatMap((metric) =>
        metric.id === id && metric.type === "Histogram"
          ? [[String(metric.attributes?.["outcome"]), [metric.state.count, metric.state.sum]]]
          : []
      )
    )
  )

describe("the measurements of what goes out", () => {
  it.effect("count each outcome by itself, in each registry of metrics", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 2; round++) {
        const services = yield* Layer.build(layer.pipe(Layer.provide([slow, answering([200, 500, 204])])))
        yield* Effect.gen(function* () {
          const { ask } = Context.get(services, VoiceCallback)
          yield* Effect.forkChild(Effect.all([1, 2, 3].map(() => Effect.ignore(ask(request)))))
          yield* TestClock.adjust("3 seconds")
          const { send } = Context.get(services, WebhookSender)
          for (let nth = 0; nth < 4; nth++) yield* send({} as WebhookRequest)
          assert.deepStrictEqual(yield* measuredOf("trunkline_callback_duration_seconds"), {
            answered: [2, 2],
            callback_failed: [1, 1]
          })
          assert.deepStrictEqual(yield* measuredOf("trunkline_webhook_attempt_duration_seconds"), {
            delivered: [2, 4],
            refused: [1, 2],
            unreachable: [1, 2]
          })
        }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
      }
    })
  )
})
