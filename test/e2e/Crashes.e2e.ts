// The engine or Asterisk is killed during a call, and restarted.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acts, talk } from "../support/Customer.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { allSettled, isAnswered, isOver, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"

const talks = "200"

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("in mid-call", (it) => {
  it.effect("a killed engine resumes its calls after the restart: they continue and are charged once", () =>
    Effect.gen(function* () {
      const { asterisk, callUntil, customer, look, place, program } = yield* PbxWorld
      const talking = yield* place(talks, customer.voice(acts(talk)))
      const ringing = yield* place(carrierNumbers.rings, customer.voice(acts(talk)), { timeout_seconds: 60 })
      yield* callUntil(talking, isAnswered)
      yield* callUntil(ringing, ({ ringing_at }) => ringing_at !== null)
      yield* program.kill
      assert.lengthOf(yield* asterisk.channels, 2)
      yield* program.start
      yield* Effect.sleep("1 second")
      assert.strictEqual((yield* look(talking)).status, "answered")
      assert.strictEqual((yield* look(ringing)).status, "ringing")
      for (const id of [talking, ringing]) yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      assert.deepInclude(yield* callUntil(talking, isOver), {
        status: "completed",
        hangup_source: "workspace",
        cost_minor: 300
      })
      assert.deepInclude(yield* callUntil(ringing, isOver), { status: "canceled", cost_minor: 0 })
      yield* allSettled
    })
  )

  it.effect("a call that ends while the engine is down is completed after the restart", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place, program } = yield* PbxWorld
      const id = yield* place(carrierNumbers.hangsUp, customer.voice(acts(talk)))
      yield* callUntil(id, isAnswered)
      yield* program.kill
      yield* Effect.sleep("2 seconds")
      yield* program.start
      assert.deepInclude(yield* callUntil(id, isOver), {
        status: "completed",
        hangup_cause: "session_lost",
        cost_minor: 300
      })
      yield* allSettled
    })
  )

  it.effect("a killed Asterisk loses its calls, which end at its restart; later calls succeed", () =>
    Effect.gen(function* () {
      const { asterisk, callUntil, customer, place } = yield* PbxWorld
      const talking = yield* place(talks, customer.voice(acts(talk)))
      const ringing = yield* place(carrierNumbers.rings, customer.voice(acts(talk)), { timeout_seconds: 60 })
      yield* callUntil(talking, isAnswered)
      yield* asterisk.kill
      yield* asterisk.start
      assert.deepInclude(yield* callUntil(talking, isOver), {
        status: "completed",
        hangup_cause: "session_lost",
        cost_minor: 300
      })
      assert.deepInclude(yield* callUntil(ringing, isOver), {
        status: "failed",
        hangup_cause: "session_lost",
        cost_minor: 0
      })
      const next = yield* callUntil(yield* place(carrierNumbers.hangsUp, customer.voice(acts(talk))), isOver)
      assert.deepInclude(next, { status: "completed", hangup_source: "callee", cost_minor: 300 })
      yield* allSettled
    })
  )
})
