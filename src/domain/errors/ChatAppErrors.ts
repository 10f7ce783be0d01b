import { failure } from "./Failure.ts"

export class ChatAppNotProvisioned extends failure(
  "chatapp.not_provisioned",
  404,
  "The number has no chat-app calling.",
  "Provision its trunk with POST /v1/numbers/{id}/chatapp/trunk."
) {}

export class ChatAppSettingsInvalid extends failure(
  "chatapp.settings_invalid",
  422,
  "The call settings are not valid.",
  "See `details` for the fields at fault."
) {}

export class ChatAppProviderRejected extends failure(
  "chatapp.provider_rejected",
  502,
  "The chat-app provider refused the change; nothing was changed."
) {}

export class ChatAppProviderUnavailable extends failure(
  "chatapp.provider_unavailable",
  503,
  "The chat-app provider cannot be reached.",
  "Retry with exponential backoff."
) {}

export class ChatAppNotEligible extends failure(
  "chatapp.not_eligible",
  409,
  "The chat-app provider does not allow calling for this number yet.",
  "Raise the messaging tier of the number to 2,000 conversations."
) {}

export class ChatAppTrunkNotRetryable extends failure(
  "chatapp.trunk_not_retryable",
  409,
  "Only a failed chat-app trunk can be retried."
) {}

export const ChatAppErrors = [
  ChatAppNotProvisioned,
  ChatAppSettingsInvalid,
  ChatAppProviderRejected,
  ChatAppProviderUnavailable,
  ChatAppNotEligible,
  ChatAppTrunkNotRetryable
] as const
