// Calls in which a party sends no more audio. Asterisk is configured to end them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acts, talk } from "../support/Customer.ts"
import { untilHolds } from "../support/Until.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import { silenced } from "./support/KilledPhones.ts"
import {
  allSettled,
  comesTo,
  connectedBy,
  isAnswered,
  isOver,
  legsOf,
  PbxWorld,
  speechIsMade
} from "./support/PbxWorld.ts"
import { calls, newest, routed } from "./support/Phones.ts"

const talks = "200"
/** Shorter than the hold of `carrierNumbers.holds`. */
const silence_seconds = 3

/** The far end is heard for 1.5 s, and then no more. Returns the time of its last audio. */
const fallsSilent = Effect.gen(function* () {
  const { farEnd } = yield* PbxWorld
  yield* farEnd.forget
  yield* untilHolds("audio at the far end", () => farEnd.loud() > 0)
  yield* Effect.sleep("1500 millis")
  yield* farEnd.silence(true)
  return Date.now()
})
const withSilence = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(PbxWorld, ({ farEnd }) => Effect.ensuring(effect, farEnd.silence(false)))

layer(connectedBy("engine", { silence_seconds }), { excludeTestServices: true, timeout: "120 seconds" })(
  "a call without audio",
  (it) => {
    it.effect("is ended by the PBX, and is charged for its duration", () =>
      withSilence(
        Effect.gen(function* () {
          const { callUntil, customer, place } = yield* PbxWorld
          yield* speechIsMade
          const id = yield* place(talks, customer.voice(acts(talk)))
          yield* callUntil(id, isAnswered)
          const silent_at = yield* fallsSilent
          const call = yield* callUntil(id, isOver)
          assert.deepInclude(call, { ...silenced, cost_minor: 300 })
          // Asterisk counts whole seconds of the clock, so the first second may be short.
          assert.isAtLeast(Date.parse(call.ended_at!) - silent_at, (silence_seconds - 1) * 1_000)
          assert.isBelow(Date.parse(call.ended_at!) - silent_at, silence_seconds * 1_000 + 3_500)
          yield* allSettled
        })
      )
    )

    it.effect("loses only the silent dialled leg, and the caller's leg continues", () =>
      withSilence(
        Effect.gen(function* () {
          const { callUntil, customer, place } = yield* PbxWorld
          const next = customer.voice(acts({ hangup: {} }))
          const id = yield* place(
            carrierNumbers.machine,
            customer.voice(acts({ dial: { number: numberOf(talks), action_url: next } }))
          )
          const [leg] = (yield* callUntil(id, ({ child_call_ids }) => child_call_ids.length === 1)).child_call_ids
          yield* callUntil(leg!, isAnswered)
          yield* fallsSilent
          const call = yield* callUntil(id, isOver)
          assert.deepInclude((yield* legsOf(call))[0], { ...silenced, cost_minor: 300 })
          assert.deepInclude(call, { status: "completed", hangup_cause: "normal_clearing", hangup_source: "workspace" })
          const [question] = customer.asked(next)
          assert.deepInclude(JSON.parse(question!.body), { reason: "dial_completed" })
          yield* allSettled
        })
      )
    )

    it.effect("ends in the same way if it is inbound", () =>
      withSilence(
        Effect.gen(function* () {
          const { customer } = yield* PbxWorld
          yield* routed({ voice_url: customer.voice(acts(talk)) })
          const [code] = yield* Effect.all([calls({ from: "254771000001" }), fallsSilent], { concurrency: 2 })
          assert.strictEqual(code, 0)
          assert.deepInclude(yield* newest("inbound"), { ...silenced, cost_minor: 100 })
          yield* allSettled
        })
      )
    )

    it.effect("is not ended while the far end has it on hold", () =>
      Effect.gen(function* () {
        const call = yield* comesTo(carrierNumbers.holds, [talk])
        assert.deepInclude(call, {
          status: "completed",
          hangup_cause: "normal_clearing",
          hangup_source: "callee",
          cost_minor: 300
        })
        yield* allSettled
      })
    )
  }
)
