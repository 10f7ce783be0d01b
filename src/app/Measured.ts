// The journal and what goes out, with the metrics and the log around them.
import { Effect, Layer } from "effect"
import { AllowedTargets } from "../domain/ports/engine/AllowedTargets.ts"
import { HttpVoiceCallback } from "../layers/http-client/HttpVoiceCallback.ts"
import { HttpWebhookProbes, HttpWebhookSender } from "../layers/http-client/HttpWebhookSender.ts"
import * as AlertLog from "../layers/journal/AlertLog.ts"
import * as JournalMetrics from "../layers/journal/JournalMetrics.ts"
import * as PostgresJournal from "../layers/postgres/journal/Journal.ts"
import * as ActivityLog from "../layers/telemetry/ActivityLog.ts"
import * as MeasuredCalls from "../layers/telemetry/MeasuredCalls.ts"

/** The journal in PostgreSQL. */
export const journal = (environment: ActivityLog.Environment) =>
  ActivityLog.journal(environment).pipe(
    Layer.provide(AlertLog.layer),
    Layer.provide(JournalMetrics.layer),
    Layer.provide(PostgresJournal.layer)
  )

/** Voice callbacks and webhooks. */
export const outgoing = (environment: ActivityLog.Environment) =>
  Layer.unwrap(
    Effect.map(AllowedTargets, (policy) => {
      // Whether a URL may use http was decided when it was set: the events_url of a number may.
      const webhooks = { policy: { ...policy, allow_insecure: true } }
      return Layer.merge(
        ActivityLog.outgoing(environment).pipe(
          Layer.provide(MeasuredCalls.layer),
          Layer.provide([HttpVoiceCallback({ policy }), HttpWebhookSender(webhooks)])
        ),
        HttpWebhookProbes(webhooks)
      )
    })
  )
