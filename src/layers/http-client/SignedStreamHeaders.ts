// Signs the requests that open media streams, as voice callbacks are signed (docs/streams.md).
import { Clock, Effect, Layer } from "effect"
import { Directory } from "../../domain/ports/Directory.ts"
import { StreamHeaders } from "../../domain/ports/StreamHeaders.ts"
import { signingSecrets } from "../../domain/workspace/VoiceSecret.ts"
import { signature } from "./Signatures.ts"

export const SignedStreamHeaders = Layer.effect(
  StreamHeaders,
  Effect.map(Directory, (directory) => ({
    of: Effect.fnUntraced(function* ({ call_id, stream_id, url, workspace_id }) {
      const workspace = yield* directory.workspace(workspace_id)
      const now = yield* Clock.currentTimeMillis
      const secrets = workspace === undefined ? [] : signingSecrets(workspace, now)
      return {
        "user-agent": "trunkline-stream/1",
        "x-service-signature": signature("timestamped", secrets, url, Math.floor(now / 1_000)),
        "x-service-call-id": call_id,
        "x-service-stream-id": stream_id
      }
    })
  }))
)
