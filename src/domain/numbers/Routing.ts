// What is to happen when a number is called, and where the events of its calls go (docs/numbers.md).
import { Result, Schema } from "effect"
import type { Failure } from "../errors/Failure.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { NumberInvalidRoutingUrl } from "../errors/NumberErrors.ts"
import { type TargetPolicy, targetUrl } from "../targets/TargetUrl.ts"

const nullable = Schema.NullOr

const RecordMode = Schema.Literals([
  "do-not-record",
  "record-from-answer",
  "record-from-ringing",
  "record-from-answer-dual",
  "record-from-ringing-dual"
]).annotate({ identifier: "RecordMode" })
type RecordMode = typeof RecordMode.Type

const ForwardType = Schema.Literals(["none", "extension", "extensions", "e164", "sip"])
const ForwardValue = nullable(
  Schema.Union([
    Schema.String.check(Schema.isMaxLength(255)),
    Schema.Array(Schema.String.check(Schema.isMaxLength(255))).check(Schema.isMaxLength(10))
  ])
)

export const ForwardTo = Schema.Struct({
  type: ForwardType,
  value: ForwardValue.annotate({
    description:
      "An extension of four digits, a list of one to ten of them, an E.164 number, or a SIP URI; null for `none`."
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
  forward_to: Schema.optionalKey(
    nullable(
      Schema.Struct({
        type: ForwardType,
        value: Schema.optionalKey(ForwardValue),
        sequential: Schema.optionalKey(nullable(Schema.Boolean))
      })
    )
  ),
  ring_timeout_seconds: Schema.optionalKey(nullable(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 600 })))),
  record: Schema.optionalKey(nullable(Schema.Union([RecordMode, Schema.Boolean]))).annotate({
    description: "`true` is `record-from-answer`."
  }),
  reject_when_no_funds_message: Schema.optionalKey(nullable(Schema.String.check(Schema.isMaxLength(500))))
}).annotate({ identifier: "NumberRoutingRequest" })
export type RoutingRequest = typeof RoutingRequest.Type

const urls = ["events_url", "voice_url", "voice_fallback_url"] as const

const refuseUrls = (request: RoutingRequest, policy: TargetPolicy, within: string): Result.Result<void, Failure> => {
  for (const name of urls) {
    const given = request[name]
    const read = given === undefined || given === null ? undefined : targetUrl(given, policy)
    if (read !== undefined && Result.isFailure(read)) {
      const { message, reason } = read.failure
      const details = [{ field: `${within}/${name}`, code: reason, message }]
      return Result.fail(
        new NumberInvalidRoutingUrl({ message: `The URL in ${name} cannot be used.`, reason, details })
      )
    }
  }
  return Result.void
}

const extension = /^\d{4}$/
const forms: Record<
  ForwardTo["type"],
  { readonly fits: (value: ForwardTo["value"]) => boolean; readonly form: string }
> = {
  none: { fits: (value) => value === null, form: "nothing" },
  extension: { fits: (value) => typeof value === "string" && extension.test(value), form: "an extension: four digits" },
  extensions: {
    fits: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((one) => extension.test(one)) &&
      new Set(value).size === value.length,
    form: "one to ten different extensions: four digits each"
  },
  e164: { fits: (value) => typeof value === "string" && /^\+[1-9]\d{6,14}$/.test(value), form: "an E.164 number" },
  sip: {
    fits: (value) => typeof value === "string" && /^sips?:(?:[^\s:@]+@)?[^\s@]+$/i.test(value),
    form: "a SIP URI without a password"
  }
}

const forwardOf = (
  { sequential = null, type, value = null }: NonNullable<RoutingRequest["forward_to"]>,
  within: string
): Result.Result<ForwardTo, Failure> => {
  const { fits, form } = forms[type]
  if (fits(value)) return Result.succeed({ type, value, sequential })
  const message = `To forward to \`${type}\`, give ${form}.`
  return Result.fail(
    new BadRequest({ message, details: [{ field: `${within}/forward_to/value`, code: "invalid_value", message }] })
  )
}

const recordModeOf = (record: RecordMode | boolean): RecordMode =>
  typeof record === "string" ? record : record ? "record-from-answer" : "do-not-record"

/** What a request makes of a routing. What is absent stays as it is, or is replaced. */
export const RoutingChange = Schema.Struct({
  events_url: Schema.optionalKey(Routing.fields.events_url),
  voice_url: Schema.optionalKey(Routing.fields.voice_url),
  voice_fallback_url: Schema.optionalKey(Routing.fields.voice_fallback_url),
  forward_to: Schema.optionalKey(ForwardTo),
  ring_timeout_seconds: Schema.optionalKey(Schema.Int),
  record: Schema.optionalKey(RecordMode),
  reject_when_no_funds_message: Schema.optionalKey(nullable(Schema.String))
})
export type RoutingChange = typeof RoutingChange.Type

/** Null is what the member is by default. `within` points to the routing in the request, where it is not the whole. */
export const routingChange = (
  request: RoutingRequest,
  policy: TargetPolicy,
  within = ""
): Result.Result<RoutingChange, Failure> => {
  const { forward_to, record, ring_timeout_seconds, ...texts } = request
  const change = {
    ...texts,
    ...(ring_timeout_seconds !== undefined && {
      ring_timeout_seconds: ring_timeout_seconds ?? default_routing.ring_timeout_seconds
    }),
    ...(record !== undefined && { record: recordModeOf(record ?? default_routing.record) }),
    ...(forward_to === null && { forward_to: default_routing.forward_to })
  }
  return Result.flatMap(refuseUrls(request, policy, within), () =>
    forward_to === undefined || forward_to === null
      ? Result.succeed(change)
      : Result.map(forwardOf(forward_to, within), (forward_to) => ({ ...change, forward_to }))
  )
}

export const RoutingMode = Schema.Literals(["merge", "replace"])

/** Merged, what the change does not name stays as it is; replaced, it is as it was at first. */
export const rerouted = (current: Routing, change: RoutingChange, mode: typeof RoutingMode.Type): Routing => ({
  ...(mode === "merge" ? current : default_routing),
  ...change
})

export const sameRouting = (a: Routing, b: Routing): boolean =>
  JSON.stringify({ ...default_routing, ...a }) === JSON.stringify({ ...default_routing, ...b })
