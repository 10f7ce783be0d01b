// Requests with one fault each, and the error that each is answered with.
import { originateBody, type Question } from "./HttpTester.ts"

export const id = "0190f5fe-7c00-7a00-8000-0000000000ff"
export const originate = "/v1/calls/originate"
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

/** [what is wrong, the request, status, code, the field at fault] */
export const bodies: ReadonlyArray<[string, unknown, number, string, string?]> = [
  ["malformed JSON", '{"to":', 400, "validation.bad_request", ""],
  ["a member without a colon", '{\n  "to" "+254711000001"\n}', 400, "validation.bad_request", ""],
  [
    "a misspelt member",
    { ...originateBody, from: undefined, form: "+254700000001" },
    400,
    "validation.bad_request",
    "/from"
  ],
  ["no body", "", 400, "validation.bad_request", ""],
  ["an array", "[]", 400, "validation.bad_request", ""],
  ["null", "null", 400, "validation.bad_request", ""],
  ["a missing field", { ...originateBody, to: undefined }, 400, "validation.bad_request", "/to"],
  ["a wrong type", { ...originateBody, from: 7 }, 400, "validation.bad_request", "/from"],
  [
    "a number out of range",
    { ...originateBody, timeout_seconds: 4 },
    400,
    "validation.bad_request",
    "/timeout_seconds"
  ],
  ["a fraction", { ...originateBody, timeout_seconds: 30.5 }, 400, "validation.bad_request", "/timeout_seconds"],
  ["a wrong type deep in it", { ...originateBody, metadata: { a: 1 } }, 400, "validation.bad_request", "/metadata/a"],
  [
    "too many members",
    { ...originateBody, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [n, ""])) },
    400,
    "validation.bad_request",
    "/metadata"
  ],
  [
    "a caller name too long",
    { ...originateBody, caller_name: "x".repeat(33) },
    400,
    "validation.bad_request",
    "/caller_name"
  ],
  [
    "a caller name with a line break",
    { ...originateBody, caller_name: "Acme\r\nX-Evil: 1" },
    400,
    "validation.bad_request",
    "/caller_name"
  ],
  ["digits that no phone has", { ...originateBody, send_digits: "12E" }, 400, "validation.bad_request", "/send_digits"],
  ["too many digits", { ...originateBody, send_digits: "1".repeat(65) }, 400, "validation.bad_request", "/send_digits"],
  [
    "an unknown machine detection mode",
    { ...originateBody, machine_detection: "yes" },
    400,
    "validation.bad_request",
    "/machine_detection"
  ],
  [
    "a machine detection timeout that is too short",
    { ...originateBody, machine_detection_timeout_seconds: 4 },
    400,
    "validation.bad_request",
    "/machine_detection_timeout_seconds"
  ],
  ["an unknown way to record", { ...originateBody, record: "always" }, 400, "validation.bad_request", "/record"],
  [
    "a maximum duration that is too short",
    { ...originateBody, max_duration_seconds: 59 },
    400,
    "validation.bad_request",
    "/max_duration_seconds"
  ],
  [
    "a value too long",
    { ...originateBody, metadata: { a: "x".repeat(513) } },
    400,
    "validation.bad_request",
    "/metadata/a"
  ],
  [
    "a reference too long",
    { ...originateBody, client_reference: "x".repeat(65) },
    400,
    "validation.bad_request",
    "/client_reference"
  ],
  ["a NUL", { ...originateBody, client_reference: "a\0b" }, 400, "validation.bad_request", "/client_reference"],
  ["a NUL in a name", { ...originateBody, metadata: { "a\0": "b" } }, 400, "validation.bad_request", "/metadata"],
  [
    "half a surrogate pair",
    `${JSON.stringify(originateBody).slice(0, -1)},"client_reference":"\\ud800"}`,
    400,
    "validation.bad_request",
    "/client_reference"
  ],
  ["65 levels", nested(65), 400, "validation.bad_request", ""],
  ["100,000 levels", nested(100_000), 400, "validation.bad_request", ""],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, "validation.bad_request", ""],
  ["an overlong encoding", new Uint8Array([0x22, 0xc0, 0x80, 0x22]), 400, "validation.bad_request", ""],
  ["256 KiB and a byte", " ".repeat(256 * 1024 + 1), 413, "validation.payload_too_large"]
]

