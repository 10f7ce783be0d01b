// The journal and what goes out, with the metrics that are counted around them.
import { Effect, Layer } from "effect"
import { AllowedTargets } from "../domain/ports/engine/AllowedTargets.ts"
import { HttpVoiceCallback } from "../layers/http-client/HttpVoiceCallback.ts"
import { HttpWebhookProbes, HttpWebhookSender } from "../layers/http-client/HttpWebhookSender.ts"
import * as AlertLog from "../layers/journal/AlertLog.ts"
import * as JournalMetrics from "../layers/journal/JournalMetrics.ts"
import * as PostgresJournal from "../layers/postgres/journal/Journal.ts"
import * as MeasuredCalls from "../layers/telemetry/MeasuredCalls.ts"

/** The journal in PostgreSQL. */
export const journal = AlertLog.layer.pipe(Layer.provide(JournalMetrics.layer), Layer.provide(PostgresJournal.layer))

/** Voice callbacks and webhooks. */
export const outgoing = Layer.unwrap(
  Effect.map(AllowedTargets, (policy) => {
    // Whether a URL may use http was decided when it was set: the events_url of a number may.
    const webhooks = { policy: { ...policy, allow_insecure: true } }
    return Layer.merge(
      MeasuredCalls.layer.pipe(Layer.provide([HttpVoiceCallback({ policy }), HttpWebhookSender(webhooks)])),
      HttpWebhookProbes(webhooks)
    )
  })
)
