// The connection and the registration as a state machine: what the client does when the line opens, breaks or is
// refused. It has no clock and no socket; Line.ts carries its actions out.
import type { ClientEvent, ClientState, CloseReason } from "./ClientEvents.ts"

/** The waits before the five retries, in milliseconds. */
export const backOff_ms = [1_000, 2_000, 4_000, 8_000, 16_000] as const
/** How long a connection may take to open, and a registration to be answered. */
export const answerWithin_ms = 10_000
/** The retries are counted from one again after the line has worked for so long. */
const works_ms = 10_000

/** Close codes of the gate (docs/webrtc.md). */
const closeReasons: Readonly<Record<number, CloseReason>> = { 4401: "token_ended", 4403: "refused" }
const lostWithoutCode = 1006

/**
 * - `connecting`: the socket opens. `registering`: it is open, and the registration is not answered yet.
 * - `up`: calls are possible. `registrationLater` and `connectionLater`: the next try waits.
 * - `ended`: the token has expired during a call, which goes on; the line is not opened again.
 */
export type LinePhase =
  | "connecting"
  | "registering"
  | "up"
  | "registrationLater"
  | "connectionLater"
  | "ended"
  | "closed"

export interface LineState {
  readonly phase: LinePhase
  /** Whether the token allows incoming calls, for which a client registers. */
  readonly registers: boolean
  /** The retries since the line last worked. */
  readonly attempts: number
  /** Since when the line works, in epoch milliseconds. */
  readonly up_at: number | undefined
  /** When the token expires, in epoch milliseconds. */
  readonly expires_at: number
  readonly inCall: boolean
  /** A new token waits for the end of the call. */
  readonly newToken: boolean
  readonly offline: boolean
}

export type LineInput =
  | { readonly _tag: "Opened" | "Registered" | "Due" | "CallBegan" | "CallEnded" | "Online" | "Offline" }
  | { readonly _tag: "Reconnect" | "Destroy" }
  | { readonly _tag: "Lost" | "RegistrationFailed"; readonly code?: number }
  | { readonly _tag: "Token"; readonly expires_at: number; readonly registers: boolean }

export type LineAction =
  /** `Connect` replaces the socket, if there is one. `Probe` asks the gate for a sign of life. */
  | { readonly _tag: "Connect" | "Register" | "Drop" | "Probe" | "StopWaiting" | "ShutDown" }
  /** Gives `Due` after so long; replaces the wait before it. */
  | { readonly _tag: "Wait"; readonly ms: number }
  | { readonly _tag: "Tell"; readonly event: ClientEvent }

export interface LineStep {
  readonly state: LineState
  readonly actions: ReadonlyArray<LineAction>
}

const step = (state: LineState, ...actions: ReadonlyArray<LineAction>): LineStep => ({ state, actions })
const wait = (ms: number): LineAction => ({ _tag: "Wait", ms })
const tell = (event: ClientEvent): LineAction => ({ _tag: "Tell", event })
const stopWaiting: LineAction = { _tag: "StopWaiting" }

const states: Readonly<Record<LinePhase, ClientState>> = {
  connecting: "connecting",
  registering: "connected",
  up: "connected",
  registrationLater: "connected",
  connectionLater: "reconnecting",
  ended: "reconnecting",
  closed: "closed"
}

/** The state that the page sees. */
export const clientState = ({ attempts, phase, registers, up_at }: LineState): ClientState => {
  if (phase === "up" && registers) return "registered"
  return phase === "connecting" && (attempts > 0 || up_at !== undefined) ? "reconnecting" : states[phase]
}

export const openLine = (token: { readonly expires_at: number; readonly registers: boolean }): LineStep =>
  step(
    { phase: "connecting", attempts: 0, up_at: undefined, inCall: false, newToken: false, offline: false, ...token },
    { _tag: "Connect" },
    wait(answerWithin_ms)
  )

const close = (state: LineState, reason: CloseReason): LineStep =>
  step({ ...state, phase: "closed" }, stopWaiting, { _tag: "ShutDown" }, tell({ name: "closed", payload: { reason } }))

const connect = (state: LineState): LineStep =>
  step({ ...state, phase: "connecting" }, { _tag: "Connect" }, wait(answerWithin_ms))

/** For the page, a network that came back or a new token: the retries are counted from one again. */
const connectAfresh = (state: LineState): LineStep => {
  const { actions, state: connecting } = connect({ ...state, attempts: 0, newToken: false })
  return state.phase === "connecting"
    ? step(connecting, ...actions)
    : step(connecting, ...actions, tell({ name: "reconnecting", payload: { attempt: 0, retry_in_ms: 0 } }))
}

const register = (state: LineState): LineStep =>
  step({ ...state, phase: "registering" }, { _tag: "Register" }, wait(answerWithin_ms))

const up = (state: LineState, now: number, ...actions: ReadonlyArray<LineAction>): LineStep =>
  step({ ...state, phase: "up", up_at: now }, stopWaiting, ...actions)

/** The state with a fresh count if the line has worked before it broke. */
const afterWorking = (state: LineState, now: number): LineState =>
  state.phase === "up" && now - (state.up_at ?? now) >= works_ms ? { ...state, attempts: 0 } : state

