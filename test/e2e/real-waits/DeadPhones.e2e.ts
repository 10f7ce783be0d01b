// Phones that vanish in mid-call, with the default limit for silence.
import { layer } from "@effect/vitest"
import { phonesAreKilled } from "../support/KilledPhones.ts"
import { connectedBy } from "../support/PbxWorld.ts"

layer(connectedBy("engine"), { excludeTestServices: true, timeout: "120 seconds" })(
  "a phone that is killed in mid-call",
  (it) => {
    it.effect(
      "ends its call after a minute without audio, once, whether it called or was called",
      () => phonesAreKilled(60),
      180_000
    )
  }
)
