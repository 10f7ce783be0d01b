// `trunkline/webhooks`: receives webhooks. It depends on nothing.
import type { WebhookEvent } from "./generated/Types.ts"
import {
  headerOf,
  type SignedRequest,
  verified,
  type VerifyOptions,
  WebhookVerificationError
} from "./WebhookVerification.ts"

export type { WebhookEvent } from "./generated/Types.ts"
export {
  type HeadersLike,
  type SignedRequest,
  type VerificationCheck,
  type VerifyOptions
} from "./WebhookVerification.ts"
export { WebhookVerificationError } from "./WebhookVerification.ts"

export type EventKind = WebhookEvent["event_kind"]
export type EventOf<Kind extends EventKind> = Extract<WebhookEvent, { readonly event_kind: Kind }>

/**
 * Returns the event, if one of the secrets signed it. Fails with WebhookVerificationError, whose `check` says what is
 * wrong. While a secret is replaced, pass both. It reads a copy of a `Request`. Newer engines send further kinds, so
 * keep a default branch.
 */
export const verifyWebhook = async (
  input: SignedRequest,
  secrets: string | ReadonlyArray<string>,
  options?: VerifyOptions
): Promise<WebhookEvent> => (await verified(input, secrets, options)) as WebhookEvent

export interface WebhookHandlerOptions extends VerifyOptions {
  readonly secrets: string | ReadonlyArray<string>
  /** What is done for an event, by its kind. The payload comes first. */
  readonly on: {
    readonly [Kind in EventKind]?: (payload: EventOf<Kind>["payload"], event: EventOf<Kind>) => unknown
  }
  /** Whether this delivery was handled before. Deliveries are repeated until one is answered with 2xx. */
  readonly seen?: (deliveryId: string) => boolean | Promise<boolean>
}

/** A handler for servers of the fetch API. It answers 204, and 400 with the name of the check that failed. */
export const webhookHandler =
  ({ on, secrets, seen, ...options }: WebhookHandlerOptions): ((request: Request) => Promise<Response>) =>
  async (request) => {
    let event: WebhookEvent
    try {
      event = await verifyWebhook(request, secrets, options)
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.check, { status: 400 })
      throw error
    }
    const delivery = headerOf(request.headers, "x-service-idempotency-key") ?? event.id
    if ((await seen?.(delivery)) !== true) {
      const handle = on[event.event_kind] as ((payload: unknown, event: WebhookEvent) => unknown) | undefined
      await handle?.(event.payload, event)
    }
    return new Response(null, { status: 204 })
  }
