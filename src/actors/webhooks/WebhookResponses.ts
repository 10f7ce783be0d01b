// The responses of subscriptions that are stored for their Idempotency-Keys.
import type { SubscriptionCommands, SubscriptionMessage } from "../../domain/webhooks/SubscriptionCommand.ts"
import type { SubscriptionRecord } from "../../domain/webhooks/SubscriptionRecord.ts"
import type { Reply } from "../../domain/Command.ts"
import type { Answer } from "../runtime/Definition.ts"
import { type SecretPlace, sealedIn } from "../shared/SealedResponse.ts"

export const webhookSecret: SecretPlace = "webhook_subscriptions/secret"

/** Where a subscription can be read. */
export const subscriptionLocation = ({ id }: SubscriptionRecord): string => `/v1/webhooks/${id}`

const sealed = (secret: string | null): Answer["headers"] => (secret === null ? {} : sealedIn(webhookSecret, secret))

const response = (status: number, body: unknown, headers: Answer["headers"] = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers
})

type Keyed = "Create" | "RotateSecret" | "Replay" | "Retry" | "Test"

export const subscriptionAnswers: {
  readonly [T in Keyed]: (reply: Reply<SubscriptionCommands, T>, command: SubscriptionMessage<T>) => Answer
} = {
  Create: (record, { facts }) =>
    response(201, record, { location: subscriptionLocation(record), ...sealed(facts.secret) }),
  RotateSecret: (rotation, { secret }) => response(200, rotation, sealed(secret)),
  Replay: (replay) => response(202, replay),
  Retry: (delivery) => response(202, delivery),
  Test: (result) => response(200, result)
}
