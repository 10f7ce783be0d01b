import { failure } from "./Failure.ts"

export class BadRequest extends failure(
  "validation.bad_request",
  400,
  "The request is not valid.",
  "See `details` for the invalid fields."
) {}

export class InvalidCursor extends failure(
  "validation.invalid_cursor",
  400,
  "The cursor is not valid, or belongs to a different query.",
  "Start again from the first page, and send the same filters with every page."
) {}

export class PayloadTooLarge extends failure(
  "validation.payload_too_large",
  413,
  "The request body is larger than this route accepts."
) {}

export class RangeNotSatisfiable extends failure(
  "validation.range_not_satisfiable",
  416,
  "The requested range is beyond the end of the file.",
  "See the header Content-Range for the size."
) {}

export class UnsupportedMediaType extends failure(
  "validation.unsupported_media_type",
  415,
  "This route does not accept the media type of the request body.",
  "Send JSON with the header Content-Type: application/json."
) {}

export class RequestTimeout extends failure(
  "validation.request_timeout",
  408,
  "The request took too long to arrive.",
  "Send the headers within 10 seconds and the whole request within 30 seconds."
) {}

export class UriTooLong extends failure(
  "validation.uri_too_long",
  414,
  "The path and query of the request are longer than 16 KiB."
) {}

export class ExpectationFailed extends failure(
  "validation.expectation_failed",
  417,
  "The value of the header Expect is not supported.",
  "Omit the header Expect, or send 100-continue."
) {}

export class HeadersTooLarge extends failure(
  "validation.headers_too_large",
  431,
  "The request line and the headers together are longer than 16 KiB."
) {}

export class IdempotencyKeyInvalid extends failure(
  "idempotency.key_invalid",
  400,
  "The Idempotency-Key is not valid.",
  "Send 1 to 255 printable ASCII characters, for example a random UUID."
) {}

export class IdempotencyConflict extends failure(
  "idempotency.conflict",
  409,
  "This Idempotency-Key was already used with a different request.",
  "Use a new key for a new request."
) {}

export class IdempotencyInProgress extends failure(
  "idempotency.in_progress",
  409,
  "A request with this Idempotency-Key is still being processed.",
  "Wait as long as Retry-After says, then retry with the same key and body.",
  1
) {}

export class RateLimited extends failure(
  "rate_limited",
  429,
  "Too many requests.",
  "Wait as long as Retry-After says, and send requests more slowly.",
  1
) {}

export class NotFound extends failure("not_found", 404, "No route or resource exists at this path.") {}

export class MethodNotAllowed extends failure(
  "method_not_allowed",
  405,
  "This path does not support the HTTP method.",
  "See the header Allow for the supported methods."
) {}

export class InternalError extends failure(
  "internal_error",
  500,
  "The request failed because of an internal error.",
  "Retry with exponential backoff and the same Idempotency-Key. If the error persists, contact support with the request_id."
) {}

export class ServiceUnavailable extends failure(
  "service_unavailable",
  503,
  "The engine cannot handle this request at the moment.",
  "Wait as long as Retry-After says, then retry with the same Idempotency-Key.",
  1
) {}

export const GeneralErrors = [
  BadRequest,
  InvalidCursor,
  PayloadTooLarge,
  UnsupportedMediaType,
  RangeNotSatisfiable,
  RequestTimeout,
  UriTooLong,
  ExpectationFailed,
  HeadersTooLarge,
  IdempotencyKeyInvalid,
  IdempotencyConflict,
  IdempotencyInProgress,
  RateLimited,
  NotFound,
  MethodNotAllowed,
  InternalError,
  ServiceUnavailable
] as const
