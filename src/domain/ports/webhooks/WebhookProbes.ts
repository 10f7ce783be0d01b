import { Context, type Effect } from "effect"
import type { WebhookMessage } from "../../webhooks/DeliveryRecord.ts"
import type { ProbeAnswer } from "../../webhooks/WebhookDiagnosis.ts"

/** Sends deliveries with which a receiver is tried. */
export class WebhookProbes extends Context.Service<
  WebhookProbes,
  {
    /** `signed_body` and `signed_at` (epoch milliseconds) are what is signed, whatever is sent. It never fails. */
    readonly send: (
      request: WebhookMessage & { readonly signed_body: string; readonly signed_at: number }
    ) => Effect.Effect<ProbeAnswer>
  }
>()("trunkline/domain/ports/WebhookProbes") {}
