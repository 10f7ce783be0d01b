import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ConsoleBrowser, obstacle } from "./support/ConsoleBrowser.ts"
import { firstCall } from "./support/Softphone.ts"

describe.skipIf(obstacle !== undefined)("the first call of a new user", { timeout: 180_000 }, () => {
  layer(ConsoleBrowser.layerWith({ embedded: true }), { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("is placed and heard within a minute of the start", () =>
      Effect.map(firstCall, (took_ms) => assert.isBelow(took_ms, 60_000))
    )
  })
})