/** During a call the tries go on with the longest wait: the sound may still be there. */
const nextWait = ({ attempts, inCall }: LineState): number | undefined =>
  backOff_ms[attempts] ?? (inCall ? backOff_ms[backOff_ms.length - 1] : undefined)

const isExpired = ({ expires_at }: LineState, now: number): boolean => now >= expires_at

const onExpiry = (state: LineState): LineStep =>
  state.inCall ? step({ ...state, phase: "ended" }, stopWaiting) : close(state, "token_ended")

const lost = (before: LineState, code: number, now: number): LineStep => {
  const reason = closeReasons[code]
  if (reason !== undefined) return close(before, reason)
  if (isExpired(before, now)) return onExpiry(before)
  const state = afterWorking(before, now)
  const ms = nextWait(state)
  if (ms === undefined) return close(state, "retries")
  const attempt = Math.min(state.attempts + 1, backOff_ms.length)
  const later: LineState = { ...state, phase: "connectionLater", attempts: attempt }
  // Offline, the browser says when a try makes sense; the token's end is the deadline.
  const retry_in_ms = state.offline ? state.expires_at - now : ms
  return step(later, wait(retry_in_ms), tell({ name: "reconnecting", payload: { attempt, retry_in_ms } }))
}

const registrationFailed = (before: LineState, code: number | undefined, now: number): LineStep => {
  if (before.phase !== "registering" && before.phase !== "up") return step(before)
  // The gate accepts no registration any more, and closes the socket when the call is over.
  if (isExpired(before, now)) return before.inCall ? step(before, stopWaiting) : close(before, "token_ended")
  const state = afterWorking(before, now)
  const ms = nextWait(state)
  if (ms === undefined) return close(state, "retries")
  const attempt = Math.min(state.attempts + 1, backOff_ms.length)
  const payload = { attempt, retry_in_ms: ms, ...(code !== undefined && { code }) }
  return step(
    { ...state, phase: "registrationLater", attempts: attempt },
    wait(ms),
    tell({ name: "registration_failed", payload })
  )
}

const opened = (state: LineState, now: number): LineStep => {
  const told = tell({ name: "connected", payload: {} })
  if (!state.registers) return up(state, now, told)
  const { actions, state: registering } = register(state)
  return step(registering, told, ...actions)
}

const registered = (state: LineState, now: number): LineStep =>
  // A refresh, or the answer to a registration that was given up.
  state.phase === "registering" || state.phase === "registrationLater"
    ? up(state, now, tell({ name: "registered", payload: {} }))
    : step(state)

const due = (state: LineState, now: number): LineStep => {
  switch (state.phase) {
    case "connecting": {
      const { actions, state: after } = lost(state, lostWithoutCode, now)
      return step(after, { _tag: "Drop" }, ...actions)
    }
    case "registering":
      return registrationFailed(state, undefined, now)
    case "registrationLater":
      return register(state)
    case "connectionLater":
      return isExpired(state, now) ? onExpiry(state) : connect(state)
    default:
      return step(state)
  }
}

const callEnded = (before: LineState, now: number): LineStep => {
  const state = { ...before, inCall: false }
  if (state.newToken) return connectAfresh(state)
  if (state.phase === "ended") return close(state, "token_ended")
  // The gate closes the socket itself; if it does not, the next failure does.
  return isExpired(state, now) && state.phase === "connectionLater" ? close(state, "token_ended") : step(state)
}

const online = (before: LineState): LineStep => {
  const state = { ...before, offline: false }
  // Only a network that was away gives new retries: a page that is shown again does not.
  if (state.phase === "connectionLater") return before.offline ? connectAfresh(state) : connect(state)
  // The socket may be that of a network which is gone, and does not know it.
  return state.phase === "connecting" || state.phase === "ended" ? step(state) : step(state, { _tag: "Probe" })
}

const newToken = (before: LineState, expires_at: number, registers: boolean): LineStep => {
  const state = { ...before, expires_at, registers }
  const hasLine = state.phase !== "connectionLater" && state.phase !== "ended"
  return state.inCall && hasLine ? step({ ...state, newToken: true }) : connectAfresh(state)
}

/** The next state and what is to be done, in order. `now` is in epoch milliseconds. */
export const advanceLine = (state: LineState, input: LineInput, now: number): LineStep => {
  if (state.phase === "closed") return step(state)
  switch (input._tag) {
    case "Opened":
      return opened(state, now)
    case "Registered":
      return registered(state, now)
    case "Lost":
      return lost(state, input.code ?? lostWithoutCode, now)
    case "RegistrationFailed":
      return registrationFailed(state, input.code, now)
    case "Due":
      return due(state, now)
    case "CallBegan":
      return step({ ...state, inCall: true })
    case "CallEnded":
      return callEnded(state, now)
    case "Online":
      return online(state)
    case "Offline":
      return step({ ...state, offline: true })
    case "Reconnect":
      return connectAfresh(state)
    case "Token":
      return newToken(state, input.expires_at, input.registers)
    case "Destroy":
      return close(state, "destroyed")
  }
}
