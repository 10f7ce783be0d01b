// Answering machine detection, and what callers hear while they wait.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { statSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { CallEventRecord } from "../../src/domain/calls/views/CallEventRecord.ts"
import { wavHeader } from "../../src/domain/recordings/Wav.ts"
import { toneWav } from "../../src/layers/pbx/simulator/ToneWav.ts"
import { acts } from "../support/Customer.ts"
import { receiver } from "../support/Receiver.ts"
import { until } from "../support/Until.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { isAnswered, isOver, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"

/** The number of audio packets received within a second. */
const heardInASecond = Effect.gen(function* () {
  const { farEnd } = yield* PbxWorld
  yield* farEnd.forget
  yield* Effect.sleep("1 second")
  return farEnd.loud()
})

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("through Asterisk", (it) => {
  const detected = (digits: string, machine_detection: string) =>
    Effect.gen(function* () {
      const { callUntil, customer, place, program } = yield* PbxWorld
      const url = customer.voice(acts())
      const call = yield* callUntil(yield* place(digits, url, { machine_detection }), isOver)
      const { json } = yield* program.ask(`/v1/calls/${call.id}/events`)
      const event = json<ReadonlyArray<CallEventRecord>>().find(({ kind }) => kind === "call.machine_detected")!
      const asked = JSON.parse(customer.asked(url)[0]!.body) as { readonly answered_by: string }
      return { call, asked, after_ms: Date.parse(event.occurred_at) - Date.parse(call.answered_at!) }
    })

  it.effect.each([
    ["as a person who says one word and waits", carrierNumbers.person, "detect", "human", 1_700, 4_000],
    ["as a machine that keeps talking", carrierNumbers.machine, "detect", "machine", 2_700, 4_500],
    ["as a machine, at the end of its message", carrierNumbers.machine, "detect_message_end", "machine", 6_000, 12_000],
    ["as unknown if nobody speaks", "200", "detect", "unknown", 4_900, 6_500]
  ] as const)("a call reports who has answered %s", ([, digits, detection, answered_by, from_ms, to_ms]) =>
    Effect.gen(function* () {
      const { after_ms, asked, call } = yield* detected(digits, detection)
      assert.strictEqual(call.answered_by, answered_by)
      assert.strictEqual(asked.answered_by, answered_by)
      assert.isAtLeast(after_ms, from_ms)
      assert.isAtMost(after_ms, to_ms)
    })
  )

  it.effect("a caller hears the customer's ringback file only while the dialled phone rings", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place } = yield* PbxWorld
      const tune = yield* receiver(
        (_, response) =>
          void response
            .writeHead(200, { "content-type": "audio/wav" })
            .end(Buffer.concat([...toneWav({ channels: 1, duration_ms: 400 })]))
      )
      const dial = { timeout: 10, numbers: [`+254711000${carrierNumbers.slow}`], ringback_url: tune.url }
      const id = yield* place("200", customer.voice(acts({ dial })))
      yield* callUntil(id, isAnswered)
      yield* farEnd.forget
      const {
        child_call_ids: [child]
      } = yield* callUntil(id, ({ child_call_ids }) => child_call_ids.length === 1)
      yield* callUntil(child!, isAnswered)
      assert.isAbove(farEnd.loud(), 50)
      yield* until("second of silence", heardInASecond, (packets) => packets === 0)
      assert.lengthOf(tune.requests, 1)
      yield* (yield* PbxWorld).program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      yield* callUntil(id, isOver)
      yield* nothingLeft
    })
  )

  it.effect.each([
    ["a ringback tone while the dialled phone rings", carrierNumbers.slow],
    ["what the dialled phone sends before its answer", carrierNumbers.greets]
  ] as const)("a caller hears %s", ([, digits]) =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place, program } = yield* PbxWorld
      const dial = { timeout: 10, numbers: [`+254711000${digits}`] }
      const id = yield* place("200", customer.voice(acts({ dial })))
      yield* callUntil(id, isAnswered)
      yield* farEnd.forget
      const {
        child_call_ids: [child]
      } = yield* callUntil(id, ({ child_call_ids }) => child_call_ids.length === 1)
      yield* callUntil(child!, isAnswered)
      assert.isAbove(farEnd.loud(), 40)
      yield* until("second of silence", heardInASecond, (packets) => packets === 0)
      yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      yield* callUntil(id, isOver)
      yield* nothingLeft
    })
  )

  it.effect("a small file that would be hours of audio is refused, and the call continues", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place, program } = yield* PbxWorld
      const slow = Buffer.concat([wavHeader({ channels: 1, rate: 1, data_bytes: 20_000 }), Buffer.alloc(20_000)])
      const files = yield* receiver((_, response) => void response.writeHead(200).end(slow))
      yield* farEnd.forget
      const actions = [{ play: { url: files.url } }, { say: { text: "Hello and welcome." } }]
      const id = yield* place("200", customer.voice(acts(...actions)))
      assert.deepInclude(yield* callUntil(id, isOver), { status: "completed", hangup_cause: "actions_ended" })
      assert.isAbove(farEnd.loud(), 20)
      const folder = join(program.data_dir, "sounds")
      const sizes = (yield* Effect.promise(() => readdir(folder, { recursive: true, withFileTypes: true })))
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => statSync(join(parentPath, name)).size)
      assert.isBelow(
        sizes.reduce((sum, size) => sum + size, 0),
        2_000_000
      )
      yield* nothingLeft
    })
  )

  it.effect("a call on hold hears music until it is resumed", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place, program } = yield* PbxWorld
      const id = yield* place("200", customer.voice(acts({ pause: { seconds: 30 } })))
      yield* callUntil(id, isAnswered)
      const hold = (on: boolean) =>
        Effect.map(program.ask(`/v1/calls/${id}/update`, { body: { hold: on } }), ({ status, text }) =>
          assert.strictEqual(status, 200, text)
        )
      assert.strictEqual(yield* heardInASecond, 0)
      yield* hold(true)
      assert.isAbove(yield* heardInASecond, 20)
      yield* hold(false)
      yield* until("second of silence", heardInASecond, (packets) => packets === 0)
      yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      yield* callUntil(id, isOver)
    })
  )
})
