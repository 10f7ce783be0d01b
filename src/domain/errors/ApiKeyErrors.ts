import { failure } from "./Failure.ts"

export class ApiKeyMissing extends failure(
  "api_key.missing",
  401,
  "The request carries no API key.",
  "Send the header `Authorization: Bearer <API_KEY>`."
) {}

export class ApiKeyInvalid extends failure(
  "api_key.invalid",
  401,
  "The API key is malformed or was not issued here.",
  "Check that the whole key was copied, and that it belongs to this deployment."
) {}

export class ApiKeyExpired extends failure(
  "api_key.expired",
  401,
  "The API key has expired.",
  "Create a new key in the console and replace this one."
) {}

export class ApiKeyRevoked extends failure(
  "api_key.revoked",
  401,
  "The API key was revoked.",
  "Create a new key in the console and replace this one."
) {}

export class ApiKeyScopeDenied extends failure(
  "api_key.scope_denied",
  403,
  "The API key does not have the scope that this route requires.",
  "Use a key with this scope. A write scope does not include the read scope."
) {}

export class TestModeRequired extends failure(
  "api_key.test_mode_required",
  403,
  "This route works in test mode only.",
  "Use a key of the environment `test`, or the header `X-Service-Mode: test` with a session."
) {}

export class ApiKeyScopeInvalid extends failure(
  "api_key.scope_invalid",
  422,
  "A requested scope does not exist, or your role cannot grant it."
) {}

export class ApiKeyNameRequired extends failure(
  "api_key.name_required",
  422,
  "The label of the API key is missing.",
  "Send a non-empty label."
) {}

export class ApiKeyLimitReached extends failure(
  "api_key.limit_reached",
  409,
  "The workspace has 100 API keys that are neither revoked nor expired, and may not have more.",
  "Revoke a key that is no longer used."
) {}

export class ApiKeyNotFound extends failure(
  "api_key.not_found",
  404,
  "No API key with this id exists in this workspace."
) {}

export class ApiKeyAlreadyRevoked extends failure(
  "api_key.already_revoked",
  409,
  "The API key is already revoked; nothing was changed."
) {}

export class AuditActionKindInvalid extends failure(
  "audit.invalid_action_kind",
  422,
  "The filter contains an unknown action kind."
) {}

export const ApiKeyErrors = [
  ApiKeyMissing,
  ApiKeyInvalid,
  ApiKeyExpired,
  ApiKeyRevoked,
  ApiKeyScopeDenied,
  TestModeRequired,
  ApiKeyScopeInvalid,
  ApiKeyNameRequired,
  ApiKeyLimitReached,
  ApiKeyNotFound,
  ApiKeyAlreadyRevoked,
  AuditActionKindInvalid
] as const
