// Tokens of browsers that expire soon. real-waits/BrowserTokens.e2e.ts has the shortest life that the API grants.
import { layer } from "@effect/vitest"
import { Layer } from "effect"
import { Browsers } from "./support/BrowserPhone.ts"
import { isDisconnected, isWarned } from "./support/ExpiringTokens.ts"
import { connectedBy } from "./support/PbxWorld.ts"
import { SdkBrowser } from "./support/SdkBrowser.ts"

const lifetimes = { ttl_seconds: 20, silence_seconds: 5 }
const env = {
  WEBRTC_TOKEN_MAX_SECONDS: String(lifetimes.ttl_seconds),
  MEDIA_TIMEOUT_SECONDS: String(lifetimes.silence_seconds)
}
const world = Layer.mergeAll(Browsers.layer, SdkBrowser.layer).pipe(Layer.provideMerge(connectedBy("engine", { env })))

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("a browser", (it) => {
  it.effect("is disconnected when its token expires, but not during a call", () => isDisconnected(lifetimes), 180_000)

  it.effect(
    "is warned before its token ends, goes on with a new one, and closes without one, after a call that goes on",
    () => isWarned(lifetimes),
    180_000
  )
})
