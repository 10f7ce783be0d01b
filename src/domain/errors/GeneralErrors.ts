import { failure } from "./Failure.ts"

export class BadRequest extends failure(
  "validation.bad_request",
  400,
  "The request does not have the expected shape.",
  "See `details` for the fields at fault."
) {}

export class InvalidCursor extends failure(
  "validation.invalid_cursor",
  400,
  "The cursor is damaged or belongs to another query.",
  "Start again from the first page; keep the filters the same from page to page."
) {}

export class PayloadTooLarge extends failure(
  "validation.payload_too_large",
  413,
  "The request body is larger than this route accepts."
) {}

export class RangeNotSatisfiable extends failure(
  "validation.range_not_satisfiable",
  416,
  "No byte of the range exists.",
  "See the Content-Range header for the size."
) {}

export class UnsupportedMediaType extends failure(
  "validation.unsupported_media_type",
  415,
  "The request body has a media type that this route does not accept.",
  "Send JSON with the header Content-Type: application/json."
) {}

export class RequestTimeout extends failure(
  "validation.request_timeout",
  408,
  "The request took too long to arrive.",
  "Send the head of a request within 10 seconds, the whole of it within 30."
) {}

export class UriTooLong extends failure(
  "validation.uri_too_long",
  414,
  "The path and query of the request are longer than 16 KiB."
) {}

export class ExpectationFailed extends failure(
  "validation.expectation_failed",
  417,
  "The header Expect asks for what no route can do.",
  "Send no Expect header, or 100-continue."
) {}

export class HeadersTooLarge extends failure(
  "validation.headers_too_large",
  431,
  "The request line and the headers together are longer than 16 KiB."
) {}

export class IdempotencyKeyInvalid extends failure(
  "idempotency.key_invalid",
  400,
  "The Idempotency-Key is not usable.",
  "Send 1 to 255 printable ASCII characters; a random UUID is a good key."
) {}

export class IdempotencyConflict extends failure(
  "idempotency.conflict",
  409,
  "This Idempotency-Key was used with another body.",
  "Use a new key for a new request."
) {}

export class IdempotencyInProgress extends failure(
  "idempotency.in_progress",
  409,
  "A request with this Idempotency-Key is still being processed.",
  "Wait for Retry-After, then retry with the same key and body.",
  1
) {}

export class RateLimited extends failure(
  "rate_limited",
  429,
  "Too many requests.",
  "Wait for Retry-After; spread requests evenly.",
  1
) {}

export class NotFound extends failure("not_found", 404, "Nothing exists here.") {}

export class MethodNotAllowed extends failure(
  "method_not_allowed",
  405,
  "This path does not support the method.",
  "See the Allow header for the methods it supports."
) {}

export class InternalError extends failure(
  "internal_error",
  500,
  "The engine failed to handle the request.",
  "Retry with exponential backoff and the same Idempotency-Key; quote request_id to support if it persists."
) {}

export class ServiceUnavailable extends failure(
  "service_unavailable",
  503,
  "The engine cannot take this request now; try again.",
  "Wait for Retry-After, then retry with the same Idempotency-Key.",
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
