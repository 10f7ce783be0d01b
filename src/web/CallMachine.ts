// The call as a state machine: one call at a time. Client.ts carries its actions out.
import type { CallState, ClientEvent } from "./ClientEvents.ts"
import { ClientError, type ClientErrorCode } from "./ClientError.ts"
import { type HangupBy, type HangupReason, hangupReason } from "./HangupReason.ts"

export type Call =
  | { readonly phase: "idle" }
  /** The user is asked for the microphone; nothing was sent. */
  | { readonly phase: "opening"; readonly sessionId: string; readonly to: string }
  | { readonly phase: "calling" | "incoming"; readonly sessionId: string }
  | { readonly phase: "ringing"; readonly sessionId: string; readonly early_media: boolean }
  /** An incoming call was accepted: `accepting` asks for the microphone, `answering` negotiates. */
  | { readonly phase: "accepting" | "answering"; readonly sessionId: string }
  | { readonly phase: "active" | "held"; readonly sessionId: string }
  /** The client ended the call, and SIP has yet to say so. */
  | {
      readonly phase: "ending"
      readonly sessionId: string
      readonly answered: boolean
      readonly forced?: { readonly reason: HangupReason; readonly by: HangupBy }
    }

export type CallInput =
  | { readonly _tag: "Call"; readonly to: string; readonly sessionId: string }
  | { readonly _tag: "Incoming"; readonly from: string; readonly sessionId: string }
  | { readonly _tag: "MicrophoneOpened" | "Answered" | "Accept" | "HangUp" | "Held" | "Unheld" }
  | { readonly _tag: "MicrophoneRefused"; readonly error: ClientError }
  | { readonly _tag: "Progress"; readonly early_media: boolean }
  | { readonly _tag: "Reject"; readonly busy: boolean }
  | { readonly _tag: "Failed"; readonly code: ClientErrorCode; readonly cause?: unknown }
  | { readonly _tag: "Ended"; readonly by: HangupBy; readonly code?: number; readonly header?: string }

export type CallAction =
  /** `RefuseOther` refuses the call that has just come in; `Release` gives the microphone and the sound back. */
  | { readonly _tag: "OpenMicrophone" | "Answer" | "Terminate" | "RefuseOther" | "Release" }
  | { readonly _tag: "Dial"; readonly to: string }
  | { readonly _tag: "Refuse"; readonly status: 486 | 603 }
  | { readonly _tag: "Tell"; readonly event: ClientEvent }

export interface CallStep {
  readonly call: Call
  readonly actions: ReadonlyArray<CallAction>
}

export const idle: Call = { phase: "idle" }

const step = (call: Call, ...actions: ReadonlyArray<CallAction>): CallStep => ({ call, actions })
const tell = (event: ClientEvent): CallAction => ({ _tag: "Tell", event })
const fail = (error: ClientError): CallAction => tell({ name: "error", payload: error })

const states: Readonly<Record<Call["phase"], CallState>> = {
  idle: "idle",
  opening: "calling",
  calling: "calling",
  ringing: "ringing",
  incoming: "incoming",
  accepting: "incoming",
  answering: "incoming",
  active: "active",
  held: "held",
  ending: "idle"
}

/** The state that the page sees. */
export const callState = ({ phase }: Call): CallState => states[phase]

const isAnswered = (call: Call): boolean =>
  call.phase === "active" || call.phase === "held" || (call.phase === "ending" && call.answered)

const hungUp = (sessionId: string, reason: HangupReason, by: HangupBy, code?: number): ReadonlyArray<CallAction> => [
  { _tag: "Release" },
  tell({ name: "hangup", payload: { reason, by, sessionId, ...(code !== undefined && { code }) } })
]

const microphoneOpened = (call: Call): CallStep => {
  switch (call.phase) {
    case "opening":
      return step({ phase: "calling", sessionId: call.sessionId }, { _tag: "Dial", to: call.to })
    case "accepting":
      return step({ ...call, phase: "answering" }, { _tag: "Answer" })
    default:
      return step(call)
  }
}

const microphoneRefused = (call: Call, error: ClientError): CallStep => {
  switch (call.phase) {
    case "opening":
      return step(idle, fail(error))
    // The caller still rings: the user may allow the microphone and accept again, or reject.
    case "accepting":
      return step({ ...call, phase: "incoming" }, fail(error))
    default:
      return step(call)
  }
}

