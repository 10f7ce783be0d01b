// What every PBX gateway must do, done by a real Asterisk, with SIPp as its phones, in real time.
import { afterAll, beforeAll } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { wavHeader } from "../../src/domain/recordings/Wav.ts"
import * as AsteriskGateway from "../../src/layers/pbx/asterisk/AsteriskGateway.ts"
import { GatewayUnderTest, pbxGatewayContract } from "../contract/PbxGateway.ts"
import { noSpool } from "../support/Conversation.ts"
import { directory } from "../support/PbxWorld.ts"
import { makeRelay } from "../support/Relay.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { isEmpty, makePbx, numberOf, type Pbx } from "./support/Pbx.ts"

/** Half a second of silence. */
const tone = Buffer.concat([wavHeader({ channels: 1, rate: 8_000, data_bytes: 8_000 }), Buffer.alloc(8_000)])

const makeSound = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((_, response) => void response.writeHead(200, { "content-type": "audio/wav" }).end(tone))
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tone.wav`, close: () => server.close() })))
  }),
  ({ close }) => Effect.sync(close)
)

/** Gateways come and go with the tests; what they stand before is there throughout. */
let pbx: Pbx
let sound: string
const scope = ManagedRuntime.make(Layer.effectDiscard(Effect.gen(function*() {
  pbx = yield* makePbx
  sound = (yield* makeSound).url
})))
beforeAll(() => scope.context().then(() => {}))
afterAll(() => scope.dispose())

const gateway = Layer.unwrap(Effect.gen(function*() {
  // Each test begins without the channels of the one before it.
  yield* Effect.addFinalizer(() => Effect.orDie(Effect.andThen(pbx.asterisk.clear, isEmpty(pbx))))
  const { ARI_APP, ARI_PASSWORD, ARI_URL, ARI_USERNAME } = pbx.asterisk.settings
  const url = new URL(ARI_URL!)
  const line = yield* makeRelay(Number(url.port))
  url.port = String(line.port)
  const asterisk = Layer.orDie(AsteriskGateway.layer({
    gateway_id: "g1", url: url.href, username: ARI_USERNAME!, password: Redacted.make(ARI_PASSWORD!), app: ARI_APP!,
    carrier: "carrier", sounds: join(pbx.folder, "sounds"), policy: { allow_insecure: true, allow_private: true }, media_timeout: false
  }))
  const underTest = Layer.succeed(GatewayUnderTest)({
    numbers: {
      answers: numberOf(carrierNumbers.slow), busy: numberOf("486"), silent: numberOf(carrierNumbers.rings), presses: numberOf(carrierNumbers.presses)
    },
    sound,
    // Asterisk hangs up what is answered for an application that nobody has connected for.
    keeps_unheard: false,
    pass: Effect.sleep,
    connect: Effect.asVoid(line.mend),
    disconnect: line.cut
  })
  return Layer.merge(asterisk, underTest).pipe(Layer.provide([directory, noSpool]))
}))

pbxGatewayContract("Asterisk", gateway, "real")
