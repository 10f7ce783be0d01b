// What is to happen when a number is called, and where the events of its calls go (docs/numbers.md).
import { Result, Schema } from "effect"
import type { Failure } from "../errors/Failure.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { NumberInvalidRoutingUrl } from "../errors/NumberErrors.ts"
import { type TargetPolicy, targetUrl } from "../targets/TargetUrl.ts"

const nullable = Schema.NullOr

export const RecordMode = Schema.Literals([
  "do-not-record", "record-from-answer", "record-from-ringing", "record-from-answer-dual", "record-from-ringing-dual"
]).annotate({ identifier: "RecordMode" })

const ForwardType = Schema.Literals(["none", "extension", "extensions", "e164", "sip"])
const ForwardValue = nullable(Schema.Union([
  Schema.String.check(Schema.isMaxLength(255)),
  Schema.Array(Schema.String.check(Schema.isMaxLength(255))).check(Schema.isMaxLength(10))
]))

export const ForwardTo = Schema.Struct({
  type: ForwardType,
  value: ForwardValue.annotate({
    description: "An extension of four digits, a list of one to ten of them, an E.164 number, or a SIP URI; null for `none`."
  }),
  sequential: nullable(Schema.Boolean).annotate({
    description: "Of several extensions: one after the other, or, the default, all at once."
  })
})
export type ForwardTo = typeof ForwardTo.Type

export const Routing = Schema.Struct({
  events_url: nullable(Schema.String).annotate({ description: "Where the call events of this number are delivered." }),
  voice_url: nullable(Schema.String).annotate({ description: "Asked what to do with an inbound call." }),
  voice_fallback_url: nullable(Schema.String).annotate({ description: "Asked where `voice_url` cannot be reached." }),
  forward_to: ForwardTo,
  ring_timeout_seconds: Schema.Int,
  record: RecordMode,
  reject_when_no_funds_message: nullable(Schema.String).annotate({
    description: "Said to a caller who is refused because the wallet is empty; null: they are refused without a word."
  })
}).annotate({ identifier: "NumberRouting" })
export type Routing = typeof Routing.Type

/** What a number does until it is told otherwise. */
export const default_routing: Routing = {
  events_url: null,
  voice_url: null,
  voice_fallback_url: null,
  forward_to: { type: "none", value: null, sequential: null },
  ring_timeout_seconds: 30,
  record: "do-not-record",
  reject_when_no_funds_message: null
}

/** Whatever was kept of a routing, completed. */
export const routingOf = (kept: Partial<Routing>): Routing => ({ ...default_routing, ...kept })

const Url = nullable(Schema.String).annotate({ description: "Absolute http or https URL." })

/** The body of PATCH and PUT. Shape alone: what the values mean is checked after it. */
export const RoutingRequest = Schema.Struct({
  events_url: Schema.optionalKey(Url),
  voice_url: Schema.optionalKey(Url),
  voice_fallback_url: Schema.optionalKey(Url),
  forward_to: Schema.optionalKey(nullable(Schema.Struct({
    type: ForwardType,
    value: Schema.optionalKey(ForwardValue),
    sequential: Schema.optionalKey(nullable(Schema.Boolean))
  }))),
  ring_timeout_seconds: Schema.optionalKey(nullable(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 600 })))),
  record: Schema.optionalKey(nullable(Schema.Union([RecordMode, Schema.Boolean]))).annotate({
    description: "`true` is `record-from-answer`."
  }),
  reject_when_no_funds_message: Schema.optionalKey(nullable(Schema.String.check(Schema.isMaxLength(500))))
}).annotate({ identifier: "NumberRoutingRequest" })
export type RoutingRequest = typeof RoutingRequest.Type

const urls = ["events_url", "voice_url", "voice_fallback_url"] as const

const refuseUrls = (request: RoutingRequest, policy: TargetPolicy): Result.Result<void, Failure> => {
  for (const name of urls) {
    const given = request[name]
    const read = given === undefined || given === null ? undefined : targetUrl(given, policy)
    if (read !== undefined && Result.isFailure(read)) {
      const { message, reason } = read.failure
      const details = [{ field: `/${name}`, code: reason, message }]
      return Result.fail(new NumberInvalidRoutingUrl({ message: `The URL in ${name} cannot be used.`, reason, details }))
    }
  }
  return Result.void
}

const extension = /^\d{4}$/
const forms: Record<ForwardTo["type"], { readonly fits: (value: ForwardTo["value"]) => boolean; readonly form: string }> = {
  none: { fits: (value) => value === null, form: "nothing" },
  extension: { fits: (value) => typeof value === "string" && extension.test(value), form: "an extension: four digits" },
  extensions: {
    fits: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => extension.test(one)) && new Set(value).size === value.length,
    form: "one to ten different extensions: four digits each"
  },
  e164: { fits: (value) => typeof value === "string" && /^\+[1-9]\d{6,14}$/.test(value), form: "an E.164 number" },
  sip: {
    fits: (value) => typeof value === "string" && /^sips?:(?:[^\s:@]+@)?[^\s@]+$/i.test(value),
    form: "a SIP URI without a password"
  }
}

const forwardOf = ({ sequential = null, type, value = null }: NonNullable<RoutingRequest["forward_to"]>): Result.Result<ForwardTo, Failure> => {
  const { fits, form } = forms[type]
  if (fits(value)) return Result.succeed({ type, value, sequential })
  const message = `To forward to \`${type}\`, give ${form}.`
  return Result.fail(new BadRequest({ message, details: [{ field: "/forward_to/value", code: "invalid_value", message }] }))
}

const recordOf = (record: RoutingRequest["record"]): Partial<Routing> =>
  record === undefined || record === null
    ? {}
    : { record: typeof record === "string" ? record : record ? "record-from-answer" : "do-not-record" }

const given = <Request extends object>(request: Request): Partial<Request> =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined && value !== null)) as Partial<Request>

/**
 * The routing that a request makes. Merged, what it does not name stays as it is; replaced, that is as it was at first.
 * What it gives as null is as it was at first either way.
 */
export const routedBy = (
  current: Routing,
  request: RoutingRequest,
  mode: "merge" | "replace",
  policy: TargetPolicy
): Result.Result<Routing, Failure> => {
  const { forward_to, record, ...plain } = request
  const named = Object.keys(request) as ReadonlyArray<keyof Routing>
  const cleared = Object.fromEntries(named.map((name) => [name, default_routing[name]]))
  const base: Routing = mode === "replace" ? default_routing : { ...current, ...cleared }
  const routing = { ...base, ...given(plain), ...recordOf(record) } as Routing
  return Result.flatMap(refuseUrls(request, policy), () =>
    forward_to === undefined || forward_to === null
      ? Result.succeed(routing)
      : Result.map(forwardOf(forward_to), (forward_to) => ({ ...routing, forward_to })))
}
