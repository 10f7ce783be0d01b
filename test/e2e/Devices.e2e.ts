// Inbound calls from outside and calls from registered devices.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { acts, silence } from "../support/Customer.ts"
import { until, untilHolds } from "../support/Until.ts"
import { callerScenario, registerScenario } from "./support/CallerScenario.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import { answersCalls, freePorts } from "./support/Peers.ts"
import { allSettled, layer as pbxWorld, legsOf, PbxWorld } from "./support/PbxWorld.ts"
import { calls, credential, newest, phone, plays, routed } from "./support/Phones.ts"

const spoken: VoiceAction = { say: { text: "Hello and welcome to the switchboard." } }
const unrated = "+33612345678"
const mary = "254771000001"

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("an inbound call", (it) => {
  it.effect("is answered, hears a spoken text, and is hung up after the last action", () =>
    Effect.gen(function* () {
      const { customer, farEnd } = yield* PbxWorld
      yield* farEnd.forget
      yield* routed({ voice_url: customer.voice(acts(spoken)) })
      assert.strictEqual(yield* calls({ from: mary }), 0)
      assert.deepInclude(yield* newest("inbound"), {
        status: "completed",
        hangup_cause: "actions_ended",
        from: `+${mary}`,
        kind: "sip"
      })
      assert.isAbove(farEnd.loud(), 20)
    })
  )

  it.effect("ends when the caller hangs up", () =>
    Effect.gen(function* () {
      const { customer } = yield* PbxWorld
      yield* routed({ voice_url: customer.voice(acts({ pause: { seconds: 30 } })) })
      assert.strictEqual(yield* calls({ from: mary, talks_ms: 1_000 }), 0)
      assert.deepInclude(yield* newest("inbound"), {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "caller"
      })
    })
  )

  it.effect("sends digits, and is canceled if the caller hangs up before the answer", () =>
    Effect.gen(function* () {
      const { customer, farEnd } = yield* PbxWorld
      yield* farEnd.forget
      const taken = customer.voice(acts({ hangup: {} }))
      const prompt = { say: { text: "Please enter the number of your order. ".repeat(20) } }
      yield* routed({ voice_url: customer.voice(acts({ gather: { num_digits: 4, prompt, action_url: taken } })) })
      const presses = Effect.andThen(
        untilHolds("prompt at the far end", () => farEnd.loud() > 10),
        farEnd.press("90*1")
      )
      const [ended] = yield* Effect.all([calls({ from: mary }), presses], { concurrency: 2 })
      assert.strictEqual(ended, 0)
      assert.deepInclude(JSON.parse(customer.asked(taken)[0]!.body), { result: { status: "complete", digits: "90*1" } })

      // The customer's server responds slowly to the voice callback.
      yield* routed({ voice_url: customer.voice(silence) })
      assert.strictEqual(yield* calls({ from: mary, gives_up_ms: 500 }), 0)
      assert.deepInclude(yield* newest("inbound"), {
        status: "canceled",
        hangup_source: "caller",
        answered_at: null,
        cost_minor: 0
      })
      yield* allSettled
    })
  )

  it.effect("is rejected as the number's routing says, and costs nothing", () =>
    Effect.gen(function* () {
      const { customer } = yield* PbxWorld
      yield* routed({ voice_url: customer.voice(acts({ reject: { reason: "busy" } })) })
      assert.strictEqual(yield* calls({ from: mary, refused_with: 486 }), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "busy", hangup_source: "workspace", cost_minor: 0 })
    })
  )

  it.effect("is forwarded to the device of an extension, and a device with a wrong password cannot register", () =>
    Effect.gen(function* () {
      const { asterisk, farEnd, folder, program } = yield* PbxWorld
      const user = yield* credential("1001")
      const port = yield* freePorts()
      assert.notStrictEqual(yield* plays(registerScenario({ ...user, password: "wrong" }), { port }), 0)
      assert.strictEqual(yield* plays(registerScenario(user), { port }), 0)
      const registrations = `/v1/numbers/${program.demo().number.id}/sip-credentials`
      yield* until("registration", program.ask(registrations), ({ text }) => text.includes(`:${port}`))

      yield* routed({ voice_url: null, forward_to: { type: "extension", value: "1001" } })
      const answered = Effect.andThen(
        answersCalls(folder, { host: "127.0.0.1", port }, farEnd.port),
        calls({ from: mary, talks_ms: 1_500 })
      )
      assert.strictEqual(yield* Effect.scoped(answered), 0)
      const call = yield* newest("inbound")
      assert.deepInclude(call, { status: "completed", hangup_source: "caller" })
      assert.lengthOf(call.child_call_ids, 1)

      // A restarted Asterisk has lost its credentials. The engine creates them again.
      yield* asterisk.kill
      yield* asterisk.start
      yield* until("registration that is accepted", plays(registerScenario(user)), (code) => code === 0)
    })
  )

  it.effect.each<[string, ReadonlyArray<string>, object, ReadonlyArray<object>]>([
    ["1011", ["busy", "rings", "answers"], { talks_ms: 1_000 }, [{ status: "completed" }]],
    ["1012", ["busy", "busy"], { refused_with: 486 }, [{ status: "busy", sip_code: 486, cost_minor: 0 }]],
    ["1013", ["declined", "rings"], { refused_with: 486 }, [{ status: "busy", sip_code: 603, cost_minor: 0 }]],
    ["1014", ["busy", "rings"], { refused_with: 480 }, [{ status: "no_answer", cost_minor: 0 }]]
  ])("rings on all phones of extension %s: %o", ([extension, phones, caller, legs]) =>
    Effect.gen(function* () {
      const user = yield* credential(extension)
      yield* Effect.forEach(phones, (kind) => phone(user, kind as "busy"), { discard: true })
      assert.lengthOf(yield* user.registrations(phones.length), phones.length)
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: extension }, ring_timeout_seconds: 5 })
      assert.strictEqual(yield* calls({ from: mary, ...caller }), 0)
      const call = yield* newest("inbound")
      const dialled = yield* legsOf(call)
      assert.lengthOf(dialled, legs.length)
      for (const [index, leg] of legs.entries()) assert.deepInclude(dialled[index], leg)
      yield* allSettled
    })
  )

  it.effect("registers, and calls, although Asterisk stands still for longer than a phone waits", () =>
    Effect.gen(function* () {
      const { asterisk, farEnd, program } = yield* PbxWorld
      const user = yield* credential("1026")
      // A number has at most ten, and the other tests of this file use them up.
      yield* Effect.addFinalizer(() =>
        Effect.ignore(
          program.ask(`/v1/numbers/${program.demo().number.id}/sip-credentials/${user.id}`, { method: "DELETE" })
        )
      )
      const paused = yield* Effect.forkScoped(asterisk.pauseFor(1_600))
      assert.strictEqual(yield* plays(registerScenario(user)), 0)
      yield* Fiber.join(paused)
      const call = { number: numberOf(carrierNumbers.hangsUp), from: user.username, media_port: farEnd.port, user }
      const again = yield* Effect.forkScoped(asterisk.pauseFor(1_600))
      assert.strictEqual(yield* plays(callerScenario(call)), 0)
      yield* Fiber.join(again)
      yield* allSettled
    })
  )

  it.effect("rings on phones that registered before the engine was restarted", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const user = yield* credential("1015")
      yield* phone(user, "busy")
      yield* phone(user, "answers")
      const before = yield* user.registrations(2)
      for (const { contact, expires_at, transport } of before) {
        assert.match(contact, /^sip:[^@]+@127\.0\.0\.\d+:\d+/)
        assert.strictEqual(transport, "udp")
        const left_s = (Date.parse(expires_at) - Date.now()) / 1000
        assert.isTrue(left_s > 0 && left_s <= 121, `registered for ${left_s} s`)
      }
      yield* program.kill
      yield* program.start
      // The order is not compared: it is by time, and a new engine gets only whole seconds from Asterisk.
      assert.sameDeepMembers([...(yield* user.registrations(2))], [...before])
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: "1015" }, ring_timeout_seconds: 5 })
      assert.strictEqual(yield* calls({ from: mary, talks_ms: 1_000 }), 0)
      assert.deepInclude((yield* legsOf(yield* newest("inbound")))[0], { status: "completed", hangup_source: "caller" })
      yield* allSettled
    })
  )

  it.effect("reaches only devices that register with the new password after a rotation", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const user = yield* credential("1003")
      const { json, status, text } = yield* program.ask(
        `/v1/numbers/${program.demo().number.id}/sip-credentials/${user.id}/rotate`,
        { body: {} }
      )
      assert.strictEqual(status, 200, text)
      assert.notStrictEqual(yield* plays(registerScenario(user)), 0)
      assert.strictEqual(yield* plays(registerScenario({ ...user, ...json<{ readonly password: string }>() })), 0)
    })
  )

  it.effect("from a device is connected to the number that it dialled", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential("1002")
      const scenario = callerScenario({
        number: `+254711000${carrierNumbers.hangsUp}`,
        from: user.username,
        media_port: farEnd.port,
        user
      })
      assert.strictEqual(yield* plays(scenario), 0)
      assert.deepInclude(yield* newest("outbound"), { status: "completed" })
    })
  )

  it.effect("from a device may be encrypted", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential("1021")
      const number = `+254711000${carrierNumbers.hangsUp}`
      const caller = { number, from: user.username, media_port: farEnd.port, user }
      assert.strictEqual(yield* plays(callerScenario({ ...caller, encrypts: true })), 0)
      assert.deepInclude(yield* newest("outbound"), { status: "completed" })
    })
  )

  it.effect("from a device to a number without a rate hears why before it is refused, and costs nothing", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential("1023")
      yield* farEnd.forget
      const dialled = { number: unrated, from: user.username, media_port: farEnd.port, refused_with: 403, user }
      assert.strictEqual(yield* plays(callerScenario(dialled)), 0)
      assert.isAbove(farEnd.loud(), 20)
      assert.deepInclude(yield* newest("outbound"), {
        status: "failed",
        hangup_cause: "destination_refused",
        answered_at: null,
        cost_minor: 0
      })
      yield* allSettled
    })
  )

  it.effect("whose script dials a number without a rate hears so, and the line is dropped", () =>
    Effect.gen(function* () {
      const { customer, farEnd } = yield* PbxWorld
      yield* farEnd.forget
      yield* routed({
        voice_url: customer.voice(acts({ pause: { seconds: 1 } }, { dial: { number: unrated } }, spoken))
      })
      assert.strictEqual(yield* calls({ from: mary }), 0)
      assert.isAbove(farEnd.loud(), 20)
      assert.deepInclude(yield* newest("inbound"), {
        status: "completed",
        hangup_cause: "destination_refused",
        hangup_source: "platform",
        child_call_ids: []
      })
      yield* allSettled
    })
  )
})
