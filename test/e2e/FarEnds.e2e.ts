// Far ends that behave unusually, within the SIP protocol or against it. Each call must end once, be charged correctly
// and leave no channels behind.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { acts, talk } from "../support/Customer.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, comesTo, layer as pbxWorld, PbxWorld, talked_ms } from "./support/PbxWorld.ts"
import { calls, newest, routed } from "./support/Phones.ts"

const mary = "254771000001"
const hungUp = {
  status: "completed",
  hangup_source: "callee",
  hangup_cause: "normal_clearing",
  cost_minor: 300
} as const

/** The webhook events of the call, in order. */
const told = (id: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const events = (yield* program.ask(`/v1/calls/${id}/events`)).json<
      ReadonlyArray<{ readonly kind: string; readonly payload: { readonly step?: string } }>
    >()
    return events.map(({ kind, payload }) => payload.step ?? kind)
  })
const talked = ["call.ringing", "ringing", "call.answered", "call.completed"]

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a far end", (it) => {
  it.effect.each<[string, string, Partial<CallRecord>, ReadonlyArray<string>]>([
    [
      "that sends 180 Ringing repeatedly",
      carrierNumbers.nags,
      { status: "no_answer", hangup_cause: "ring_timeout", cost_minor: 0 },
      ["call.ringing", "ringing", "call.no_answer"]
    ],
    [
      "that answers without SDP",
      carrierNumbers.wordless,
      { status: "failed", hangup_source: "carrier", q850_cause: 127, answered_at: null, cost_minor: 0 },
      ["call.ringing", "ringing", "call.failed"]
    ],
    [
      "that switches to a codec that is not allowed",
      carrierNumbers.switches,
      { status: "completed", hangup_cause: "pbx_error", hangup_source: "platform", q850_cause: 58, cost_minor: 300 },
      talked
    ],
    [
      "that answers with a codec that was not offered",
      carrierNumbers.foreign,
      { status: "failed", sip_code: 488, answered_at: null, cost_minor: 0 },
      ["call.ringing", "ringing", "call.failed"]
    ],
    ["that sends BYE twice", carrierNumbers.twice, hungUp, talked],
    ["that demands a longer session timer (422)", carrierNumbers.unhurried, hungUp, talked],
    ["that refreshes the session by UPDATE", carrierNumbers.refreshes, hungUp, talked],
    ["that puts the call on hold and resumes it", carrierNumbers.holds, hungUp, talked]
  ])("%s", ([, digits, end, events]) =>
    Effect.gen(function* () {
      const call = yield* comesTo(digits, [talk], { timeout_seconds: 5 })
      assert.deepInclude(call, end)
      assert.deepStrictEqual(yield* told(call.id), events)
      yield* allSettled
    })
  )

  it.effect("that cancels after the answer stays connected and is charged", () =>
    Effect.gen(function* () {
      const { customer } = yield* PbxWorld
      yield* routed({ voice_url: customer.voice(acts({ pause: { seconds: 30 } })) })
      assert.strictEqual(yield* calls({ from: mary, cancels_late: true, talks_ms: 1_500 }), 0)
      const call = yield* newest("inbound")
      assert.deepInclude(call, {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "caller",
        cost_minor: 100
      })
      assert.isAbove(talked_ms(call), 1_400)
      yield* allSettled
    })
  )

  it.effect("that requests a transfer (REFER) is not transferred and stays connected", () =>
    Effect.gen(function* () {
      const { asterisk, customer, program } = yield* PbxWorld
      const outbound = Effect.map(
        program.ask("/v1/calls?direction=outbound&limit=200"),
        ({ json }) => json<ReadonlyArray<unknown>>().length
      )
      const before = yield* outbound
      yield* routed({ voice_url: customer.voice(acts({ pause: { seconds: 30 } })) })
      const most = { channels: 0 }
      const watching = asterisk.channels.pipe(
        Effect.tap(({ length }) => Effect.sync(() => void (most.channels = Math.max(most.channels, length)))),
        Effect.delay("50 millis"),
        Effect.forever
      )
      assert.strictEqual(
        yield* Effect.raceFirst(calls({ from: mary, refers_to: numberOf("200"), talks_ms: 500 }), watching),
        0
      )
      assert.deepInclude(yield* newest("inbound"), { status: "completed", hangup_source: "caller", cost_minor: 100 })
      assert.deepStrictEqual([most.channels, yield* outbound], [1, before])
      yield* allSettled
    })
  )
})