const answered = (call: Call): CallStep => {
  switch (call.phase) {
    case "calling":
    case "ringing":
      return step(
        { phase: "active", sessionId: call.sessionId },
        tell({ name: "answered", payload: { sessionId: call.sessionId } })
      )
    case "answering":
      return step({ ...call, phase: "active" }, tell({ name: "accepted", payload: { sessionId: call.sessionId } }))
    default:
      return step(call)
  }
}

const reject = (call: Call, busy: boolean): CallStep => {
  if (call.phase !== "incoming" && call.phase !== "accepting" && call.phase !== "answering") return step(call)
  const { sessionId } = call
  const reason = busy ? "user_busy" : "call_rejected"
  return step(
    { phase: "ending", sessionId, answered: false, forced: { reason, by: "local" } },
    tell({ name: "declined", payload: { sessionId } }),
    { _tag: "Refuse", status: busy ? 486 : 603 }
  )
}

const hangUp = (call: Call): CallStep => {
  switch (call.phase) {
    case "opening":
      return step(idle, ...hungUp(call.sessionId, "canceled_by_workspace", "local"))
    case "calling":
    case "ringing":
    case "active":
    case "held":
      return step({ phase: "ending", sessionId: call.sessionId, answered: isAnswered(call) }, { _tag: "Terminate" })
    default:
      return reject(call, false)
  }
}

const failed = (call: Call, error: ClientError): CallStep => {
  if (call.phase === "idle" || call.phase === "ending" || call.phase === "opening") return step(call)
  const reason = isAnswered(call) ? "media_timeout" : "pbx_error"
  const { sessionId } = call
  return step(
    { phase: "ending", sessionId, answered: isAnswered(call), forced: { reason, by: "system" } },
    fail(error),
    { _tag: "Terminate" }
  )
}

const ended = (call: Call, end: Extract<CallInput, { readonly _tag: "Ended" }>): CallStep => {
  if (call.phase === "idle" || call.phase === "opening") return step(call)
  const { _tag: _, ...how } = end
  const forced = call.phase === "ending" ? call.forced : undefined
  const reason = forced?.reason ?? hangupReason({ ...how, answered: isAnswered(call) })
  return step(idle, ...hungUp(call.sessionId, reason, forced?.by ?? end.by, end.code))
}

const begin = (call: Call, { sessionId, to }: { readonly to: string; readonly sessionId: string }): CallStep =>
  call.phase === "idle"
    ? step({ phase: "opening", sessionId, to }, { _tag: "OpenMicrophone" })
    : step(call, fail(new ClientError("busy")))

const incoming = (call: Call, { from, sessionId }: { readonly from: string; readonly sessionId: string }): CallStep =>
  call.phase === "idle"
    ? step({ phase: "incoming", sessionId }, tell({ name: "incoming", payload: { from, sessionId } }))
    : step(call, { _tag: "RefuseOther" })

/** Told again when early media begins after it rang without, so that the page stops its own tone. */
const progress = (call: Call, early_media: boolean): CallStep => {
  const isNews = call.phase === "calling" || (call.phase === "ringing" && early_media && !call.early_media)
  if (!isNews) return step(call)
  const { sessionId } = call
  return step(
    { phase: "ringing", sessionId, early_media },
    tell({ name: "ringing", payload: { sessionId, early_media } })
  )
}

/** The next state and what is to be done, in order. Inputs that make no sense in a state change nothing. */
export const advanceCall = (call: Call, input: CallInput): CallStep => {
  switch (input._tag) {
    case "Call":
      return begin(call, input)
    case "Incoming":
      return incoming(call, input)
    case "MicrophoneOpened":
      return microphoneOpened(call)
    case "MicrophoneRefused":
      return microphoneRefused(call, input.error)
    case "Progress":
      return progress(call, input.early_media)
    case "Answered":
      return answered(call)
    case "Accept":
      return call.phase === "incoming" ? step({ ...call, phase: "accepting" }, { _tag: "OpenMicrophone" }) : step(call)
    case "Reject":
      return reject(call, input.busy)
    case "HangUp":
      return hangUp(call)
    case "Held":
      return call.phase === "active" ? step({ ...call, phase: "held" }) : step(call)
    case "Unheld":
      return call.phase === "held" ? step({ ...call, phase: "active" }) : step(call)
    case "Failed":
      return failed(call, new ClientError(input.code, input.cause))
    case "Ended":
      return ended(call, input)
  }
}
