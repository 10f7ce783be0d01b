// The PBX's own SIP over WebSocket (RFC 7118), which is private: the gate connects to it for each browser.
import { type Cause, Context, Data, type Effect, type Queue, type Scope } from "effect"
import type { DigestHash } from "../webrtc/DigestAnswer.ts"

export class SipUnreachable extends Data.TaggedError("SipUnreachable")<{ readonly cause: unknown }> {}

export interface SipLine {
  /** False: the PBX does not read, and the frame was not taken. */
  readonly send: (text: string) => boolean
  /** What the PBX says; it ends with the connection. */
  readonly heard: Queue.Dequeue<string, Cause.Done>
}

export class SipUpstream extends Context.Service<
  SipUpstream,
  {
    /** Whether the deployment has one. */
    readonly exists: boolean
    /** Closed with its scope. */
    readonly connect: Effect.Effect<SipLine, SipUnreachable, Scope.Scope>
    readonly hash: DigestHash
    /** As whom the PBX knows browsers of a user, where it tells them from the user's phones. */
    readonly browsersOf: (username: string) => string
  }
>()("trunkline/domain/ports/SipUpstream") {}
