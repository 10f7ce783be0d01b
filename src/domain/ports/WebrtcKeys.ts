import { Context, Data, type Effect, type Redacted } from "effect"
import type { TurnServer, WebrtcClaims } from "../webrtc/WebrtcSession.ts"

export class WebrtcTokenRefused extends Data.TaggedError("WebrtcTokenRefused")<{
  readonly why: "invalid" | "expired"
}> {}

/** What browsers prove themselves with. */
export class WebrtcKeys extends Context.Service<
  WebrtcKeys,
  {
    /** An ES256 JWT for the audience `webrtc`, signed with the key of the key set. */
    readonly mint: (claims: WebrtcClaims) => Effect.Effect<Redacted.Redacted>
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<WebrtcClaims, WebrtcTokenRefused>
    /** Relays that accept the user until then (epoch seconds); none where the deployment has none. */
    readonly turn: (username: string, until: number) => ReadonlyArray<TurnServer>
  }
>()("trunkline/domain/ports/WebrtcKeys") {}
