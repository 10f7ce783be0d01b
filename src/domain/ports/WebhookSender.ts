import { Context, type Effect } from "effect"
import type { SignatureFormat } from "../signing/SignatureHeader.ts"
import type { Outcome } from "../webhooks/DeliveryRecord.ts"

export interface WebhookRequest {
  readonly url: string
  readonly delivery_id: string
  readonly event_kind: string
  /** JSON text. */
  readonly body: string
  readonly signature_format: SignatureFormat
  /** The valid secrets, newest first. */
  readonly secrets: ReadonlyArray<string>
}

/** Makes one attempt of a delivery. A failed attempt is an outcome too, not an error. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly send: (request: WebhookRequest) => Effect.Effect<Outcome>
  }
>()("trunkline/domain/ports/WebhookSender") {}
