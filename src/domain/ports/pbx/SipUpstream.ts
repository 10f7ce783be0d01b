// The PBX's SIP over WebSocket (RFC 7118). It is private: the WebRTC gate opens one connection for each browser.
import { type Cause, Context, Data, type Effect, type Queue, type Scope } from "effect"
import type { DigestHash } from "../../webrtc/DigestAnswer.ts"

export class SipUnreachable extends Data.TaggedError("SipUnreachable")<{ readonly cause: unknown }> {}

export interface SipLine {
  /** False: the PBX does not read, and the message was dropped. */
  readonly send: (text: string) => boolean
  /** Messages of the PBX. The queue ends with the connection. */
  readonly heard: Queue.Dequeue<string, Cause.Done>
}

export class SipUpstream extends Context.Service<
  SipUpstream,
  {
    /** Whether the PBX accepts browsers. */
    readonly exists: boolean
    /** Opens a connection, which is closed with its scope. */
    readonly connect: Effect.Effect<SipLine, SipUnreachable, Scope.Scope>
    readonly hash: DigestHash
    /** The PBX's user name for a user's browsers, which may differ from the one for its phones. */
    readonly browsersOf: (username: string) => string
  }
>()("trunkline/domain/ports/SipUpstream") {}
