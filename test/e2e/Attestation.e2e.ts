// What the carrier, a tenant's trunk and a device may say of a caller's number (STIR/SHAKEN), in a real INVITE.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { acts } from "../support/Customer.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { answersCalls, freePorts, plays as playsAt } from "./support/Peers.ts"
import { allSettled, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { credential, newest, plays, routed } from "./support/Phones.ts"
import { byoRates, makeTenant } from "./support/Tenant.ts"

const make = Effect.gen(function* () {
  const { program } = yield* PbxWorld
  yield* byoRates(program)
  return { tenant: yield* makeTenant(program, "Attested") }
})
class World extends Context.Service<World, Effect.Success<typeof make>>()("test/World") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(pbxWorld))
}

const caller = "+254722000001"
const trunk_host = "127.0.0.3"
const trunk_number = "+254700009101"

interface Invite {
  /** The From header, without its tag. */
  readonly from?: string
  readonly headers?: ReadonlyArray<string>
}

const scenarioOf = (number: string, media_port: number, { from, headers = [] }: Invite, more: object = {}) => {
  const usual = `<sip:${caller}@[local_ip]:[local_port]>`
  const scenario = callerScenario({ number, from: caller, headers, media_port, talks_ms: 100, ...more })
  return scenario.replaceAll(`From: ${usual}`, `From: ${from ?? usual}`)
}

/** A call to the demo number over the carrier, after its end. */
const overCarrier = (invite: Invite) =>
  Effect.gen(function* () {
    const { caller_host, customer, farEnd, program } = yield* PbxWorld
    yield* routed({ voice_url: customer.voice(acts({ pause: { seconds: 30 } })) })
    const scenario = scenarioOf(program.demo().number.number, farEnd.port, invite)
    assert.strictEqual(yield* plays(scenario, { host: caller_host }), 0)
    const call: CallRecord = yield* newest("inbound")
    yield* allSettled
    return call
  })

const asserted = (parameters: string, behind = "") =>
  `P-Asserted-Identity: "A" <sip:${caller}${parameters}@127.0.0.1;user=phone>${behind}`
const passed = "verstat=TN-Validation-Passed"
const escaped = "1%3Bverstat%3DTN-Validation-Passed-A"

layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("the attestation of a call", (it) => {
  it.effect.each<[CallRecord["attestation"], string, Invite]>([
    [null, "nothing", { headers: [asserted("")] }],
    ["A", "a verstat of P-Asserted-Identity after the number", { headers: [asserted(`;${passed}-A`)] }],
    ["B", "one after the brackets", { headers: [asserted("", `;${passed}-B`)] }],
    ["failed", "a failed validation", { headers: [asserted(";verstat=TN-Validation-Failed")] }],
    ["not_validated", "no validation", { headers: [asserted(";verstat=No-TN-Validation")] }],
    ["C", "P-Attestation-Indicator", { headers: [asserted(`;${passed}`), "P-Attestation-Indicator: C"] }],
    [null, "an indicator without a validation", { headers: [asserted(""), "P-Attestation-Indicator: A"] }],
    ["B", "a verstat of From after the host", { from: `"A" <sip:${caller}@127.0.0.1;${passed}-B>` }],
    ["A", "one of From after the brackets", { from: `"A" <sip:${caller}@127.0.0.1>;${passed}-A` }],
    ["A", "one of a tel URI", { from: `<tel:${caller};${passed}-A>` }],
    [null, "one in the name", { from: `"A <sip:b@c>;${passed}-A" <sip:${caller}@127.0.0.1>` }],
    [null, "one after an escaped quote", { from: `"A\\";${passed}-A" <sip:${caller}@127.0.0.1>` }],
    [null, "one after the number in From", { from: `<sip:${caller};${passed}-A@127.0.0.1>` }],
    [null, "an escaped one in From", { from: `<sip:${caller}%3B${passed}-A@127.0.0.1>` }],
    [null, "an escaped @ and one in From", { from: `<sip:${caller}%40b%3B${passed}-A@127.0.0.1>` }],
    [null, "an escaped one after the host", { from: `<sip:${caller}@127.0.0.1;x=${escaped}>` }],
    [null, "an escaped one after the brackets", { from: `<sip:${caller}@127.0.0.1>;x=${escaped}` }],
    [null, "a quoted one after the brackets", { from: `<sip:${caller}@127.0.0.1>;x="1;${passed}-A"` }],
    [null, "an escaped one of a tel URI", { from: `<tel:${caller};x=${escaped}>` }],
    [null, "an escaped one in P-Asserted-Identity", { headers: [asserted(`%3B${passed}-A`)] }],
    [null, "a quote without an end", { headers: [`P-Asserted-Identity: "<sip:${caller};${passed}-A@127.0.0.1>`] }],
    [null, "one in a second P-Asserted-Identity", { headers: [asserted(""), asserted(`;${passed}-A`)] }]
  ])("over the carrier is %s with %s", ([attestation, , invite]) =>
    Effect.map(overCarrier(invite), (call) => assert.deepInclude(call, { status: "completed", attestation }))
  )

  it.effect("over a tenant's own trunk is what the trunk claims", () =>
    Effect.gen(function* () {
      const { asterisk, customer, farEnd, folder } = yield* PbxWorld
      const { tenant } = yield* World
      const port = yield* freePorts()
      yield* answersCalls(folder, { host: trunk_host, port }, farEnd.port)
      yield* tenant.connects({ auth_mode: "ip", host: trunk_host, port, allowed_ips: [trunk_host] }, "POST")
      yield* tenant.trunkUntil(({ status }) => status === "active")
      const voice_url = customer.voice(acts({ pause: { seconds: 30 } }))
      const { status, text } = yield* tenant.brings({ number: trunk_number, routing: { voice_url } })
      assert.strictEqual(status, 201, text)
      const scenario = scenarioOf(trunk_number, farEnd.port, { headers: [asserted(`;${passed}-B`)] })
      const { sip_port } = asterisk
      assert.strictEqual(yield* playsAt({ folder, sip_port }, scenario, { host: trunk_host }), 0)
      assert.deepInclude(yield* tenant.newest("inbound", 0), { status: "completed", attestation: "B" })
      yield* allSettled
    })
  )

  it.effect("of a device is null, whatever the device writes", () =>
    Effect.gen(function* () {
      const { farEnd, program } = yield* PbxWorld
      const user = yield* credential("1088")
      const headers = [asserted(`;${passed}-A`), "P-Attestation-Indicator: A"]
      const scenario = callerScenario({
        number: "+254711000486",
        from: user.username,
        user,
        headers,
        media_port: farEnd.port,
        refused_with: 486
      }).replaceAll(/(From: <sip:[^>]*>)/g, `$1;${passed}-A`)
      assert.strictEqual(yield* plays(scenario), 0)
      const leg: CallRecord = yield* newest("outbound")
      const { json } = yield* program.ask(`/v1/calls/${leg.parent_call_id}`)
      assert.deepInclude(json<CallRecord>(), { kind: "sip", attestation: null })
      assert.deepInclude(leg, { kind: "dial", attestation: null })
      yield* allSettled
    })
  )
})
