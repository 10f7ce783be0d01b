// Signs the requests that open media streams, as voice callbacks are signed (docs/streams.md).
import { Clock, Effect, Layer } from "effect"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { StreamHeaders } from "../../domain/ports/calls/StreamHeaders.ts"
import { signingSecrets } from "../../domain/workspace/VoiceSecret.ts"
import { signature } from "./Signatures.ts"

/** What `X-Service-Stream-Signature` signs: a signature of one stream opens no other. */
export const streamSignedText = (stream: {
  readonly url: string
  readonly call_id: string
  readonly stream_id: string
}): string => [stream.url, stream.call_id, stream.stream_id].join("\n")

export const SignedStreamHeaders = Layer.effect(
  StreamHeaders,
  Effect.map(Directory, (directory) => ({
    of: Effect.fnUntraced(function* ({ call_id, stream_id, url, workspace_id }) {
      const workspace = yield* directory.workspace(workspace_id)
      const now = yield* Clock.currentTimeMillis
      const secrets = workspace === undefined ? [] : signingSecrets(workspace, now)
      const signed = (text: string) => signature("timestamped", secrets, text, Math.floor(now / 1_000))
      return {
        "user-agent": "trunkline-stream/1",
        // For applications from before the other signature, which proves more.
        "x-service-signature": signed(url),
        "x-service-stream-signature": signed(streamSignedText({ url, call_id, stream_id })),
        "x-service-call-id": call_id,
        "x-service-stream-id": stream_id
      }
    })
  }))
)
