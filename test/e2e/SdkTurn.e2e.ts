// A browser whose audio takes no path but that through a TURN relay.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { allSettled, connectedBy } from "./support/PbxWorld.ts"
import { comesToHear, ends, registered, SdkBrowser, talksTo } from "./support/SdkBrowser.ts"
import { makeTurnRelay } from "./support/TurnRelay.ts"

const behindRelay = Layer.unwrap(Effect.map(makeTurnRelay, (env) => connectedBy("engine", { env })))
const world = Layer.provideMerge(SdkBrowser.layer, behindRelay)

/** The type of the local candidate that the audio takes. */
const pathOf = `(async () => {
  const reports = [...(await peer.getStats()).values()]
  const { selectedCandidatePairId } = reports.find(({ type }) => type === "transport")
  const pair = reports.find(({ id }) => id === selectedCandidatePairId)
  return reports.find(({ id }) => id === pair.localCandidateId).candidateType
})()`

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("a browser behind a TURN relay", (it) => {
  it.effect("logs in with the credentials of its session, and hears the other side through the relay", () =>
    Effect.gen(function* () {
      const { phone } = yield* registered("3081")
      yield* phone.run(`{
        const Peer = RTCPeerConnection
        globalThis.RTCPeerConnection = class extends Peer {
          constructor(options) {
            super({ ...options, iceTransportPolicy: "relay" })
            globalThis.peer = this
          }
        }
      }`)
      yield* talksTo(phone, "200")
      yield* comesToHear(phone)
      assert.strictEqual(yield* phone.run(pathOf), "relay")
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local")
      yield* allSettled
    })
  )
})
