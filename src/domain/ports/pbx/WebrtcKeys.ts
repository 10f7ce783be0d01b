import { Context, Data, type Effect, type Redacted } from "effect"
import type { TurnServer, WebrtcClaims } from "../../webrtc/WebrtcSession.ts"

export class WebrtcTokenRefused extends Data.TaggedError("WebrtcTokenRefused")<{
  readonly why: "invalid" | "expired"
}> {}

/** Signs and verifies the tokens of WebRTC clients, and makes their TURN credentials. */
export class WebrtcKeys extends Context.Service<
  WebrtcKeys,
  {
    /** Returns an ES256 JWT for the audience `webrtc`, signed with the current key of the published key set. */
    readonly mint: (claims: WebrtcClaims) => Effect.Effect<Redacted.Redacted>
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<WebrtcClaims, WebrtcTokenRefused>
    /** TURN servers with credentials that are valid until `until` (epoch seconds); empty if none are configured. */
    readonly turn: (username: string, until: number) => ReadonlyArray<TurnServer>
  }
>()("trunkline/domain/ports/WebrtcKeys") {}
