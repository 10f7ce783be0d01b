// Phones whose credential demands encrypted audio.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { allSettled, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { credential, newest, plays } from "./support/Phones.ts"

const number = `+254711000${carrierNumbers.hangsUp}`

/** How many calls were placed so far. */
const placed = Effect.gen(function* () {
  const { program } = yield* PbxWorld
  return (yield* program.ask("/v1/calls?direction=outbound&limit=200")).json<ReadonlyArray<CallRecord>>().length
})

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a phone whose credential demands", (it) => {
  it.effect.each<["sdes" | "dtls", object, object]>([
    ["sdes", { encrypts: true }, { offers_dtls: true }],
    ["dtls", { offers_dtls: true }, { encrypts: true }]
  ])("%s is connected with it, and refused without it or with the other kind", ([media_encryption, right, wrong]) =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential(media_encryption === "sdes" ? "1024" : "1025", { media_encryption })
      const caller = { number, from: user.username, media_port: farEnd.port, user }
      const before = yield* placed
      for (const offer of [{}, wrong])
        assert.strictEqual(yield* plays(callerScenario({ ...caller, ...offer, refused_with: 488 })), 0)
      assert.strictEqual(yield* placed, before)
      assert.strictEqual(yield* plays(callerScenario({ ...caller, ...right })), 0)
      assert.deepInclude(yield* newest("outbound"), { status: "completed" })
      assert.isAbove(yield* placed, before)
      yield* allSettled
    })
  )
})
