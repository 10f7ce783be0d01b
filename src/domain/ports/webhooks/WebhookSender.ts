import { Context, type Effect } from "effect"
import type { Outcome, WebhookRequest } from "../../webhooks/DeliveryRecord.ts"

/**
 * Makes one attempt of a delivery. A failed attempt is an outcome too, not an error. The outcome has the error
 * `notSent` if the delivery of a proven receiver waited for a socket, and an attempt before it failed.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly send: (request: WebhookRequest) => Effect.Effect<Outcome>
  }
>()("trunkline/domain/ports/WebhookSender") {}
