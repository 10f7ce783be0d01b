import { failure } from "./Failure.ts"

const retry = "Retry with exponential backoff."

export class CallNotFound extends failure("calls.not_found", 404, "No call with this id exists in this workspace.") {}

export class CallInvalidDestination extends failure(
  "calls.invalid_destination",
  422,
  "The destination is not a phone number that can be dialled.",
  "Send the number in E.164 form, such as +254700000001."
) {}

export class CallDestinationRefused extends failure(
  "calls.destination_refused",
  422,
  "The workspace may not call this destination, or it has no rate.",
  "See `reason`, and ask GET /v1/calls/destination-check before calling."
) {}

export class CallInvalidCallbackUrl extends failure(
  "calls.invalid_callback_url",
  422,
  "The voice callback URL cannot be used.",
  "Give an absolute https URL of a public host, without user info."
) {}

export class CallConcurrencyLimitReached extends failure(
  "calls.concurrency_limit_reached",
  429,
  "The workspace has as many calls under way as its calling policy allows.",
  "Wait for a call to end, or raise max_concurrent_calls in the dashboard."
) {}

export class CallRateLimited extends failure(
  "calls.rate_limited",
  429,
  "The workspace places calls faster than its calling policy allows.",
  "Wait for Retry-After, or raise the calls per second in the dashboard.",
  1
) {}

export class CallSpendLimitReached extends failure(
  "calls.spend_limit_reached",
  402,
  "The workspace has spent what its calling policy allows for today.",
  "Raise daily_spend_limit_minor in the dashboard, or wait for the next day (UTC)."
) {}

export class CallNotInProgress extends failure(
  "calls.not_in_progress",
  409,
  "The call is not answered, or has ended."
) {}

export class CallOriginateFailed extends failure(
  "calls.originate_failed",
  502,
  "The call could not be handed to the telephone network.",
  "Retry with the same Idempotency-Key."
) {}

export class CallListFailed extends failure("calls.list_failed", 500, "The calls could not be listed.", retry) {}

export class CallGetFailed extends failure("calls.get_failed", 500, "The call could not be read.", retry) {}

export class CallEventsFailed extends failure(
  "calls.events_failed",
  500,
  "The events of the call could not be read.",
  retry
) {}

export class CallStatsFailed extends failure(
  "calls.stats_failed",
  500,
  "The call statistics could not be computed.",
  retry
) {}

export class RecordingNotFound extends failure("calls.recording_not_found", 404, "The call was not recorded.") {}

export class RecordingProcessing extends failure(
  "calls.recording_processing",
  409,
  "The recording is still being written.",
  "Wait for the event call.recording_available, or retry.",
  5
) {}

export class RecordingExpired extends failure(
  "calls.recording_expired",
  410,
  "The recording was deleted when its time or the workspace's storage ran out."
) {}

export class RecordingFailed extends failure(
  "calls.recording_failed",
  500,
  "The recording could not be read.",
  retry
) {}

export const CallErrors = [
  CallNotFound,
  CallInvalidDestination,
  CallDestinationRefused,
  CallInvalidCallbackUrl,
  CallConcurrencyLimitReached,
  CallRateLimited,
  CallSpendLimitReached,
  CallNotInProgress,
  CallOriginateFailed,
  CallListFailed,
  CallGetFailed,
  CallEventsFailed,
  CallStatsFailed,
  RecordingNotFound,
  RecordingProcessing,
  RecordingExpired,
  RecordingFailed
] as const
