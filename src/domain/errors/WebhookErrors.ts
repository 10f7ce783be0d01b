import { failure, operationFailure } from "./Failure.ts"

export class WebhookNotFound extends failure(
  "webhooks.not_found",
  404,
  "No webhook subscription or delivery with this id exists in this workspace."
) {}

export class WebhookEventUnsupported extends failure(
  "webhooks.event_unsupported",
  422,
  "An entry of `events` is not a known event kind, wildcard or family.",
  "See `details` for the invalid entries."
) {}

export class WebhookLimitReached extends failure(
  "webhooks.limit_reached",
  409,
  "The workspace has reached its maximum number of webhook subscriptions.",
  "Delete a subscription that is no longer used."
) {}

export class WebhookDeliveryNotRetryable extends failure(
  "webhooks.delivery_not_retryable",
  409,
  "The delivery has ended and cannot be retried.",
  "Read the current data instead, for example a call with GET /v1/calls/{id}, or replay events with POST /v1/webhooks/{id}/replay."
) {}

export class WebhookDispatcherUnavailable extends failure(
  "webhooks.dispatcher_unavailable",
  503,
  "This deployment has no webhook dispatcher."
) {}

export class WebhookCreateFailed extends operationFailure(
  "webhooks.create_failed",
  "The webhook subscription could not be created.",
  "Retry with the same Idempotency-Key and body."
) {}

export class WebhookListFailed extends operationFailure(
  "webhooks.list_failed",
  "The webhook subscriptions or deliveries could not be listed.",
  "Retry with exponential backoff."
) {}

export class WebhookPatchFailed extends operationFailure(
  "webhooks.patch_failed",
  "The webhook subscription could not be changed.",
  "Retry with exponential backoff."
) {}

export class WebhookDeleteFailed extends operationFailure(
  "webhooks.delete_failed",
  "The webhook subscription could not be deleted.",
  "List the subscriptions to see whether it is gone before retrying."
) {}

export class WebhookRotateSecretFailed extends operationFailure(
  "webhooks.rotate_secret_failed",
  "The secret could not be rotated; the old one may still be valid.",
  "Retry with the same Idempotency-Key."
) {}

/** The last error of a delivery that is blocked; no HTTP response carries it. */
export class WebhookSecretUnset extends failure(
  "webhooks.deliver.secret_unset",
  null,
  "The subscription has no secret to sign deliveries with.",
  "Rotate the secret; the blocked deliveries are then sent."
) {}

export const WebhookErrors = [
  WebhookNotFound,
  WebhookEventUnsupported,
  WebhookLimitReached,
  WebhookDeliveryNotRetryable,
  WebhookDispatcherUnavailable,
  WebhookCreateFailed,
  WebhookListFailed,
  WebhookPatchFailed,
  WebhookDeleteFailed,
  WebhookRotateSecretFailed,
  WebhookSecretUnset
] as const
