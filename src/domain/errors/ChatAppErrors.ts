import { failure } from "./Failure.ts"

export class ChatAppNotProvisioned extends failure(
  "chatapp.not_provisioned",
  404,
  "Chat-app calling is not set up for this number.",
  "Set it up with POST /v1/numbers/{id}/chatapp/trunk."
) {}

export class ChatAppSettingsInvalid extends failure(
  "chatapp.settings_invalid",
  422,
  "The call settings are not valid.",
  "See `details` for the invalid fields."
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
  "Raise the messaging tier of the number to at least 2,000 conversations a day."
) {}

export class ChatAppTrunkNotRetryable extends failure(
  "chatapp.trunk_not_retryable",
  409,
  "The chat-app trunk has not failed; only a failed one can be retried."
) {}

export const ChatAppErrors = [
  ChatAppNotProvisioned,
  ChatAppSettingsInvalid,
  ChatAppProviderRejected,
  ChatAppProviderUnavailable,
  ChatAppNotEligible,
  ChatAppTrunkNotRetryable
] as const
