// The events of the browser client and their payloads, and its states (docs/webrtc.md).
import type { ClientError } from "./ClientError.ts"
import type { HangupBy, HangupReason } from "./HangupReason.ts"

/**
 * The connection to the engine. `connected`: open, but not registered (yet). `reconnecting`: lost, and tried again.
 * `closed` is final.
 */
export type ClientState = "connecting" | "connected" | "registered" | "reconnecting" | "closed"

/**
 * The call. `calling` begins with the question for the microphone, `ringing` when the other side rings; `incoming` ends
 * with `accept()`, `reject()` or the caller; `held` is an active call on hold by this client.
 */
export type CallState = "idle" | "calling" | "ringing" | "incoming" | "active" | "held"

/**
 * Why a client is closed. `retries`: five retries failed. `token_ended`: the token has expired. `refused`: the gate
 * refused what the client sent, or the token. `destroyed`: by `destroy()`.
 */
export type CloseReason = "retries" | "token_ended" | "refused" | "destroyed"

/** `loss` is a ratio from 0 to 1, `jitter` and `rtt` are milliseconds; `no_audio`: no packet for two seconds. */
export type QualityProblem = "loss" | "jitter" | "rtt" | "no_audio"

type Nothing = Readonly<Record<never, never>>

export interface ClientEvents {
  /** The connection is open. */
  readonly connected: Nothing
  /** Calls can come in. Refreshes of the registration are not told. */
  readonly registered: Nothing
  /**
   * The connection is lost or replaced. The client tries again by itself, in `retry_in_ms`; if the browser is offline,
   * as soon as it is online. `attempt` is 0 for the first try after `reconnect()`, `updateToken()` or a change of
   * network.
   */
  readonly reconnecting: { readonly attempt: number; readonly retry_in_ms: number }
  /** A registration failed. The client tries again, up to five times, in `retry_in_ms`. */
  readonly registration_failed: {
    readonly attempt: number
    readonly retry_in_ms: number
    /** The SIP status, if there was a response. */
    readonly code?: number
  }
  /** The client is of no use any more. Get a fresh token and build a new client. */
  readonly closed: { readonly reason: CloseReason }
  /** The called side rings. With `early_media` its sound is heard already, else the page may play a tone. */
  readonly ringing: { readonly sessionId: string; readonly early_media: boolean }
  /** The called side answered. */
  readonly answered: { readonly sessionId: string }
  /** Somebody calls. `from` is the number or extension of the caller. */
  readonly incoming: { readonly from: string; readonly sessionId: string }
  /** The incoming call is accepted: both sides can talk. */
  readonly accepted: { readonly sessionId: string }
  /** The incoming call is rejected; `hangup` follows. */
  readonly declined: { readonly sessionId: string }
  /** The call is over, or never came about. */
  readonly hangup: {
    readonly reason: HangupReason
    readonly by: HangupBy
    readonly sessionId: string
    /** The SIP status of a call that was not answered. */
    readonly code?: number
  }
  /** 30 seconds before the token expires, or at once if it lasts shorter. `expires_at` is in epoch milliseconds. */
  readonly token_will_expire: { readonly expires_at: number }
  readonly quality_warning: { readonly kind: QualityProblem; readonly value: number }
  /** Something failed that the user or the page can put right. */
  readonly error: ClientError
}

export type ClientEventName = keyof ClientEvents

/** One event with its payload, as the state machines give it. */
export type ClientEvent = {
  readonly [Name in ClientEventName]: { readonly name: Name; readonly payload: ClientEvents[Name] }
}[ClientEventName]
