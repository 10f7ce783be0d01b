// The whole engine with a PBX that supports browsers.
import { Context, Effect, Layer } from "effect"
import { layerWith } from "./Engine.ts"
import { makeSipPbx } from "./SipPbx.ts"

/** Passwords by user name, as the PBX received them. */
export class DigestSecrets extends Context.Service<DigestSecrets, Map<string, string>>()("test/DigestSecrets") {}

export class SipPbxUnderTest extends Context.Service<SipPbxUnderTest, Effect.Success<ReturnType<typeof makeSipPbx>>>()(
  "test/SipPbx"
) {}

export const webrtcEngine = Layer.unwrap(
  Effect.gen(function* () {
    const secrets = new Map<string, string>()
    const pbx = yield* makeSipPbx({ passwordOf: (username) => secrets.get(username), qop: true })
    const engine = layerWith({
      PBX_SIP_WS_URL: pbx.url,
      // A test may come from an address of its own.
      TRUSTED_PROXIES: "127.0.0.1",
      TURN_URLS: "turn:relay.example.com:3478,turns:relay.example.com:5349",
      TURN_SECRET: "turn-secret"
    })
    return Layer.mergeAll(engine, Layer.succeed(DigestSecrets)(secrets), Layer.succeed(SipPbxUnderTest)(pbx))
  })
)
