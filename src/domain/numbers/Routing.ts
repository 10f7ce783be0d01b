// The routing of a number: what happens when it is called, and where the events of its calls go (docs/numbers.md).
import { Result, Schema } from "effect"
import { orNull } from "../kit/Fields.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { NumberInvalidRoutingUrl } from "../errors/NumberErrors.ts"
import { RecordMode } from "../recordings/RecordMode.ts"
import { type TargetPolicy, targetUrl } from "../targets/TargetUrl.ts"
import { e164 } from "./E164.ts"

/** The document names the modes here; where they stand in a union with `true`, it lists them. */
const RoutingRecordMode = RecordMode.annotate({ identifier: "RecordMode" })

const ForwardType = Schema.Literals(["none", "extension", "extensions", "e164", "sip"])
const ForwardValue = orNull(
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
  sequential: orNull(Schema.Boolean).annotate({
    description: "Rings several extensions one after the other. Default: all at once."
  })
})
export type ForwardTo = typeof ForwardTo.Type

export const Routing = Schema.Struct({
  events_url: orNull(Schema.String).annotate({
    description: "The events of this number's calls are delivered here."
  }),
  voice_url: orNull(Schema.String).annotate({ description: "Asked for voice actions when the number is called." }),
  voice_fallback_url: orNull(Schema.String).annotate({ description: "Asked if `voice_url` cannot be reached." }),
  forward_to: ForwardTo,
  ring_timeout_seconds: Schema.Int,
  record: RoutingRecordMode,
  reject_when_no_funds_message: orNull(Schema.String).annotate({
    description:
      "Spoken to a caller who is rejected because the wallet is empty; null: the call is rejected without a message."
  })
}).annotate({ identifier: "NumberRouting" })
export type Routing = typeof Routing.Type

/** The routing of a number until its workspace changes it. */
export const defaultRouting: Routing = {
  events_url: null,
  voice_url: null,
  voice_fallback_url: null,
  forward_to: { type: "none", value: null, sequential: null },
  ring_timeout_seconds: 30,
  record: "do-not-record",
  reject_when_no_funds_message: null
}

/** A stored routing, completed with defaults. */
export const routingOf = (stored: Partial<Routing>): Routing => ({ ...defaultRouting, ...stored })

const Url = orNull(Schema.String).annotate({ description: "Absolute http or https URL." })

/** The body of PATCH and PUT. The schema checks its shape; `routingChange` checks its values. */
export const RoutingRequest = Schema.Struct({
  events_url: Schema.optionalKey(Url),
  voice_url: Schema.optionalKey(Url),
  voice_fallback_url: Schema.optionalKey(Url),
  forward_to: Schema.optionalKey(
    orNull(
      Schema.Struct({
        type: ForwardType,
        value: Schema.optionalKey(ForwardValue),
        sequential: Schema.optionalKey(orNull(Schema.Boolean))
      })
    )
  ),
  ring_timeout_seconds: Schema.optionalKey(orNull(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 600 })))),
  record: Schema.optionalKey(orNull(Schema.Union([RoutingRecordMode, Schema.Boolean]))).annotate({
    description: "`true` is `record-from-answer`."
  }),
  reject_when_no_funds_message: Schema.optionalKey(orNull(Schema.String.check(Schema.isMaxLength(500))))
}).annotate({ identifier: "NumberRoutingRequest" })
export type RoutingRequest = typeof RoutingRequest.Type

const urls = ["events_url", "voice_url", "voice_fallback_url"] as const

/** The URLs of a routing may use http in every deployment, unlike those of requests. */
const refuseUrls = (
  request: RoutingRequest,
  policy: TargetPolicy,
  within: string
): Result.Result<void, NumberInvalidRoutingUrl> => {
  for (const name of urls) {
    const given = request[name]
    const read =
      given === undefined || given === null ? undefined : targetUrl(given, { ...policy, allow_insecure: true })
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
  e164: { fits: (value) => typeof value === "string" && e164.test(value), form: "an E.164 number" },
  sip: {
    fits: (value) => typeof value === "string" && /^sips?:(?:[^\s:@]+@)?[^\s@]+$/i.test(value),
    form: "a SIP URI without a password"
  }
}

const forwardOf = (
  { sequential = null, type, value = null }: NonNullable<RoutingRequest["forward_to"]>,
  within: string
): Result.Result<ForwardTo, BadRequest> => {
  const { fits, form } = forms[type]
  if (fits(value)) return Result.succeed({ type, value, sequential })
  const message = `To forward to \`${type}\`, give ${form}.`
  return Result.fail(
    new BadRequest({ message, details: [{ field: `${within}/forward_to/value`, code: "invalid_value", message }] })
  )
}

const recordModeOf = (record: RecordMode | boolean): RecordMode =>
  typeof record === "string" ? record : record ? "record-from-answer" : "do-not-record"

/** A change to a routing. `rerouted` decides what absent members become. */
export const RoutingChange = Schema.Struct({
  events_url: Schema.optionalKey(Routing.fields.events_url),
  voice_url: Schema.optionalKey(Routing.fields.voice_url),
  voice_fallback_url: Schema.optionalKey(Routing.fields.voice_fallback_url),
  forward_to: Schema.optionalKey(ForwardTo),
  ring_timeout_seconds: Schema.optionalKey(Schema.Int),
  record: Schema.optionalKey(RoutingRecordMode),
  reject_when_no_funds_message: Schema.optionalKey(orNull(Schema.String))
})
export type RoutingChange = typeof RoutingChange.Type

/**
 * Reads a request. Null sets a member to its default. `within` is the JSON pointer of the routing in the request;
 * empty: the routing is the whole request.
 */
export const routingChange = (
  request: RoutingRequest,
  policy: TargetPolicy,
  within = ""
): Result.Result<RoutingChange, BadRequest | NumberInvalidRoutingUrl> => {
  const { forward_to, record, ring_timeout_seconds, ...texts } = request
  const change = {
    ...texts,
    ...(ring_timeout_seconds !== undefined && {
      ring_timeout_seconds: ring_timeout_seconds ?? defaultRouting.ring_timeout_seconds
    }),
    ...(record !== undefined && { record: recordModeOf(record ?? defaultRouting.record) }),
    ...(forward_to === null && { forward_to: defaultRouting.forward_to })
  }
  return Result.flatMap(refuseUrls(request, policy, within), () =>
    forward_to === undefined || forward_to === null
      ? Result.succeed(change)
      : Result.map(forwardOf(forward_to, within), (forward_to) => ({ ...change, forward_to }))
  )
}

export const RoutingMode = Schema.Literals(["merge", "replace"])

/** The routing after a change. Absent members stay as they are (`merge`) or get their defaults (`replace`). */
export const rerouted = (current: Routing, change: RoutingChange, mode: typeof RoutingMode.Type): Routing => ({
  ...(mode === "merge" ? current : defaultRouting),
  ...change
})

export const sameRouting = (a: Routing, b: Routing): boolean =>
  JSON.stringify({ ...defaultRouting, ...a }) === JSON.stringify({ ...defaultRouting, ...b })