export const requests: ReadonlyArray<[string, Question, number, string]> = [
  [
    "plain text",
    { path: originate, body: "{}", headers: { "content-type": "text/plain" } },
    415,
    "validation.unsupported_media_type"
  ],
  [
    "a form",
    { path: originate, body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } },
    415,
    "validation.unsupported_media_type"
  ],
  [
    "another JSON",
    { path: originate, body: "{}", headers: { "content-type": "application/jsonp" } },
    415,
    "validation.unsupported_media_type"
  ],
  ...["utf-16", '"UTF-16LE"', "utf-7", "iso-8859-1", "utf-8; charset=utf-7"].map(
    (charset): [string, Question, number, string] => [
      `JSON in ${charset}`,
      { path: originate, body: "{}", headers: { "content-type": `application/json; charset=${charset}` } },
      415,
      "validation.unsupported_media_type"
    ]
  ),
  [
    "an empty body of another type",
    { path: originate, body: "", headers: { "content-type": "text/plain" } },
    415,
    "validation.unsupported_media_type"
  ],
  ["an unknown path", { path: "/v1/nothing" }, 404, "not_found"],
  ["a misspelt path", { path: "/v1/wallet/ballance" }, 404, "not_found"],
  ["a path without its version", { path: "/calls" }, 404, "not_found"],
  ["the root", { path: "/" }, 404, "not_found"],
  ["a path with a NUL", { path: "/v1/calls/%00" }, 404, "calls.not_found"],
  ["a path that is no UTF-8", { path: "/v1/calls/%ff%fe" }, 404, "not_found"],
  ["broken percent-encoding", { path: "/v1/calls/%zz" }, 404, "not_found"],
  ["a path of 8 KiB", { path: `/v1/calls/${"a".repeat(8192)}` }, 404, "not_found"],
  ["a wrong method", { path: originate, method: "DELETE" }, 405, "method_not_allowed"],
  ["OPTIONS", { path: originate, method: "OPTIONS" }, 405, "method_not_allowed"],
  ["an id that is none", { path: "/v1/calls/17" }, 404, "calls.not_found"],
  ["an id that is nearly one", { path: `/v1/calls/${id}0` }, 404, "calls.not_found"],
  ["an unknown call", { path: `/v1/calls/${id}` }, 404, "calls.not_found"],
  ["an unknown session", { path: "/v1/calls/HD_nothing" }, 404, "calls.not_found"],
  ["events of an unknown call", { path: `/v1/calls/${id}/events` }, 404, "calls.not_found"],
  ["the end of an unknown call", { path: `/v1/calls/${id}/terminate`, method: "POST" }, 404, "calls.not_found"],
  [
    "a reason with a wrong type",
    { path: `/v1/calls/${id}/terminate`, body: { reason: 1 } },
    400,
    "validation.bad_request"
  ],
  ["a change of an unknown call", { path: `/v1/calls/${id}/update`, body: { mute: true } }, 404, "calls.not_found"],
  [
    "a change that is neither on nor off",
    { path: `/v1/calls/${id}/update`, body: { mute: "on" } },
    400,
    "validation.bad_request"
  ],
  [
    "a voice-action document of 64 KiB or more",
    { path: "/v1/voice-actions/validate", body: { actions: [{ say: { text: "x".repeat(65_536) } }] } },
    413,
    "validation.payload_too_large"
  ],
  ["an unknown number", { path: `/v1/numbers/${id}` }, 404, "numbers.not_found"],
  ["a number's id that is none", { path: "/v1/numbers/x" }, 404, "numbers.not_found"],
  ["a subscription's id that is none", { path: "/v1/webhooks/x" }, 404, "webhooks.not_found"],
  [
    "a change of an unknown subscription",
    { path: `/v1/webhooks/${id}`, method: "PATCH", body: {} },
    404,
    "webhooks.not_found"
  ],
  [
    "the deletion of a subscription with a malformed id",
    { path: "/v1/webhooks/x", method: "DELETE" },
    404,
    "webhooks.not_found"
  ],
  [
    "a status that cannot be set",
    { path: `/v1/webhooks/${id}`, method: "PATCH", body: { status: "disabled" } },
    400,
    "validation.bad_request"
  ],
  [
    "an overlap of more than a day",
    { path: `/v1/webhooks/${id}/rotate-secret`, body: { previous_valid_seconds: 86_401 } },
    400,
    "validation.bad_request"
  ],
  [
    "a test of an unknown kind",
    { path: `/v1/webhooks/${id}/test`, body: { event_kind: "call.*" } },
    400,
    "validation.bad_request"
  ],
  ["a delivery's id that is none", { path: `/v1/webhooks/${id}/deliveries/x` }, 404, "webhooks.not_found"],
  ["a misspelt query parameter", { path: "/v1/calls?statuss=completed" }, 400, "validation.bad_request"],
  ["an unknown query parameter", { path: "/v1/wallet/balance?verbose=1" }, 400, "validation.bad_request"],
  ["limit 0", { path: "/v1/calls?limit=0" }, 400, "validation.bad_request"],
  ["limit -1", { path: "/v1/calls?limit=-1" }, 400, "validation.bad_request"],
  ["limit 1.5", { path: "/v1/calls?limit=1.5" }, 400, "validation.bad_request"],
  ["limit ten", { path: "/v1/calls?limit=ten" }, 400, "validation.bad_request"],
  ["limit empty", { path: "/v1/calls?limit=" }, 400, "validation.bad_request"],
  ["limit twice", { path: "/v1/calls?limit=1&limit=2" }, 400, "validation.bad_request"],
  ["a cursor made up", { path: "/v1/calls?cursor=abc" }, 400, "validation.invalid_cursor"],
  ["an empty cursor", { path: "/v1/calls?cursor=" }, 400, "validation.invalid_cursor"],
  ["an unknown status", { path: "/v1/calls?status=gone" }, 400, "validation.bad_request"],
  ["a filter with a NUL", { path: "/v1/calls?from=%00" }, 400, "validation.bad_request"],
  ["an instant that is none", { path: "/v1/calls?created_after=yesterday" }, 400, "validation.bad_request"],
  [
    "a year that the database does not support",
    { path: "/v1/wallet/statements?from=0000-01-01T00:00:00Z" },
    400,
    "validation.bad_request"
  ],
  ["an impossible instant", { path: "/v1/calls?created_after=2026-13-45T00:00:00Z" }, 400, "validation.bad_request"],
  ["an unknown kind", { path: "/v1/wallet/statements?kind=gift" }, 400, "validation.bad_request"]
]
