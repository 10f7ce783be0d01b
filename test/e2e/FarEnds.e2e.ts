// Far ends that do what the protocol allows, and what it does not: each call comes to one end, is paid for by the rule, and
// leaves nothing behind.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/CallRecord.ts"
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

/** What its customer is told of it, in that order. */
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
      "that says without end that it rings",
      carrierNumbers.nags,
      { status: "no_answer", hangup_cause: "ring_timeout", cost_minor: 0 },
      ["call.ringing", "ringing", "call.no_answer"]
    ],
    // Who answers is paid: the network was, too.
    [
      "that answers and names no sound",
      carrierNumbers.wordless,
      { status: "completed", q850_cause: 127, duration_seconds: 1, cost_minor: 300 },
      talked
    ],
    [
      "that answers with a codec that nobody has",
      carrierNumbers.foreign,
      { status: "failed", sip_code: 488, answered_at: null, cost_minor: 0 },
      ["call.ringing", "ringing", "call.failed"]
    ],
    ["that hangs up twice", carrierNumbers.twice, hungUp, talked],
    ["that wants the session refreshed less often", carrierNumbers.unhurried, hungUp, talked],
    ["that refreshes the session by UPDATE", carrierNumbers.refreshes, hungUp, talked],
    ["that puts the talk on hold and takes it back", carrierNumbers.holds, hungUp, talked]
  ])("%s", ([, digits, end, events]) =>
    Effect.gen(function* () {
      const call = yield* comesTo(digits, [talk], { timeout_seconds: 5 })
      assert.deepInclude(call, end)
      assert.deepStrictEqual(yield* told(call.id), events)
      yield* allSettled
    })
  )

  it.effect("that cancels what is answered already talks on, and pays", () =>
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

  it.effect("that wants somebody else called in its place has nobody called, and talks on", () =>
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
