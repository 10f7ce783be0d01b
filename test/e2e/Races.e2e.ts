// SIP messages that cross on the network. Each call must end once, be charged correctly and leave no channels behind.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { acts, talk } from "../support/Customer.ts"
import { until } from "../support/Until.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, comesTo, isAnswered, isOver, layer as pbxWorld, legsOf, PbxWorld } from "./support/PbxWorld.ts"

const talks = "200"

const terminate = (id: string) =>
  Effect.flatMap(PbxWorld, ({ program }) => program.ask(`/v1/calls/${id}/terminate`, { method: "POST" }))

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("through Asterisk", (it) => {
  it.effect("a call that is answered at the moment of its cancellation is canceled and costs nothing", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place } = yield* PbxWorld
      const id = yield* place(carrierNumbers.crosses, customer.voice(acts(talk)))
      yield* callUntil(id, ({ ringing_at }) => ringing_at !== null)
      yield* terminate(id)
      assert.deepInclude(yield* callUntil(id, isOver), {
        status: "canceled",
        hangup_cause: "canceled_by_workspace",
        hangup_source: "workspace",
        answered_at: null,
        cost_minor: 0
      })
      yield* allSettled
    })
  )

  it.effect("forty calls that are terminated around their answer each end once, as answered or canceled", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place } = yield* PbxWorld
      const url = customer.voice(acts(talk))
      // The phone answers 300 ms after the INVITE. How long that is after the request depends on the machine.
      const { answered_at, created_at, id } = yield* callUntil(yield* place(talks, url), isAnswered)
      const answers_ms = Date.parse(answered_at ?? "") - Date.parse(created_at)
      yield* terminate(id)
      const one = (ms: number) =>
        Effect.gen(function* () {
          const id = yield* place(talks, url)
          yield* Effect.sleep(ms)
          assert.strictEqual((yield* terminate(id)).status, 200)
          return yield* callUntil(id, isOver)
        })
      const calls = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, n) => answers_ms * (0.6 + n * 0.05)),
        one,
        { concurrency: 8 }
      )
      for (const { answered_at, cost_minor, hangup_cause, hangup_source, status } of calls) {
        const expected =
          answered_at === null ? ["canceled", "canceled_by_workspace", 0] : ["completed", "normal_clearing", 300]
        assert.deepStrictEqual([status, hangup_cause, cost_minor, hangup_source], [...expected, "workspace"])
      }
      assert.sameMembers([...new Set(calls.map(({ status }) => status))], ["canceled", "completed"])
      yield* allSettled
    })
  )

  it.effect("of two phones that answer a dial at the same instant, one is connected and charged", () =>
    Effect.gen(function* () {
      const both = carrierNumbers.hangsUp
      for (let round = 0; round < 3; round++) {
        const numbers = [`1${both}`, `2${both}`, carrierNumbers.rings].map((digits) => numberOf(digits))
        const call = yield* comesTo(talks, [{ dial: { numbers, timeout: 20 } }])
        assert.deepInclude(call, { status: "completed", cost_minor: 300 })
        const legs = yield* legsOf(call)
        assert.deepStrictEqual(legs.map(({ cost_minor, status }) => `${status} ${cost_minor}`).sort(), [
          "canceled 0",
          "canceled 0",
          "completed 300"
        ])
        assert.deepInclude(
          legs.find(({ status }) => status === "completed"),
          { hangup_source: "callee" }
        )
      }
      yield* allSettled
    })
  )

  it.effect(
    "of ten phones dialled at once with different behaviour, one is connected and the others leave no channels",
    () =>
      Effect.gen(function* () {
        const { hangsUp, rings, silent, slow, early } = carrierNumbers
        const digits = [hangsUp, `1${hangsUp}`, `2${hangsUp}`, "486", "404", "503", rings, silent, slow, early]
        const call = yield* comesTo(talks, [{ dial: { numbers: digits.map(numberOf), timeout: 20 } }])
        assert.deepInclude(call, { status: "completed", cost_minor: 300 })
        const legs = yield* legsOf(call)
        assert.lengthOf(legs, 10)
        assert.deepStrictEqual(
          legs.slice(3, 6).map(({ sip_code }) => sip_code),
          [486, 404, 503]
        )
        assert.deepStrictEqual(
          legs.filter(({ cost_minor }) => cost_minor !== 0).map(({ status }) => status),
          ["completed"]
        )
        for (const { status } of legs.slice(6)) assert.strictEqual(status, "canceled")
        yield* allSettled
      })
  )

  it.effect("a call that both sides hang up at the same instant is charged once", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place } = yield* PbxWorld
      const id = yield* place(carrierNumbers.hangsUp, customer.voice(acts(talk)))
      const { answered_at = null } = yield* callUntil(id, isAnswered)
      // The far end hangs up 1.5 s after its answer.
      yield* Effect.sleep(Math.max(0, Date.parse(answered_at!) + 1_495 - Date.now()))
      yield* terminate(id)
      assert.deepInclude(yield* callUntil(id, isOver), { status: "completed", cost_minor: 300 })
      yield* allSettled
    })
  )

  it.effect("a caller that hangs up cancels the leg that is ringing for it", () =>
    Effect.gen(function* () {
      const { asterisk, callUntil, customer, look, place } = yield* PbxWorld
      const numbers = [carrierNumbers.rings, `1${carrierNumbers.rings}`].map((digits) => numberOf(digits))
      const id = yield* place(talks, customer.voice(acts({ dial: { numbers, timeout: 60 } })))
      yield* until("three channels", asterisk.channels, ({ length }) => length === 3)
      yield* terminate(id)
      assert.deepInclude(yield* callUntil(id, isOver), { status: "completed", cost_minor: 300 })
      for (const leg of yield* legsOf(yield* look(id))) assert.deepInclude(leg, { status: "canceled", cost_minor: 0 })
      yield* allSettled
    })
  )

  // This test comes last, because it stops the carrier.
  it.effect("a call over a dead carrier fails, or ends as no answer at an earlier ringing timeout", () =>
    Effect.gen(function* () {
      const { callUntil, carrierDies, customer, place } = yield* PbxWorld
      yield* carrierDies
      const id = yield* place(talks, customer.voice(acts(talk)))
      const call = yield* comesTo(talks, [talk], { timeout_seconds: 5 })
      const nothing = { ringing_at: null, answered_at: null, cost_minor: 0 }
      assert.deepInclude(call, { ...nothing, status: "no_answer", hangup_cause: "ring_timeout" })
      const rang_ms = ({ created_at, ended_at }: CallRecord) => Date.parse(ended_at!) - Date.parse(created_at)
      assert.isAtLeast(rang_ms(call), 4_900)
      const failed = yield* callUntil(id, isOver)
      assert.deepInclude(failed, {
        ...nothing,
        status: "failed",
        hangup_cause: "service_unavailable",
        hangup_source: "carrier"
      })
      assert.isAtLeast(rang_ms(failed), 15_000)
      // By default Asterisk would wait for 32 s.
      assert.isBelow(rang_ms(failed), 30_000)
      assert.isBelow(rang_ms(call), rang_ms(failed) / 2)
      yield* allSettled
    })
  )
})
