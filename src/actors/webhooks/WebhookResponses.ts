// The answers of subscriptions that are kept for their Idempotency-Keys.
import type { SubscriptionCommand, SubscriptionReply } from "../../domain/webhooks/SubscriptionCommand.ts"
import type { SubscriptionRecord } from "../../domain/webhooks/SubscriptionRecord.ts"
import type { Answer } from "../runtime/Definition.ts"
import { type SecretPlace, sealedIn } from "../shared/SealedResponse.ts"

export const webhookSecret: SecretPlace = "webhook_subscriptions/secret"

/** Where a subscription can be read. */
export const createdLocation = ({ id }: SubscriptionRecord): string => `/v1/webhooks/${id}`

const sealed = (secret: string | null): Answer["headers"] => (secret === null ? {} : sealedIn(webhookSecret, secret))

const plain = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body), headers: {} })

export const webhookAnswer = (command: SubscriptionCommand, reply: SubscriptionReply): Answer => {
  switch (reply._tag) {
    case "Created": {
      const secret = command._tag === "Create" ? command.facts.secret : null
      const headers = { location: createdLocation(reply.record), ...sealed(secret) }
      return { ...plain(201, reply.record), headers }
    }
    case "Rotated":
      return { ...plain(200, reply.rotation), headers: sealed(command._tag === "RotateSecret" ? command.secret : null) }
    case "Replayed":
      return plain(202, reply.replay)
    case "Retried":
      return plain(202, reply.delivery)
    case "Tested":
      return plain(200, reply.result)
    case "Shown":
    case "Routed":
    case "InFlight":
    case "Sending":
    case "Noted":
      return plain(200, {})
  }
}
