// Calls from and to a softphone that shares no code with the other peers of these tests.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { until, untilHolds } from "../support/Until.ts"
import { baresip } from "./support/Baresip.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, layer as pbxWorld, legsOf, PbxWorld } from "./support/PbxWorld.ts"
import { calls, credential, newest, routed } from "./support/Phones.ts"

const mary = "254771000001"

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a softphone", (it) => {
  it.effect("registers, is called, is heard and hears, and hangs up", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential("1041")
      const phone = yield* baresip(user)
      const [registration] = yield* user.registrations(1)
      assert.deepInclude(registration, { transport: "udp" })

      yield* farEnd.forget
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: user.extension } })
      const caller = yield* Effect.forkScoped(calls({ from: mary }))
      const { peeruri } = yield* phone.event("CALL_INCOMING")
      assert.include(peeruri, mary)
      yield* phone.command("accept")
      yield* phone.event("CALL_ESTABLISHED")
      // The caller echoes what it hears, in packets of 20 ms.
      yield* untilHolds("sound at the caller", () => farEnd.loud() > 50)
      yield* until("sound at the softphone", phone.heard_s, (seconds) => seconds > 0.5)
      yield* phone.command("hangup")
      assert.strictEqual(yield* Fiber.join(caller), 0)

      const call = yield* newest("inbound")
      assert.deepInclude(call, { status: "completed" })
      const [leg] = yield* legsOf(call)
      assert.deepInclude(leg, { status: "completed", hangup_cause: "normal_clearing", hangup_source: "callee" })
      yield* allSettled
    })
  )

  it.effect("calls a number, and is charged once when the far end hangs up", () =>
    Effect.gen(function* () {
      const { asterisk, farEnd } = yield* PbxWorld
      const phone = yield* baresip(yield* credential("1042"))
      yield* farEnd.forget
      yield* phone.command("dial", `sip:${numberOf(carrierNumbers.hangsUp)}@127.0.0.1:${asterisk.sip_port}`)
      yield* phone.event("CALL_ESTABLISHED")
      yield* phone.event("CALL_CLOSED")
      assert.deepInclude(yield* newest("outbound"), {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "callee",
        cost_minor: 300
      })
      assert.isAbove(farEnd.loud(), 25)
      assert.isAbove(yield* phone.heard_s, 0.25)
      yield* allSettled
    })
  )

  it.effect.each<["sdes" | "dtls", RegExp]>([
    ["sdes", /srtp: .*SRTP is Enabled/],
    ["dtls", /DTLS-SRTP complete .*Profile=/]
  ])("calls and is called with %s, and is heard and hears", ([media_encryption, established]) =>
    Effect.gen(function* () {
      const { asterisk, farEnd } = yield* PbxWorld
      const user = yield* credential(media_encryption === "sdes" ? "1043" : "1044", { media_encryption })
      const caller = yield* baresip(user, media_encryption)
      yield* farEnd.forget
      yield* caller.command("dial", `sip:${numberOf("200")}@127.0.0.1:${asterisk.sip_port}`)
      yield* caller.event("CALL_ESTABLISHED")
      yield* untilHolds("sound at the far end", () => farEnd.loud() > 10)
      yield* until("sound at the softphone", caller.heard_s, (seconds) => seconds > 0.25)
      assert.match(caller.output(), established)
      yield* caller.command("hangup")
      assert.deepInclude(yield* newest("outbound"), { status: "completed", cost_minor: 300 })

      yield* farEnd.forget
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: user.extension } })
      const heard_s = yield* caller.heard_s
      const mary_calls = yield* Effect.forkScoped(calls({ from: mary }))
      yield* caller.event("CALL_INCOMING")
      yield* caller.command("accept")
      yield* untilHolds("sound at the caller", () => farEnd.loud() > 50)
      yield* until("sound at the softphone", caller.heard_s, (seconds) => seconds - heard_s > 0.5)
      yield* caller.command("hangup")
      assert.strictEqual(yield* Fiber.join(mary_calls), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "completed" })
      yield* allSettled
    })
  )
})
