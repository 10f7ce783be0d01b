import { failure, operationFailure } from "./Failure.ts"

const retry = "Retry with exponential backoff."

export class CallNotFound extends failure("calls.not_found", 404, "No call with this id exists in this workspace.") {}

export class CallInvalidDestination extends failure(
  "calls.invalid_destination",
  422,
  "The destination is not a valid phone number.",
  "Send the number in E.164 form, such as +254700000001."
) {}

export class CallDestinationRefused extends failure(
  "calls.destination_refused",
  422,
  "The workspace may not call this destination, or the destination has no rate.",
  "See `reason`. GET /v1/calls/destination-check checks a destination before you call it."
) {}

export class CallInvalidCallbackUrl extends failure(
  "calls.invalid_callback_url",
  422,
  "The voice callback URL cannot be used.",
  "Use an absolute https URL of a public host, without user name and password."
) {}

export class CallConcurrencyLimitReached extends failure(
  "calls.concurrency_limit_reached",
  429,
  "The workspace has reached the maximum number of concurrent calls of its calling policy.",
  "Wait until a call ends, or raise max_concurrent_calls in the console."
) {}

export class CallRateLimited extends failure(
  "calls.rate_limited",
  429,
  "The workspace places more calls per second than its calling policy allows.",
  "Wait as long as Retry-After says, or raise the calls per second in the console.",
  1
) {}

export class CallSpendLimitReached extends failure(
  "calls.spend_limit_reached",
  402,
  "The workspace has reached the daily spend limit of its calling policy.",
  "Raise daily_spend_limit_minor in the console, or wait for the next day (UTC)."
) {}

export class CallNotInProgress extends failure(
  "calls.not_in_progress",
  409,
  "The call is not in progress: it is not answered yet, or has ended."
) {}

export class CallActionUnsupported extends failure(
  "calls.action_unsupported",
  422,
  "The PBX gateway of the call cannot carry out one of the actions.",
  "See `details` for the action. Leave it out, or ask the operator for a gateway that supports it."
) {}

export class CallListFailed extends operationFailure("calls.list_failed", "The calls could not be listed.", retry) {}

export class CallGetFailed extends operationFailure("calls.get_failed", "The call could not be read.", retry) {}

export class CallEventsFailed extends operationFailure(
  "calls.events_failed",
  "The events of the call could not be read.",
  retry
) {}

export class CallStatsFailed extends operationFailure(
  "calls.stats_failed",
  "The call statistics could not be computed.",
  retry
) {}

export class RecordingNotFound extends failure("calls.recording_not_found", 404, "The call was not recorded.") {}

export class RecordingProcessing extends failure(
  "calls.recording_processing",
  409,
  "The recording is still being written.",
  "Wait for the event call.recording_available, or retry as Retry-After says.",
  5
) {}

export class RecordingExpired extends failure(
  "calls.recording_expired",
  410,
  "The recording was deleted because its retention ended or the storage of the workspace was full."
) {}

export class RecordingFailed extends operationFailure(
  "calls.recording_failed",
  "The recording could not be read.",
  retry
) {}

export class CallGatewayUnavailable extends failure(
  "calls.gateway_unavailable",
  503,
  "The PBX gateway that carries the calls of this workspace is not connected.",
  "Retry after the time in Retry-After. Operators find the gateway and its state with GET /v1/admin/gateways.",
  10
) {}

export const CallErrors = [
  CallGatewayUnavailable,
  CallNotFound,
  CallInvalidDestination,
  CallDestinationRefused,
  CallInvalidCallbackUrl,
  CallConcurrencyLimitReached,
  CallRateLimited,
  CallSpendLimitReached,
  CallNotInProgress,
  CallActionUnsupported,
  CallListFailed,
  CallGetFailed,
  CallEventsFailed,
  CallStatsFailed,
  RecordingNotFound,
  RecordingProcessing,
  RecordingExpired,
  RecordingFailed
] as const
