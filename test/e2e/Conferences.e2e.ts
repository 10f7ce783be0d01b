// Conferences over real SIP, proven by ear: each phone speaks a tone of its own.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import { wavHeader } from "../../src/domain/recordings/Wav.ts"
import type { ConferenceRecord } from "../../src/domain/conferences/ConferenceRecord.ts"
import { acts } from "../support/Customer.ts"
import { receiver } from "../support/Receiver.ts"
import { until } from "../support/Until.ts"
import { allSettled, isOver, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import type { TonePhones } from "./support/TonePhones.ts"

const talks = "200"
const announced_hz = 2_500

const everybody = (count: number, but: ReadonlyArray<number> = []) =>
  Array.from({ length: count }, (_, nth) => nth).filter((nth) => !but.includes(nth))

const matrix = (phones: TonePhones, count: number) => everybody(count).map((nth) => phones.hears(nth))

/** Waits until each phone hears these others. Returns how long that took, in milliseconds. */
const hearing = (what: string, phones: TonePhones, expected: ReadonlyArray<ReadonlyArray<number>>) =>
  Effect.suspend(() => {
    const began = performance.now()
    const heard = Effect.sync(() => matrix(phones, expected.length))
    return Effect.map(
      until(`conference in which ${what}`, heard, (seen) => isDeepStrictEqual(seen, expected)),
      () => performance.now() - began
    )
  })

const live = Effect.gen(function* () {
  const { program } = yield* PbxWorld
  const { json } = yield* Effect.orDie(program.ask("/v1/conferences?limit=1"))
  return json<ReadonlyArray<ConferenceRecord>>()[0]
})

/** Calls this many phones, one after the other, into a conference. */
const gather = (name: string, count: number, conference: object = {}) =>
  Effect.gen(function* () {
    const { customer, place } = yield* PbxWorld
    const actions = acts({ say: { text: "Hello." } }, { conference: { name, ...conference } })
    const ids: Array<string> = []
    while (ids.length < count) {
      ids.push(yield* place(talks, customer.voice(actions)))
      yield* until(
        `conference ${name} of ${ids.length}`,
        live,
        (found) => found?.name === name && found.participant_count === ids.length
      )
    }
    return { ids, id: (yield* live)!.id }
  })

const full = everybody(5).map((nth) => everybody(5, [nth]))

layer(pbxWorld, { excludeTestServices: true, timeout: "180 seconds" })("a conference through Asterisk", (it) => {
  it.effect("of five: each hears all others, as mute, deaf, hold, coach and announcements want it", () =>
    Effect.gen(function* () {
      const { callUntil, farEnd, program } = yield* PbxWorld
      const phones = yield* farEnd.tones
      const { id, ids } = yield* gather("five", 5)
      yield* hearing("all hear all", phones, full)

      const change = (nth: number, body: object) =>
        Effect.map(
          program.ask(`/v1/conferences/${id}/participants/${ids[nth]}`, { method: "PATCH", body }),
          ({ status, text }) => assert.strictEqual(status, 200, text)
        )
      yield* change(2, { muted: true })
      const muted_ms = yield* hearing(
        "the third is muted",
        phones,
        full.map((heard) => heard.filter((nth) => nth !== 2))
      )
      yield* change(2, { muted: false, deaf: true })
      yield* hearing(
        "the third is deaf",
        phones,
        full.map((heard, nth) => (nth === 2 ? [] : heard))
      )
      yield* change(2, { deaf: false, hold: true })
      yield* hearing(
        "the third is held",
        phones,
        full.map((heard, nth) => (nth === 2 ? [] : heard.filter((other) => other !== 2)))
      )
      yield* change(2, { hold: false, coach: ids[1]! })
      const coached = full.map((heard, nth) => (nth === 1 ? heard : heard.filter((other) => other !== 2)))
      yield* hearing("the third coaches the second", phones, coached)
      yield* change(2, { coach: null })
      yield* hearing("all hear all again", phones, full)
      console.log(`muted for all others ${muted_ms.toFixed(0)} ms after the answer, in windows of 500 ms`)

      const samples = Int16Array.from({ length: 40_000 }, (_, at) =>
        Math.round(12_000 * Math.sin((2 * Math.PI * announced_hz * at) / 8_000))
      )
      const wav = Buffer.concat([
        wavHeader({ channels: 1, rate: 8_000, data_bytes: samples.byteLength }),
        Buffer.from(samples.buffer)
      ])
      const files = yield* receiver((_, response) => void response.writeHead(200).end(wav))
      const announce = (body: object) =>
        Effect.map(program.ask(`/v1/conferences/${id}/announce`, { body }), ({ status, text }) =>
          assert.strictEqual(status, 202, text)
        )
      const hearers = () => everybody(5).filter((nth) => phones.amplitude(nth, announced_hz) > 1_000)
      const heardBy = (expected: ReadonlyArray<number>) =>
        // Longer than the sound of 5 s, and shorter than the sound twice.
        until("announcement to these phones alone", Effect.sync(hearers), (seen) => isDeepStrictEqual(seen, expected), {
          within_ms: 9_000
        })
      yield* announce({ play: { url: files.url }, call_id: ids[3] })
      yield* heardBy([3])
      yield* heardBy([])
      yield* announce({ play: { url: files.url } })
      yield* heardBy(everybody(5))

      yield* program.ask(`/v1/conferences/${id}/participants/${ids[4]}`, { method: "DELETE" })
      assert.deepInclude(yield* callUntil(ids[4]!, isOver), { status: "completed", hangup_cause: "actions_ended" })
      yield* program.ask(`/v1/conferences/${id}/end`, { method: "POST" })
      for (const each of ids) assert.deepInclude(yield* callUntil(each, isOver), { status: "completed" })
      yield* allSettled
    }).pipe(Effect.scoped)
  )

  it.effect("goes on after the engine was killed, and is charged once for each call", () =>
    Effect.gen(function* () {
      const { callUntil, farEnd, program } = yield* PbxWorld
      const phones = yield* farEnd.tones
      const { id, ids } = yield* gather("killed", 3)
      const three = everybody(3).map((nth) => everybody(3, [nth]))
      yield* hearing("all hear all", phones, three)
      yield* program.kill
      yield* hearing("all hear all without the engine", phones, three)
      yield* program.start
      yield* hearing("all hear all with the engine", phones, three)
      const muted = yield* program.ask(`/v1/conferences/${id}/participants/${ids[0]}`, {
        method: "PATCH",
        body: { muted: true }
      })
      assert.strictEqual(muted.status, 200, muted.text)
      yield* hearing(
        "the first is muted",
        phones,
        three.map((heard) => heard.filter((nth) => nth !== 0))
      )
      yield* program.ask(`/v1/conferences/${id}/end`, { method: "POST" })
      for (const each of ids) {
        const call = yield* callUntil(each, isOver)
        assert.deepInclude(call, { status: "completed", hangup_cause: "actions_ended" })
      }
      assert.deepInclude(yield* live, { status: "ended", joined_count: 3 })
      yield* allSettled
    }).pipe(Effect.scoped)
  )

  it.effect("plays music until its host comes, and ends with it", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place, program } = yield* PbxWorld
      const phones = yield* farEnd.tones
      const { ids } = yield* gather("hosted", 2, { start_on_enter: false, beep: "none" })
      yield* hearing("nobody hears anybody", phones, [[], []])
      const host = yield* place(
        talks,
        customer.voice(acts({ say: { text: "Hello." } }, { conference: { name: "hosted", end_on_exit: true } }))
      )
      yield* hearing(
        "all hear all",
        phones,
        everybody(3).map((nth) => everybody(3, [nth]))
      )
      yield* program.ask(`/v1/calls/${host}/terminate`, { method: "POST" })
      for (const each of ids)
        assert.deepInclude(yield* callUntil(each, isOver), { status: "completed", hangup_cause: "actions_ended" })
      assert.deepInclude(yield* live, { status: "ended", ended_by: "host_left" })
      yield* allSettled
    }).pipe(Effect.scoped)
  )
})
