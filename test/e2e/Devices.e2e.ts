// Calls that come in, from outside and from devices that register.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/CallRecord.ts"
import type { VoiceAction } from "../../src/domain/calls/VoiceAction.ts"
import { acts } from "../support/Customer.ts"
import { type Caller, callerScenario, registerScenario } from "./support/CallerScenario.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { answersCalls, freePorts, plays as playsAt } from "./support/Peers.ts"
import { isOver, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"

const spoken: VoiceAction = { say: { text: "Hello and welcome to the switchboard." } }
const mary = "254771000001"

/** From the address of the carrier's callers or a device's. */
const plays = (scenario: string, from: { readonly host?: string; readonly port?: number } = {}) =>
  Effect.flatMap(PbxWorld, ({ asterisk: { sip_port }, folder }) => playsAt({ folder, sip_port }, scenario, from))

const calls = (caller: Omit<Caller, "media_port" | "number">) =>
  Effect.gen(function*() {
    const { caller_host, farEnd, program } = yield* PbxWorld
    return yield* plays(callerScenario({ number: program.demo().number.number, media_port: farEnd.port, ...caller }), { host: caller_host })
  })

const routed = (routing: object) =>
  Effect.gen(function*() {
    const { program } = yield* PbxWorld
    const { status, text } = yield* program.ask(`/v1/numbers/${program.demo().number.id}/routing`, { method: "PATCH", body: routing })
    assert.strictEqual(status, 200, text)
  })

const newest = (direction: string) =>
  Effect.gen(function*() {
    const { program, until } = yield* PbxWorld
    const { json } = yield* program.ask(`/v1/calls?direction=${direction}&limit=1`)
    return yield* until(json<ReadonlyArray<CallRecord>>()[0]!.id, isOver)
  })

const credential = (extension: string) =>
  Effect.gen(function*() {
    const { program } = yield* PbxWorld
    const { json, status, text } = yield* program.ask(`/v1/numbers/${program.demo().number.id}/sip-credentials`, { body: { extension } })
    assert.strictEqual(status, 201, text)
    return json<{ readonly id: string; readonly username: string; readonly password: string }>()
  })

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a call that comes in", (it) => {
  it.effect("is answered, talked to, and hung up when all is said", () =>
    Effect.gen(function*() {
      const { customer, farEnd } = yield* PbxWorld
      yield* farEnd.forget
      yield* routed({ voice_url: customer.voice(acts(spoken)) })
      assert.strictEqual(yield* calls({ from: mary }), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "completed", hangup_cause: "actions_ended", from: `+${mary}`, kind: "sip" })
      assert.isAbove(farEnd.loud(), 20)
    }))

  it.effect("ends when the caller hangs up", () =>
    Effect.gen(function*() {
      const { customer } = yield* PbxWorld
      yield* routed({ voice_url: customer.voice(acts({ pause: { seconds: 30 } })) })
      assert.strictEqual(yield* calls({ from: mary, talks_ms: 1_000 }), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "completed", hangup_cause: "normal_clearing", hangup_source: "caller" })
    }))

  it.effect("is refused as its number says, and costs nothing", () =>
    Effect.gen(function*() {
      const { customer } = yield* PbxWorld
      yield* routed({ voice_url: customer.voice(acts({ reject: { reason: "busy" } })) })
      assert.strictEqual(yield* calls({ from: mary, refused_with: 486 }), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "busy", hangup_source: "workspace", cost_minor: 0 })
    }))

  it.effect("is forwarded to the device of an extension; a wrong password registers nobody", () =>
    Effect.gen(function*() {
      const { asterisk, farEnd, folder, program } = yield* PbxWorld
      const user = yield* credential("1001")
      const port = yield* freePorts()
      assert.notStrictEqual(yield* plays(registerScenario({ ...user, password: "wrong" }), { port }), 0)
      assert.strictEqual(yield* plays(registerScenario(user), { port }), 0)
      const registrations = `/v1/numbers/${program.demo().number.id}/sip-credentials`
      yield* program.ask(registrations).pipe(Effect.delay("50 millis"), Effect.repeat({ until: ({ text }) => text.includes(`:${port}`) }))

      yield* routed({ voice_url: null, forward_to: { type: "extension", value: "1001" } })
      const answered = Effect.andThen(answersCalls(folder, port, farEnd.port), calls({ from: mary, talks_ms: 1_500 }))
      assert.strictEqual(yield* Effect.scoped(answered), 0)
      const call = yield* newest("inbound")
      assert.deepInclude(call, { status: "completed", hangup_source: "caller" })
      assert.lengthOf(call.child_call_ids, 1)

      // It forgets its devices when it dies; the engine lets them in again.
      yield* asterisk.kill
      yield* asterisk.start
      const again = Effect.delay(plays(registerScenario(user)), "200 millis")
      assert.strictEqual(yield* Effect.repeat(again, { until: (code) => code === 0, times: 20 }), 0)
    }))

  it.effect("is for devices that register with the password since the last rotation", () =>
    Effect.gen(function*() {
      const { program } = yield* PbxWorld
      const user = yield* credential("1003")
      const { json, status, text } = yield* program.ask(`/v1/numbers/${program.demo().number.id}/sip-credentials/${user.id}/rotate`, { body: {} })
      assert.strictEqual(status, 200, text)
      assert.notStrictEqual(yield* plays(registerScenario(user)), 0)
      assert.strictEqual(yield* plays(registerScenario({ ...user, ...json<{ readonly password: string }>() })), 0)
    }))

  it.effect("from a device is placed for it", () =>
    Effect.gen(function*() {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential("1002")
      const scenario = callerScenario({ number: `+254711000${carrierNumbers.hangsUp}`, from: user.username, media_port: farEnd.port, user })
      assert.strictEqual(yield* plays(scenario), 0)
      assert.deepInclude(yield* newest("outbound"), { status: "completed" })
    }))
})
