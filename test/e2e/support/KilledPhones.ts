// Phones that are killed in mid-call with all their sockets. Nothing but the silence tells that they are gone.
import { assert } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { acts } from "../../support/Customer.ts"
import { until, untilHolds } from "../../support/Until.ts"
import { callerScenario } from "./CallerScenario.ts"
import { carrierNumbers } from "./CarrierScenario.ts"
import { farEnd as mediaOf } from "./FarEnd.ts"
import { numberOf } from "./Pbx.ts"
import { sipp } from "./Peers.ts"
import { allSettled, isAnswered, isOver, legsOf, PbxWorld, talked_ms } from "./PbxWorld.ts"
import { credential, phone } from "./Phones.ts"

/** How a call ended from which no audio came any more. */
export const silenced = {
  status: "completed",
  hangup_cause: "media_timeout",
  hangup_source: "platform",
  q850_cause: 44
} as const

const per_min_minor = 300

/** Waits for the end of a call that nobody hangs up. */
const endsBySilence = (id: string, silence_seconds: number) =>
  Effect.flatMap(PbxWorld, ({ look }) =>
    until("end of the call", look(id), isOver, { within_ms: (silence_seconds + 30) * 1_000 })
  )

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
    yield* untilHolds("webhook of the end", () => ends().size > 0)
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

const assertNoticed = (call: CallRecord, killed_at: number, silence_seconds: number) => {
  assert.deepInclude(call, silenced)
  const after_ms = Date.parse(call.ended_at!) - killed_at
  assert.isAbove(after_ms, (silence_seconds - 2) * 1_000)
  assert.isBelow(after_ms, (silence_seconds + 5) * 1_000)
}

/** A device that is killed after it placed a call, and talked. The leg to the carrier is what it pays for. */
const callerIsKilled = Effect.fnUntraced(function* (silence_seconds: number) {
  const { asterisk, callUntil, folder, program } = yield* PbxWorld
  const user = yield* credential("1051")
  const alive = yield* Scope.make()
  const media = yield* Scope.provide(mediaOf(), alive)
  // It talks for so long that the device hears it even if a busy machine is slow to connect them.
  const number = numberOf(carrierNumbers.machine)
  const scenario = callerScenario({ number, from: user.username, media_port: media.port, user })
  const args = [`127.0.0.1:${asterisk.sip_port}`, "-i", "127.0.0.1", "-m", "1"]
  yield* Scope.provide(sipp({ folder, scenario, args }), alive)
  const placed = Effect.map(program.ask("/v1/calls?direction=outbound&limit=50"), ({ json }) =>
    json<ReadonlyArray<CallRecord>>().find(({ parent_call_id, to }) => to === number && parent_call_id === null)
  )
  const found = yield* until("call of the device", placed, (call) => call !== undefined)
  yield* callUntil(found!.id, isAnswered)
  // It hears and echoes the carrier, so Asterisk has heard it too.
  yield* untilHolds("sound at the device", () => media.loud() > 5)
  const killed_at = yield* killed(alive)
  const call = yield* endsBySilence(found!.id, silence_seconds)
  assertNoticed(call, killed_at, silence_seconds)
  assert.strictEqual(call.cost_minor, 0)
  yield* endsOnce(call)
  const [leg, ...others] = yield* legsOf(call)
  assert.deepInclude(leg, { status: "completed", hangup_source: "caller", cost_minor: costOf(leg!) })
  assert.lengthOf(others, 0)
  yield* endsOnce(leg!)
})

/** The phone of an extension that is killed after it answered, and talked. */
const calleeIsKilled = Effect.fnUntraced(function* (silence_seconds: number) {
  const { callUntil, customer, place } = yield* PbxWorld
  const user = yield* credential("1052")
  const alive = yield* Scope.make()
  yield* Scope.provide(phone(user, "speaks"), alive)
  yield* user.registrations(1)
  const next = customer.voice(acts({ hangup: {} }))
  const dial = { dial: { sip: `sip:${user.extension}@extensions`, action_url: next } }
  const id = yield* place("200", customer.voice(acts(dial)))
  const { child_call_ids } = yield* callUntil(id, ({ child_call_ids }) => child_call_ids.length === 1)
  yield* callUntil(child_call_ids[0]!, isAnswered)
  yield* Effect.sleep("1500 millis")
  const killed_at = yield* killed(alive)
  const leg = yield* endsBySilence(child_call_ids[0]!, silence_seconds)
  assertNoticed(leg, killed_at, silence_seconds)
  assert.strictEqual(leg.cost_minor, 0)
  yield* endsOnce(leg)
  const call = yield* callUntil(id, isOver)
  assert.deepInclude(call, { hangup_cause: "normal_clearing", hangup_source: "workspace", cost_minor: costOf(call) })
  assert.lengthOf(customer.asked(next), 1)
  yield* endsOnce(call)
})

/** One phone that placed a call and one that was called are killed. Both calls end once, and cost what they lasted. */
export const phonesAreKilled = (silence_seconds: number) =>
  Effect.andThen(
    Effect.all([callerIsKilled(silence_seconds), calleeIsKilled(silence_seconds)], { concurrency: 2 }),
    allSettled
  )
