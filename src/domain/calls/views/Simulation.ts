// `POST /v1/voice-actions/simulate` (docs/voice-actions.md, "Try it without a call").
import { Schema } from "effect"
import type { AccountSuspended } from "../../errors/AccountErrors.ts"
import type {
  CallActionUnsupported,
  CallConcurrencyLimitReached,
  CallDestinationRefused,
  CallInvalidCallbackUrl,
  CallInvalidDestination,
  CallRateLimited,
  CallSpendLimitReached
} from "../../errors/CallErrors.ts"
import type { BadRequest, PayloadTooLarge, RateLimited, ServiceUnavailable } from "../../errors/GeneralErrors.ts"
import type { NumberNotActive, NumberNotFound } from "../../errors/NumberErrors.ts"
import type { WalletInsufficientFunds, WalletNotFound } from "../../errors/WalletErrors.ts"
import { between } from "../../kit/CallFields.ts"
import { optional } from "../../kit/Fields.ts"
import { Attestation } from "../../pbx/Attestation.ts"
import { CallRecord } from "../state/CallRecord.ts"
import { OriginateRequest } from "../verbs/OriginateRequest.ts"
import { TimelineEntry } from "./TimelineEntry.ts"

/** More answers than a call of the longest simulation can ask for. */
const maxAnswers = 100

export const SimulatedPhone = Schema.Struct({
  answers: optional(Schema.Literals(["person", "machine", "busy", "declined", "no_answer", "unreachable"])).annotate({
    description: "Who or what takes the call. Default: a person."
  }),
  after_seconds: optional(between(1, 120)).annotate({
    description: "How long it rings before it is answered. Default 2."
  }),
  talks_seconds: optional(between(1, 1_800)).annotate({
    description: "When the phone hangs up, counted from the answer. Default: never."
  }),
  keys: optional(
    Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9A-D*#]{0,64}$/u))).check(Schema.isMaxLength(maxAnswers))
  ).annotate({ description: "The keys that it presses: the first text in the first `gather`, and so on." }),
  says: optional(
    Schema.Array(Schema.String.check(Schema.isMaxLength(1_000))).check(Schema.isMaxLength(maxAnswers))
  ).annotate({
    description: "What it says: the first text in the first `gather` that waits for speech, and so on."
  })
}).annotate({ identifier: "SimulatedPhone" })
export type SimulatedPhone = typeof SimulatedPhone.Type

const {
  actions,
  from,
  machine_detection,
  machine_detection_timeout_seconds,
  max_duration_seconds,
  metadata,
  record,
  send_digits,
  timeout_seconds,
  to,
  voice_callback_url,
  voice_fallback_url
} = OriginateRequest.fields

const maxSimulated_seconds = 1_800
export const simulated_seconds = 600
/** The caller's number if the request names none. */
export const simulatedCaller = "+99900000001"
/** The called number if the request names none. Voice actions are unlikely to dial it. */
export const simulatedCallee = "+99900000099"

interface Sources {
  readonly actions?: unknown
  readonly attestation?: unknown
  readonly voice_callback_url?: unknown
  readonly direction?: "outbound" | "inbound"
  readonly from?: unknown
  readonly to?: unknown
}

/** An outbound call needs a number to call from and one thing to do, an inbound call a number that is called. */
const complete = Schema.makeFilter((sources: Sources) => {
  const { actions, attestation, direction = "outbound", from, to, voice_callback_url } = sources
  if (actions !== undefined && voice_callback_url !== undefined)
    return { path: ["actions"], issue: "Only one of voice_callback_url and actions is allowed." }
  if (direction === "outbound") {
    if (from === undefined) return { path: ["from"], issue: "Missing key" }
    if (attestation !== undefined)
      return { path: ["attestation"], issue: "Only the caller of an inbound call has one." }
    const source = actions ?? voice_callback_url
    return source !== undefined || { path: ["voice_callback_url"], issue: "Missing key" }
  }
  if (to === undefined) return { path: ["to"], issue: "Missing key" }
  return (
    actions === undefined || {
      path: ["actions"],
      issue: "An inbound call asks voice_callback_url or its number's voice_url."
    }
  )
})

export const SimulationRequest = Schema.Struct({
  direction: optional(Schema.Literals(["outbound", "inbound"])).annotate({
    description: "Default: outbound. An inbound call is routed as its number says."
  }),
  actions: actions.annotate({ description: "What to do when the call is answered: the document to try." }),
  voice_callback_url: voice_callback_url.annotate({
    description:
      "The callback to try, with `simulated` in its body. In a live workspace only one of the number's routing. Inbound: in place of its `voice_url`."
  }),
  voice_fallback_url,
  from: optional(from).annotate({
    description: "Outbound: an active number of the workspace, required. Inbound: the caller. Default: +99900000001."
  }),
  to: optional(to).annotate({
    description:
      "Outbound: the number to call, which decides the price. Default: +99900000099, where test numbers can be called. Inbound: a number of the workspace, required."
  }),
  attestation: optional(Attestation),
  phone: optional(SimulatedPhone),
  dialled: optional(SimulatedPhone),
  timeout_seconds,
  max_duration_seconds,
  send_digits,
  record,
  machine_detection,
  machine_detection_timeout_seconds,
  metadata,
  balance_minor: optional(between(0, 1_000_000_000_000)).annotate({
    description: "What is in the wallet of the simulation. Default: enough."
  }),
  max_seconds: optional(between(1, maxSimulated_seconds)).annotate({
    description: "The simulation stops after this many seconds of the call's time. Default 600."
  })
})
  .check(complete)
  .annotate({ identifier: "SimulationRequest" })
export type SimulationRequest = typeof SimulationRequest.Type

export const SimulatedCall = Schema.Struct({
  call: CallRecord,
  legs: Schema.Array(CallRecord).annotate({ description: "The calls that it would dial." }),
  entries: Schema.Array(TimelineEntry).annotate({
    description:
      "What would happen, as the timeline of a call lists it: events, callbacks with their answers, and actions."
  }),
  has_more: Schema.Boolean.annotate({ description: "Whether more would happen than is listed." }),
  duration_seconds: Schema.Int.annotate({
    description: "How long the remote party would talk, or talked until the simulation stopped."
  }),
  cost_minor: Schema.Int.annotate({
    description: "What the call and its legs would cost, or cost until the simulation stopped. Nothing is charged."
  }),
  currency: Schema.String,
  stopped: Schema.NullOr(Schema.Literals(["max_seconds", "too_many_steps", "too_slow"])).annotate({
    description:
      "Why the simulation stopped before the call ended: at `max_seconds`, after too many steps, or because callbacks took longer than 12 seconds together. Null: the call ended."
  })
}).annotate({ identifier: "SimulatedCall" })
export type SimulatedCall = typeof SimulatedCall.Type

/** What a real call is refused for, and too many simulations at once. */
export type SimulationRefusal =
  | AccountSuspended
  | BadRequest
  | CallActionUnsupported
  | CallConcurrencyLimitReached
  | CallDestinationRefused
  | CallInvalidCallbackUrl
  | CallInvalidDestination
  | CallRateLimited
  | CallSpendLimitReached
  | NumberNotActive
  | NumberNotFound
  | PayloadTooLarge
  | RateLimited
  | ServiceUnavailable
  | WalletInsufficientFunds
  | WalletNotFound
