// The contract that every PBX gateway must fulfil, in real time with a real Asterisk and SIPp as its phones.
import { afterAll, beforeAll } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PlatformHosts } from "../../../src/actors/pbx/PlatformHosts.ts"
import { wavHeader } from "../../../src/domain/recordings/Wav.ts"
import * as LibPhoneNumber from "../../../src/layers/numberplan/LibPhoneNumber.ts"
import { pbxGatewayContract } from "../../contract/PbxGateway.ts"
import { GatewayUnderTest } from "../../contract/GatewayUnderTest.ts"
import { StreamHeaders } from "../../../src/domain/ports/calls/StreamHeaders.ts"
import { RecordingSpool } from "../../../src/domain/ports/calls/RecordingSpool.ts"
import { directory } from "../../support/PbxWorld.ts"
import { makeRelay } from "../../support/Relay.ts"
import { carrierNumbers } from "./CarrierScenario.ts"
import { isEmpty, makePbxFor, numberOf, silence_seconds } from "./Pbx.ts"
import { gatewayTo } from "./GatewayTo.ts"
import { freePorts } from "./Peers.ts"

/** Half a second of silence. */
const tone = Buffer.concat([wavHeader({ channels: 1, rate: 8_000, data_bytes: 8_000 }), Buffer.alloc(8_000)])

const makeSound = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer(
      (_, response) => void response.writeHead(200, { "content-type": "audio/wav" }).end(tone)
    )
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tone.wav`,
          close: () => server.close()
        })
      )
    )
  }),
  ({ close }) => Effect.sync(close)
)

type Way = "asterisk" | "engine"

/** Asterisk and its phones run during all tests. Each test starts its own gateway. */
const makeWorld = Effect.fnUntraced(function* (who: Way) {
  const { url: sound } = yield* makeSound
  if (who === "engine") {
    const pbx = yield* makePbxFor({ silence_seconds })
    const line = yield* makeRelay(Number(new URL(pbx.asterisk.settings["ARI_URL"]!).port))
    return { pbx, sound, line, lines: [line] }
  }
  const port = yield* freePorts()
  const feed = yield* makeRelay(port)
  const pbx = yield* makePbxFor({ silence_seconds, engine: `ws://127.0.0.1:${feed.port}/pbx/ari` })
  const line = yield* makeRelay(Number(new URL(pbx.asterisk.settings["ARI_URL"]!).port))
  return { pbx, sound, line, lines: [feed, line], listen: `ws://127.0.0.1:${port}/pbx/ari` }
})
type World = Effect.Success<ReturnType<typeof makeWorld>>

/** Hangs up all channels before the gateway of a test disconnects, so that no event reaches the next test. */
const clears = ({ pbx }: World) =>
  Layer.effectDiscard(
    Effect.addFinalizer(() =>
      Effect.orDie(Effect.andThen(pbx.asterisk.clear, isEmpty(pbx))).pipe(Effect.andThen(Effect.sleep("200 millis")))
    )
  )

const gatewayOf = (who: Way, { line, lines, listen, pbx, sound }: World & { readonly listen?: string }) => {
  const asterisk = gatewayTo(pbx, { port: line.port, listen })
  const underTest = Layer.succeed(GatewayUnderTest)({
    numbers: {
      answers: numberOf(carrierNumbers.slow),
      busy: numberOf("486"),
      silent: numberOf(carrierNumbers.rings),
      presses: numberOf(carrierNumbers.presses)
    },
    sound,
    // Asterisk hangs up answered channels while no engine is connected, unless it is Asterisk that connects.
    streams: true,
    keeps_unheard: who === "asterisk",
    pass: Effect.sleep,
    connect: Effect.forEach(lines, ({ mend }) => mend, { discard: true }),
    disconnect: Effect.forEach(lines, ({ cut }) => cut, { discard: true })
  })
  return Layer.merge(clears({ line, lines, pbx, sound }).pipe(Layer.provideMerge(asterisk)), underTest).pipe(
    Layer.provide([directory, LibPhoneNumber.layer, PlatformHosts.none, RecordingSpool.none, StreamHeaders.none])
  )
}

/** Tests the contract with this side making the connection, within a `describe`. */
export const fulfilsTheContract = (name: string, who: Way): void => {
  let world: World
  const scope = ManagedRuntime.make(Layer.effectDiscard(Effect.map(makeWorld(who), (made) => void (world = made))))
  beforeAll(() => scope.context().then(() => {}))
  afterAll(() => scope.dispose())
  // Heartbeats do not depend on how the two connect, so only one of the runs tests them.
  pbxGatewayContract(name, Layer.unwrap(Effect.sync(() => gatewayOf(who, world))), "real", who === "engine")
}
