// Phones that vanish in mid-call, with a short limit for silence. real-waits/DeadPhones.e2e.ts waits for the default.
import { layer } from "@effect/vitest"
import { phonesAreKilled } from "./support/KilledPhones.ts"
import { connectedBy } from "./support/PbxWorld.ts"

const silence_seconds = 5
const env = { MEDIA_TIMEOUT_SECONDS: String(silence_seconds) }

layer(connectedBy("engine", { env }), { excludeTestServices: true, timeout: "120 seconds" })(
  "a phone that is killed in mid-call",
  (it) => {
    it.effect("ends its call after the limit for silence, once, whether it called or was called", () =>
      phonesAreKilled(silence_seconds)
    )
  }
)
