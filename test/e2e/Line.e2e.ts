// Asterisk and the engine lose their connection. Tested for both ways of connecting.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acts, talk } from "../support/Customer.ts"
import { untilHolds } from "../support/Until.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { allSettled, connectedBy, isAnswered, isOver, PbxWorld, speechIsMade, talked_ms } from "./support/PbxWorld.ts"

const talks = "200"
/** For how long the engine is down, in milliseconds. */
const absence_ms = 3_000
/** Whether a call that is hung up after 1.5 s lasted that long, and not until the engine was back. */
const isBrief = (ms: number): boolean => ms >= 1_400 && ms < absence_ms

const ways = [
  ["Asterisk connects to the engine", "asterisk", { hangup_cause: "normal_clearing", hangup_source: "callee" }],
  ["the engine connects to Asterisk", "engine", { hangup_cause: "session_lost", hangup_source: "carrier" }]
] as const

for (const [name, who, ending] of ways) {
  layer(connectedBy(who), { excludeTestServices: true, timeout: "120 seconds" })(name, (it) => {
    it.effect("a call that ends while the engine is down is charged once", () =>
      Effect.gen(function* () {
        const { callUntil, customer, farEnd, place, program } = yield* PbxWorld
        yield* speechIsMade
        yield* farEnd.forget
        const id = yield* place(carrierNumbers.hangsUp, customer.voice(acts(talk)))
        yield* callUntil(id, isAnswered)
        // Otherwise the end of the call could be that its callback was not answered in time.
        yield* untilHolds("prompt at the far end", () => farEnd.loud() > 0)
        yield* program.kill
        yield* Effect.sleep(absence_ms)
        yield* program.start
        const call = yield* callUntil(id, isOver)
        assert.deepInclude(call, { status: "completed", cost_minor: 300, ...ending })
        if (who === "asterisk") assert.isTrue(isBrief(talked_ms(call)), `it lasted ${talked_ms(call)} ms`)
        yield* allSettled
      })
    )

    it.effect("a call answered while the engine is down is resumed if Asterisk keeps events, and fails otherwise", () =>
      Effect.gen(function* () {
        const { callUntil, customer, place, program } = yield* PbxWorld
        const id = yield* place(carrierNumbers.slow, customer.voice(acts(talk)))
        const { ringing_at } = yield* callUntil(id, ({ ringing_at }) => ringing_at !== null)
        yield* program.kill
        yield* Effect.sleep(absence_ms)
        yield* program.start
        if (who === "asterisk") {
          const { answered_at } = yield* callUntil(id, isAnswered)
          const rang_ms = Date.parse(answered_at!) - Date.parse(ringing_at!)
          assert.isTrue(rang_ms >= 1_900 && rang_ms < absence_ms, `it rang for ${rang_ms} ms`)
          yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
          assert.deepInclude(yield* callUntil(id, isOver), {
            status: "completed",
            hangup_source: "workspace",
            cost_minor: 300
          })
        } else {
          // Asterisk hangs up a channel that is answered while no engine is connected.
          assert.deepInclude(yield* callUntil(id, isOver), {
            status: "failed",
            hangup_cause: "session_lost",
            cost_minor: 0
          })
        }
        yield* allSettled
      })
    )

    it.effect("a broken connection ends no call, and every end is still reported", () =>
      Effect.gen(function* () {
        const { asterisk, callUntil, customer, line, look, place, program } = yield* PbxWorld
        const talking = yield* place(talks, customer.voice(acts(talk)))
        const leaving = yield* place(carrierNumbers.hangsUp, customer.voice(acts(talk)))
        yield* callUntil(talking, isAnswered)
        yield* callUntil(leaving, isAnswered)
        yield* line.cut
        yield* Effect.sleep(absence_ms)
        assert.lengthOf(yield* asterisk.channels, 1)
        assert.strictEqual((yield* look(leaving)).status, "answered")
        yield* line.mend
        const call = yield* callUntil(leaving, isOver)
        assert.deepInclude(call, { status: "completed", cost_minor: 300, ...ending })
        if (who === "asterisk") assert.isTrue(isBrief(talked_ms(call)), `it lasted ${talked_ms(call)} ms`)
        assert.strictEqual((yield* look(talking)).status, "answered")
        yield* program.ask(`/v1/calls/${talking}/terminate`, { method: "POST" })
        assert.deepInclude(yield* callUntil(talking, isOver), {
          status: "completed",
          hangup_source: "workspace",
          cost_minor: 300
        })
        yield* allSettled
      })
    )

    it.effect("commands sent while the connection is broken are carried out once it is restored, if not before", () =>
      Effect.gen(function* () {
        const { callUntil, customer, line, place, program } = yield* PbxWorld
        const id = yield* place(talks, customer.voice(acts(talk)))
        yield* callUntil(id, isAnswered)
        yield* line.cut
        yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
        yield* Effect.sleep("1 second")
        yield* line.mend
        assert.deepInclude(yield* callUntil(id, isOver), {
          status: "completed",
          hangup_source: "workspace",
          cost_minor: 300
        })
        yield* allSettled
      })
    )
  })
}
