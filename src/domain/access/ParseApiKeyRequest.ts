// Checks the values of a request for an API key.
import { Result, Schema } from "effect"
import { ApiKeyNameRequired, ApiKeyScopeInvalid } from "../errors/ApiKeyErrors.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { instantOf } from "../GivenInstant.ts"
import { isAddressRange } from "../targets/AddressRange.ts"
import type { ApiKeyFacts } from "./ApiKeyCommand.ts"
import type { ApiKeyRequest } from "./ApiKeyRecord.ts"
import { Scope } from "./Scope.ts"

const day_ms = 86_400_000
const defaultLife_ms = 365 * day_ms
const maxLife_ms = 730 * day_ms

/** `expires_at` is in epoch milliseconds. */
export type NewApiKey = Pick<ApiKeyFacts, "label" | "scopes" | "env" | "allowed_ips" | "expires_at">

const isScope = Schema.is(Scope)

const badRequest = (field: string, code: string, message: string) =>
  new BadRequest({ message, details: [{ field, code, message }] })

const readScopes = (scopes: ReadonlyArray<string>): Result.Result<ReadonlyArray<Scope>, ApiKeyScopeInvalid> => {
  if (scopes.length === 0)
    return Result.fail(new ApiKeyScopeInvalid({ message: "An API key needs at least one scope." }))
  const details = scopes.flatMap((scope, index) =>
    isScope(scope)
      ? []
      : [{ field: `/scopes/${index}`, code: "unknown_scope", message: `There is no scope ${JSON.stringify(scope)}.` }]
  )
  const [first] = details
  return first !== undefined
    ? Result.fail(new ApiKeyScopeInvalid({ message: first.message, details }))
    : Result.succeed(Scope.literals.filter((scope) => scopes.includes(scope)))
}

const readExpiry = (text: string | undefined, now: number): Result.Result<number, BadRequest> => {
  if (text === undefined) return Result.succeed(now + defaultLife_ms)
  const at = instantOf(text)
  if (at === undefined)
    return Result.fail(badRequest("/expires_at", "invalid", "expires_at is not an RFC 3339 instant."))
  if (at <= now) return Result.fail(badRequest("/expires_at", "past", "expires_at is in the past."))
  return at > now + maxLife_ms
    ? Result.fail(badRequest("/expires_at", "too_late", "An API key is valid for at most 730 days."))
    : Result.succeed(at)
}

const readRanges = (ranges: ReadonlyArray<string>): Result.Result<ReadonlyArray<string>, BadRequest> => {
  const wrong = ranges.findIndex((range) => !isAddressRange(range))
  return wrong === -1
    ? Result.succeed([...new Set(ranges)])
    : Result.fail(
        badRequest(
          `/allowed_ips/${wrong}`,
          "invalid",
          "Every entry must be an IP address or a CIDR range such as 192.0.2.0/24."
        )
      )
}

/**
 * The key that a request asks for. Fills in the defaults: env `live`, 365 days from `now` (epoch milliseconds). Admins
 * and owners create keys, and both may grant every scope.
 */
export const parseApiKeyRequest = (
  request: ApiKeyRequest,
  now: number
): Result.Result<NewApiKey, ApiKeyNameRequired | ApiKeyScopeInvalid | BadRequest> =>
  Result.gen(function* () {
    const label = request.label?.trim() ?? ""
    if (label === "")
      return yield* Result.fail(
        new ApiKeyNameRequired({
          details: [{ field: "/label", code: "required", message: "The label of the API key is missing." }]
        })
      )
    return {
      label,
      scopes: yield* readScopes(request.scopes ?? []),
      env: request.env ?? "live",
      allowed_ips: yield* readRanges(request.allowed_ips ?? []),
      expires_at: yield* readExpiry(request.expires_at, now)
    }
  })
