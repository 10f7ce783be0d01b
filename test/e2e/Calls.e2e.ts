// Calls over real SIP with real audio.
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { wavOf } from "../../src/domain/recordings/Wav.ts"
import { acts, talk } from "../support/Customer.ts"
import { until, untilHolds } from "../support/Until.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import {
  comesTo,
  isOver,
  layer as pbxWorld,
  legsOf,
  nothingLeft,
  PbxWorld,
  recordingOf,
  talked_ms
} from "./support/PbxWorld.ts"

const talks = "200"

/** The highest sample of one channel of a stereo recording. */
const loudest = (wav: Buffer, channel: number): number => {
  let peak = 0
  for (let at = 44 + channel * 2; at + 1 < wav.length; at += 4) peak = Math.max(peak, Math.abs(wav.readInt16LE(at)))
  return peak
}

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a call through Asterisk", (it) => {
  it.effect.each<[string, string, Partial<CallRecord>]>([
    [
      "busy",
      "486",
      { status: "busy", sip_code: 486, q850_cause: 17, hangup_cause: "user_busy", hangup_source: "callee" }
    ],
    [
      "declined",
      "603",
      { status: "busy", sip_code: 603, q850_cause: 21, hangup_cause: "call_rejected", hangup_source: "callee" }
    ],
    [
      "forbidden",
      "403",
      { status: "failed", sip_code: 403, q850_cause: 21, hangup_cause: "call_rejected", hangup_source: "carrier" }
    ],
    [
      "an unknown number",
      "404",
      { status: "failed", sip_code: 404, q850_cause: 1, hangup_cause: "unallocated_number", hangup_source: "carrier" }
    ],
    [
      "a fault of the carrier",
      "500",
      { status: "failed", sip_code: 500, q850_cause: 38, hangup_cause: "network_congestion", hangup_source: "carrier" }
    ],
    [
      "no circuits available",
      "503",
      { status: "failed", sip_code: 503, q850_cause: 34, hangup_cause: "service_unavailable", hangup_source: "carrier" }
    ]
  ])("fails with the carrier's cause: %s", ([, digits, end]) =>
    Effect.gen(function* () {
      const call = yield* comesTo(digits, [talk])
      assert.deepInclude(call, { ...end, answered_at: null, cost_minor: 0 })
      assert.doesNotHaveAnyKeys(call, ["duration_seconds", "billed_seconds"])
      assert.isAtLeast(Date.parse(call.ended_at!), Date.parse(call.created_at))
      assert.isAtMost(Date.parse(call.ended_at!), Date.now())
      yield* nothingLeft
    })
  )

  it.effect("ends at the ringing timeout, also if the carrier never responds", () =>
    Effect.gen(function* () {
      const [rung, silent] = yield* Effect.all(
        [
          comesTo(carrierNumbers.rings, [talk], { timeout_seconds: 5 }),
          comesTo(carrierNumbers.silent, [talk], { timeout_seconds: 5 })
        ],
        { concurrency: 2 }
      )
      assert.deepInclude(rung, { status: "no_answer", cost_minor: 0 })
      assert.deepInclude(silent, { status: "no_answer", ringing_at: null, cost_minor: 0 })
    })
  )

  it.effect("is cancelled while it rings", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place, program } = yield* PbxWorld
      const id = yield* place(carrierNumbers.rings, customer.voice(acts(talk)))
      yield* callUntil(id, ({ ringing_at }) => ringing_at !== null)
      yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      assert.deepInclude(yield* callUntil(id, isOver), {
        status: "canceled",
        hangup_cause: "canceled_by_workspace",
        hangup_source: "workspace",
        cost_minor: 0
      })
      yield* nothingLeft
    })
  )

  it.effect("ends when the far end hangs up, is timed by Asterisk's clock, and is charged once", () =>
    Effect.gen(function* () {
      const call = yield* comesTo(carrierNumbers.hangsUp, [talk])
      assert.deepInclude(call, {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "callee",
        sip_code: 200,
        q850_cause: 16,
        duration_seconds: Math.ceil(talked_ms(call) / 1_000),
        billed_seconds: Math.ceil(talked_ms(call) / 1_000),
        cost_minor: 300
      })
      assert.isNotNull(call.ringing_at)
      assert.isAbove(talked_ms(call), 1_300)
      assert.isBelow(talked_ms(call), 4_000)
    })
  )

  it.effect("is ringing while the carrier plays an announcement as early media", () =>
    Effect.gen(function* () {
      const call = yield* comesTo(carrierNumbers.early, [{ hangup: {} }])
      assert.deepInclude(call, { status: "completed", hangup_source: "workspace", cost_minor: 300 })
      assert.isAbove(Date.parse(call.answered_at!) - Date.parse(call.ringing_at!), 800)
    })
  )

  it.effect("plays a spoken text that the far end hears, and records the far end", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      yield* farEnd.forget
      const say = {
        text: "The quick brown fox jumps over the lazy dog, and then it sleeps.",
        language: "en-GB",
        voice: "female"
      }
      const call = yield* comesTo(talks, [{ say }], { record: "record-from-answer-dual" })
      assert.deepInclude(call, { status: "completed", hangup_cause: "actions_ended", cost_minor: 300 })
      assert.isAbove(talked_ms(call), 3_000)
      assert.isAbove(farEnd.loud() * 20, talked_ms(call) / 3)
      const wav = yield* recordingOf(call.id)
      assert.deepInclude(Result.getOrThrow(wavOf(wav.subarray(0, 4096), wav.length)), { channels: 2 })
      for (const channel of [0, 1]) assert.isAbove(loudest(wav, channel), 3_000, `channel ${channel}`)
    })
  )

  it.effect("is recorded in one channel, from the start of ringing if requested", () =>
    Effect.gen(function* () {
      const say = { text: "The quick brown fox jumps over the lazy dog." }
      const [answered, rung] = yield* Effect.all(
        [
          comesTo(carrierNumbers.slow, [{ say }], { record: "record-from-answer" }),
          comesTo(carrierNumbers.slow, [{ say }], { record: "record-from-ringing" })
        ],
        { concurrency: 2 }
      )
      const ms = (call: CallRecord) =>
        Effect.map(recordingOf(call.id), (wav) => {
          const { channels, duration_ms } = Result.getOrThrow(wavOf(wav.subarray(0, 4096), wav.length))
          assert.strictEqual(channels, 1)
          return duration_ms
        })
      assert.closeTo(yield* ms(answered), talked_ms(answered), 700)
      assert.closeTo(yield* ms(rung), Date.parse(rung.ended_at!) - Date.parse(rung.ringing_at!), 700)
    })
  )

  it.effect("sends DTMF digits", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      yield* farEnd.forget
      yield* comesTo(talks, [{ send_digits: { digits: "1*2w8#" } }, { pause: { seconds: 1 } }])
      assert.strictEqual(farEnd.keys(), "1*28#")
    })
  )

  it.effect("records a message until a key ends it", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place } = yield* PbxWorld
      yield* farEnd.forget
      const taken = customer.voice(acts({ hangup: {} }))
      const sound = { packets: 0, until: performance.now() }
      const record = { max_length: 20, finish_on_key: "#", play_beep: true, silence_timeout: 10, action_url: taken }
      const id = yield* place(talks, customer.voice(acts({ say: { text: "After the tone." } }, { record })))
      yield* callUntil(id, ({ status }) => status === "answered")
      const silence = Effect.sync(() => {
        if (farEnd.loud() !== sound.packets) Object.assign(sound, { packets: farEnd.loud(), until: performance.now() })
        return { ...sound, lasts_ms: performance.now() - sound.until }
      })
      // The recording begins at the end of the beep.
      const { lasts_ms } = yield* until(
        "silence after the beep",
        silence,
        (heard) => heard.packets > 0 && heard.lasts_ms > 1_800
      )
      yield* farEnd.press("#")
      yield* callUntil(id, isOver)
      const [question] = customer.asked(taken)
      const { result } = JSON.parse(question!.body) as {
        readonly result: { readonly status: string; readonly duration_seconds: number }
      }
      assert.strictEqual(result.status, "recorded")
      assert.closeTo(result.duration_seconds, lasts_ms / 1_000, 1)
    })
  )

  it.effect("gathers digits, and the first digit stops the prompt", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place } = yield* PbxWorld
      yield* farEnd.forget
      const taken = customer.voice(acts({ hangup: {} }))
      const prompt = { say: { text: "Please enter the number of your order. ".repeat(20) } }
      const id = yield* place(talks, customer.voice(acts({ gather: { num_digits: 4, prompt, action_url: taken } })))
      yield* untilHolds("prompt at the far end", () => farEnd.loud() > 10)
      yield* farEnd.press("1*28")
      // The whole prompt takes longer.
      assert.isBelow(talked_ms(yield* callUntil(id, isOver)), 30_000)
      const [question] = customer.asked(taken)
      assert.deepInclude(JSON.parse(question!.body), {
        reason: "gather_completed",
        result: { status: "complete", digits: "1*28" }
      })
    })
  )

  it.effect("gathers digits that arrive by SIP INFO", () =>
    Effect.gen(function* () {
      const { customer } = yield* PbxWorld
      const taken = customer.voice(acts({ hangup: {} }))
      yield* comesTo(carrierNumbers.informs, [
        { gather: { num_digits: 10, finish_on_key: "#", timeout: 10, action_url: taken } }
      ])
      const [question] = customer.asked(taken)
      assert.deepInclude(JSON.parse(question!.body), {
        reason: "gather_completed",
        result: { status: "complete", digits: "1234" }
      })
    })
  )

  it.effect("sends digits by SIP INFO if the phone supports nothing else", () =>
    Effect.gen(function* () {
      const call = yield* comesTo(carrierNumbers.informed, [
        { send_digits: { digits: "42" } },
        { pause: { seconds: 5 } }
      ])
      assert.deepInclude(call, { status: "completed", hangup_source: "callee" })
    })
  )

  it.effect("dials three numbers at once, connects the first to answer and cancels the others", () =>
    Effect.gen(function* () {
      const numbers = [carrierNumbers.rings, carrierNumbers.hangsUp, carrierNumbers.slow].map(numberOf)
      const call = yield* comesTo(talks, [{ dial: { numbers, timeout: 20 } }])
      assert.deepInclude(call, { status: "completed" })
      const legs = yield* legsOf(call)
      assert.deepStrictEqual(
        legs.map(({ status }) => status),
        ["canceled", "completed", "canceled"]
      )
      assert.deepInclude(legs[1]!, { hangup_source: "callee", cost_minor: 300 })
    })
  )

  it.effect("dials numbers one after the other until one answers", () =>
    Effect.gen(function* () {
      const numbers = ["486", "404", carrierNumbers.hangsUp].map(numberOf)
      const call = yield* comesTo(talks, [{ dial: { numbers, sequential: true, timeout: 20 } }])
      assert.deepStrictEqual(
        (yield* legsOf(call)).map(({ status }) => status),
        ["busy", "failed", "completed"]
      )
    })
  )
})
