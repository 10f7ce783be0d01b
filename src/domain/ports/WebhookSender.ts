import { Context, type Effect } from "effect"
import type { SignatureFormat } from "../signing/SignatureHeader.ts"
import type { Outcome } from "../webhooks/DeliveryRecord.ts"

export interface WebhookRequest {
  readonly url: string
  readonly delivery_id: string
  readonly event_kind: string
  /** The JSON text of the request's body. */
  readonly body: string
  readonly signature_format: SignatureFormat
  /** Those in force, the newest first. */
  readonly secrets: ReadonlyArray<string>
}

/** Makes one attempt. Every way in which it can end is an outcome. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly send: (request: WebhookRequest) => Effect.Effect<Outcome>
  }
>()("trunkline/domain/ports/WebhookSender") {}
