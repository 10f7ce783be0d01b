import { failure } from "./Failure.ts"

export class CallerIdNotFound extends failure(
  "caller_ids.not_found",
  404,
  "The workspace has no caller id with this id."
) {}

export class CallerIdOfPlatform extends failure(
  "caller_ids.number_of_platform",
  409,
  "The number belongs to the platform or to one of its workspaces, so no other workspace can show it.",
  "Numbers of your own workspace can be shown without a proof."
) {}

export class CallerIdRevoked extends failure(
  "caller_ids.revoked",
  403,
  "An operator has forbidden this workspace to show the number.",
  "Ask the operator of the platform."
) {}

export class CallerIdLimitReached extends failure(
  "caller_ids.limit_reached",
  409,
  "The workspace has as many caller ids as it may have.",
  "Withdraw one that is no longer used."
) {}

export class CallerIdTooManyCalls extends failure(
  "caller_ids.too_many_calls",
  429,
  "Too many codes were requested in the last 24 hours.",
  "Wait, and answer the next call yourself."
) {}

export class CallerIdCodeWrong extends failure(
  "caller_ids.code_wrong",
  422,
  "The code is not the one that the last call has spoken."
) {}

export class CallerIdCodeExpired extends failure(
  "caller_ids.code_expired",
  409,
  "No code can be entered: the last one was used, is older than ten minutes, or was guessed too often.",
  "Request another call."
) {}

export class CallerIdCallsUnavailable extends failure(
  "caller_ids.calls_unavailable",
  503,
  "This deployment has no number from which it can speak codes.",
  "Ask the operator of the platform to approve the number."
) {}

export const CallerIdErrors = [
  CallerIdNotFound,
  CallerIdOfPlatform,
  CallerIdRevoked,
  CallerIdLimitReached,
  CallerIdTooManyCalls,
  CallerIdCodeWrong,
  CallerIdCodeExpired,
  CallerIdCallsUnavailable
]
