// Calls in which a party sends no more audio. Asterisk is configured to end them.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { CallRecord } from "../../src/domain/calls/CallRecord.ts"
import { acts, talk } from "../support/Customer.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { farEnd as mediaOf } from "./support/FarEnd.ts"
import { sipp } from "./support/Peers.ts"
import { numberOf } from "./support/Pbx.ts"
import {
  allSettled,
  comesTo,
  connectedBy,
  isAnswered,
  isOver,
  legsOf,
  PbxWorld,
  talked_ms
} from "./support/PbxWorld.ts"
import { calls, credential, newest, phone, routed } from "./support/Phones.ts"

const talks = "200"
const silence_seconds = 2
const silenced = {
  status: "completed",
  hangup_cause: "media_timeout",
  hangup_source: "platform",
  q850_cause: 44
} as const

/** The audio lasts 1.5 s. */
const fallsSilent = Effect.gen(function* () {
  const { farEnd } = yield* PbxWorld
  yield* Effect.sleep("1500 millis")
  yield* farEnd.silence(true)
})
const withSilence = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(PbxWorld, ({ farEnd }) => Effect.ensuring(effect, farEnd.silence(false)))

layer(connectedBy("engine", { silence_seconds }), { excludeTestServices: true, timeout: "120 seconds" })(
  "a call without audio",
  (it) => {
    it.effect("is ended by the PBX, and is charged for its duration", () =>
      withSilence(
        Effect.gen(function* () {
          const { customer, place, until } = yield* PbxWorld
          const id = yield* place(talks, customer.voice(acts(talk)))
          yield* until(id, isAnswered)
          yield* fallsSilent
          const call = yield* until(id, isOver)
          assert.deepInclude(call, { ...silenced, cost_minor: 300 })
          // Asterisk counts whole seconds of the clock, so the first second may be short.
          assert.isAtLeast(talked_ms(call), 1_500 + (silence_seconds - 1) * 1_000)
          assert.isBelow(talked_ms(call), 1_500 + silence_seconds * 1_000 + 3_500)
          yield* allSettled
        })
      )
    )

    it.effect("loses only the silent dialled leg, and the caller's leg continues", () =>
      withSilence(
        Effect.gen(function* () {
          const { customer, look, place, until } = yield* PbxWorld
          const next = customer.voice(acts({ hangup: {} }))
          const id = yield* place(
            carrierNumbers.machine,
            customer.voice(acts({ dial: { number: numberOf(talks), action_url: next } }))
          )
          const legs = look(id).pipe(
            Effect.delay("50 millis"),
            Effect.repeat({ until: ({ child_call_ids }) => child_call_ids.length === 1 }),
            Effect.timeout("10 seconds")
          )
          const [leg] = (yield* legs).child_call_ids
          yield* until(leg!, isAnswered)
          yield* fallsSilent
          const call = yield* until(id, isOver)
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

const device_silence_seconds = 60
const per_min_minor = 300

/** Waits for the end of a call, which comes later than `until` waits. */
const endsLater = (id: string) =>
  Effect.flatMap(PbxWorld, ({ until }) => Effect.delay(until(id, isOver), `${device_silence_seconds - 5} seconds`))

/** Waits for the webhook of the end: it is sent after the end is stored. */
const endsOnce = ({ id }: CallRecord) =>
  Effect.gen(function* () {
    const { customer } = yield* PbxWorld
    const ends = () =>
      new Set(
        customer.told
          .filter(({ call_id, event_kind }) => call_id === id && event_kind === "call.completed")
          .map(({ event_id }) => event_id)
      )
    yield* Effect.sync(() => ends().size > 0).pipe(
      Effect.delay("50 millis"),
      Effect.repeat({ until: (ended) => ended }),
      Effect.timeout("10 seconds")
    )
    yield* Effect.sleep("500 millis")
    assert.strictEqual(ends().size, 1)
  })

const costOf = (call: CallRecord): number => Math.ceil(talked_ms(call) / 60_000) * per_min_minor

/** Kills a phone with all its sockets, and returns the time. */
const killed = (alive: Scope.Closeable) =>
  Effect.andThen(
    Scope.close(alive, Exit.void),
    Effect.sync(() => Date.now())
  )

const assertNoticed = (call: CallRecord, killed_at: number) => {
  assert.deepInclude(call, silenced)
  const after_ms = Date.parse(call.ended_at!) - killed_at
  assert.isAbove(after_ms, (device_silence_seconds - 2) * 1_000)
  assert.isBelow(after_ms, (device_silence_seconds + 5) * 1_000)
}

/** A device that is killed after it placed a call, and talked. The leg to the carrier is what it pays for. */
const callerIsKilled = Effect.gen(function* () {
  const { asterisk, folder, program, until } = yield* PbxWorld
  const user = yield* credential("1051")
  const alive = yield* Scope.make()
  const media = yield* Scope.provide(mediaOf(), alive)
  const number = numberOf(carrierNumbers.person)
  const scenario = callerScenario({ number, from: user.username, media_port: media.port, user })
  const args = [`127.0.0.1:${asterisk.sip_port}`, "-i", "127.0.0.1", "-m", "1"]
  yield* Scope.provide(sipp({ folder, scenario, args }), alive)
  const placed = Effect.map(program.ask("/v1/calls?direction=outbound&limit=50"), ({ json }) =>
    json<ReadonlyArray<CallRecord>>().find(({ parent_call_id, to }) => to === number && parent_call_id === null)
  )
  const found = yield* placed.pipe(
    Effect.delay("50 millis"),
    Effect.repeat({ until: (call) => call !== undefined }),
    Effect.timeout("10 seconds")
  )
  yield* until(found!.id, isAnswered)
  yield* Effect.sleep("1500 millis")
  // It hears and echoes the carrier, so Asterisk has heard it too.
  assert.isAbove(media.loud(), 5)
  const killed_at = yield* killed(alive)
  const call = yield* endsLater(found!.id)
  assertNoticed(call, killed_at)
  assert.strictEqual(call.cost_minor, 0)
  yield* endsOnce(call)
  const [leg, ...others] = yield* legsOf(call)
  assert.deepInclude(leg, { status: "completed", hangup_source: "caller", cost_minor: costOf(leg!) })
  assert.lengthOf(others, 0)
  yield* endsOnce(leg!)
})

/** The phone of an extension that is killed after it answered, and talked. */
const calleeIsKilled = Effect.gen(function* () {
  const { customer, look, place, until } = yield* PbxWorld
  const user = yield* credential("1052")
  const alive = yield* Scope.make()
  yield* Scope.provide(phone(user, "speaks"), alive)
  yield* user.registrations(1)
  const next = customer.voice(acts({ hangup: {} }))
  const dial = { dial: { sip: `sip:${user.extension}@extensions`, action_url: next } }
  const id = yield* place("200", customer.voice(acts(dial)))
  const { child_call_ids } = yield* look(id).pipe(
    Effect.delay("50 millis"),
    Effect.repeat({ until: ({ child_call_ids }) => child_call_ids.length === 1 }),
    Effect.timeout("10 seconds")
  )
  yield* until(child_call_ids[0]!, isAnswered)
  yield* Effect.sleep("1500 millis")
  const killed_at = yield* killed(alive)
  const leg = yield* endsLater(child_call_ids[0]!)
  assertNoticed(leg, killed_at)
  assert.strictEqual(leg.cost_minor, 0)
  yield* endsOnce(leg)
  const call = yield* until(id, isOver)
  assert.deepInclude(call, { hangup_cause: "normal_clearing", hangup_source: "workspace", cost_minor: costOf(call) })
  assert.lengthOf(customer.asked(next), 1)
  yield* endsOnce(call)
})

layer(connectedBy("engine"), { excludeTestServices: true, timeout: "120 seconds" })(
  "a phone that is killed in mid-call",
  (it) => {
    it.effect(
      "ends its call after a minute without audio, once, whether it called or was called",
      () => Effect.andThen(Effect.all([callerIsKilled, calleeIsKilled], { concurrency: 2 }), allSettled),
      120_000
    )
  }
)
