// What is heard of those who answer, and what those who wait hear.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallEventRecord } from "../../src/domain/calls/CallEventRecord.ts"
import { toneWav } from "../../src/layers/pbx/simulator/ToneWav.ts"
import { acts } from "../support/Customer.ts"
import { receiver } from "../support/Receiver.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { isAnswered, isOver, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"

/** How much is heard within a second. */
const heardInASecond = Effect.gen(function* () {
  const { farEnd } = yield* PbxWorld
  yield* farEnd.forget
  yield* Effect.sleep("1 second")
  return farEnd.loud()
})

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("through Asterisk", (it) => {
  const detected = (digits: string, machine_detection: string) =>
    Effect.gen(function* () {
      const { customer, place, program, until } = yield* PbxWorld
      const url = customer.voice(acts())
      const call = yield* until(yield* place(digits, url, { machine_detection }), isOver)
      const { json } = yield* program.ask(`/v1/calls/${call.id}/events`)
      const event = json<ReadonlyArray<CallEventRecord>>().find(({ kind }) => kind === "call.machine_detected")!
      const asked = JSON.parse(customer.asked(url)[0]!.body) as { readonly answered_by: string }
      return { call, asked, after_ms: Date.parse(event.occurred_at) - Date.parse(call.answered_at!) }
    })

  it.effect.each([
    ["is a person who says a word and waits", carrierNumbers.person, "detect", "human", 1_700, 4_000],
    ["is a machine that talks on", carrierNumbers.machine, "detect", "machine", 2_700, 4_500],
    [
      "is a machine, told when its message is over",
      carrierNumbers.machine,
      "detect_message_end",
      "machine",
      6_000,
      12_000
    ],
    ["is not known where nobody speaks", "200", "detect", "unknown", 4_900, 6_500]
  ] as const)("who has answered %s", ([, digits, detection, answered_by, from_ms, to_ms]) =>
    Effect.gen(function* () {
      const { after_ms, asked, call } = yield* detected(digits, detection)
      assert.strictEqual(call.answered_by, answered_by)
      assert.strictEqual(asked.answered_by, answered_by)
      assert.isAtLeast(after_ms, from_ms)
      assert.isAtMost(after_ms, to_ms)
    })
  )

  it.effect("a customer's file is heard while another phone rings, and no longer", () =>
    Effect.gen(function* () {
      const { customer, farEnd, place, until } = yield* PbxWorld
      const tune = yield* receiver(
        (_, response) =>
          void response
            .writeHead(200, { "content-type": "audio/wav" })
            .end(Buffer.concat([...toneWav({ channels: 1, duration_ms: 400 })]))
      )
      const dial = { timeout: 10, numbers: [`+254711000${carrierNumbers.slow}`], ringback_url: tune.url }
      const id = yield* place("200", customer.voice(acts({ dial })))
      yield* until(id, isAnswered)
      yield* farEnd.forget
      const {
        child_call_ids: [child]
      } = yield* until(id, ({ child_call_ids }) => child_call_ids.length === 1)
      yield* until(child!, isAnswered)
      assert.isAbove(farEnd.loud(), 50)
      yield* Effect.sleep("200 millis")
      assert.strictEqual(yield* heardInASecond, 0)
      assert.lengthOf(tune.requests, 1)
      yield* (yield* PbxWorld).program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      yield* until(id, isOver)
      yield* nothingLeft
    })
  )

  it.effect("whoever is put on hold hears music until the call is taken up again", () =>
    Effect.gen(function* () {
      const { customer, place, program, until } = yield* PbxWorld
      const id = yield* place("200", customer.voice(acts({ pause: { seconds: 30 } })))
      yield* until(id, isAnswered)
      const hold = (on: boolean) =>
        Effect.map(program.ask(`/v1/calls/${id}/update`, { body: { hold: on } }), ({ status, text }) =>
          assert.strictEqual(status, 200, text)
        )
      assert.strictEqual(yield* heardInASecond, 0)
      yield* hold(true)
      assert.isAbove(yield* heardInASecond, 20)
      yield* hold(false)
      yield* Effect.sleep("200 millis")
      assert.strictEqual(yield* heardInASecond, 0)
      yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      yield* until(id, isOver)
    })
  )
})
