// The waits of the browser client before it gives up, in real time.
import { layer } from "@effect/vitest"
import { Layer } from "effect"
import { layer as pbxWorld } from "../support/PbxWorld.ts"
import { SdkBrowser } from "../support/SdkBrowser.ts"
import { givesUp } from "../support/SdkRetries.ts"

layer(Layer.provideMerge(SdkBrowser.layer, pbxWorld), { excludeTestServices: true, timeout: "120 seconds" })(
  "the browser client in trouble",
  (it) => {
    it.effect(
      "tries a refused registration and a lost connection five times within half a minute, and closes",
      () => givesUp(1),
      120_000
    )
  }
)
