// Trunks of tenants' own, with a provider that is another Asterisk, and one that is played.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { VoiceAction } from "../../src/domain/calls/VoiceAction.ts"
import { acts } from "../support/Customer.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { answersCalls, freePorts, plays } from "./support/Peers.ts"
import { layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { makeProvider, shown } from "./support/Provider.ts"
import { byoRates, makeTenant } from "./support/Tenant.ts"

const make = Effect.gen(function*() {
  const { folder, program } = yield* PbxWorld
  yield* byoRates(program)
  const provider = yield* makeProvider(folder)
  const tenant = yield* makeTenant(program, "Acme")
  const lost = yield* makeTenant(program, "Lost", tenant.session)
  return { provider, tenant, lost }
})
class Trunks extends Context.Service<Trunks, Effect.Success<typeof make>>()("test/Trunks") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(pbxWorld))
}

const number = `+${shown}`
const spoken: VoiceAction = { say: { text: "Hello and welcome." } }
const host = "127.0.0.1"
const played_host = "127.0.0.3"
const account = { username: "acme", password: "right", caller_id_format: "digits" }

/** What a call from the tenant's number comes to. */
const calls = (more: object = {}) =>
  Effect.gen(function*() {
    const { customer } = yield* PbxWorld
    const { tenant } = yield* Trunks
    return yield* tenant.calls({ from: number, to: "+254711000200", voice_callback_url: customer.voice(acts(spoken)), timeout_seconds: 10, ...more })
  })
const completed = { status: "completed", hangup_cause: "actions_ended", rate_per_min_minor: 100, cost_minor: 100 } as const
const active = ({ status }: { readonly status: string }): boolean => status === "active"

layer(Trunks.layer, { excludeTestServices: true, timeout: "180 seconds" })("a trunk of a tenant's own", (it) => {
  it.effect("to nobody is not there: it fails within a minute and a half", () =>
    Effect.gen(function*() {
      const { lost } = yield* Trunks
      yield* lost.connects({ auth_mode: "ip", host, port: yield* freePorts(), allowed_ips: [host] }, "POST")
      const { health } = yield* lost.trunkUntil(({ health }) => health.reachable === false)
      assert.strictEqual(health.last_sip_code, 408)
    }))

  it.effect("is called by password, and shows the caller as the provider wants it", () =>
    Effect.gen(function*() {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.sip_port, ...account }, "POST")
      assert.deepInclude((yield* tenant.trunkUntil(active)).health, { reachable: true, last_sip_code: 200 })
      const brought = yield* tenant.ask("/v1/numbers/byo", { number })
      assert.strictEqual(brought.status, 201, brought.text)
      assert.deepInclude(yield* calls(), completed)
    }))

  it.effect("with a wrong password fails its calls, for nothing", () =>
    Effect.gen(function*() {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.sip_port, ...account, password: "wrong" })
      yield* tenant.trunkUntil(active)
      assert.deepInclude(yield* calls(), { status: "failed", hangup_cause: "call_rejected", q850_cause: 21, hangup_source: "carrier", cost_minor: 0 })
    }))

  it.effect("is registered with; a refused registration is no trunk, and what served goes on", () =>
    Effect.gen(function*() {
      const { provider, tenant } = yield* Trunks
      const registration = { auth_mode: "registration", registrar: host, port: provider.sip_port, expires_seconds: 300, ...account }
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.sip_port, ...account })
      yield* tenant.trunkUntil(active)
      yield* tenant.connects({ ...registration, password: "wrong" })
      assert.deepInclude(yield* tenant.trunkUntil(({ health }) => health.reachable === false), { status: "pending" })
      assert.deepInclude(yield* calls(), completed)
      yield* tenant.connects(registration)
      assert.deepInclude((yield* tenant.trunkUntil(active)).health, { reachable: true, last_sip_code: 200 })
      assert.deepInclude(yield* calls(), completed)
    }))

  it.effect("is called over by the provider where it is registered, and reaches its tenant alone", () =>
    Effect.gen(function*() {
      const { customer, program } = yield* PbxWorld
      const { provider, tenant } = yield* Trunks
      const [own] = (yield* tenant.ask("/v1/numbers")).json<ReadonlyArray<{ readonly id: string }>>()
      yield* tenant.ask(`/v1/numbers/${own!.id}/routing`, { voice_url: customer.voice(acts(spoken)) }, "PATCH")
      yield* provider.calls(number, "+254722000001")
      assert.deepInclude(yield* tenant.newest("inbound", 0), { status: "completed", from: "+254722000001", to: number, hangup_cause: "actions_ended", cost_minor: 50 })
      const inbound = Effect.map(program.ask("/v1/calls?direction=inbound"), ({ json }) => json<ReadonlyArray<unknown>>().length)
      const before = yield* inbound
      yield* provider.calls(program.demo().number.number, "+254722000001")
      yield* Effect.sleep("1 second")
      assert.strictEqual(yield* inbound, before)
    }))

  it.effect("by TLS, with sound that nobody hears on the way; a provider that cannot do so is not talked to", () =>
    Effect.gen(function*() {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.tls_port, transport: "tls", srtp: "required", ...account })
      yield* tenant.trunkUntil(active)
      assert.deepInclude(yield* calls(), { status: "failed", sip_code: 488, cost_minor: 0 })
      yield* provider.encrypts(true)
      assert.deepInclude(yield* calls(), completed)
      yield* provider.encrypts(false)
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.tls_port, transport: "tls", srtp: "optional", ...account })
      yield* tenant.trunkUntil(active)
      assert.deepInclude(yield* calls(), completed)
    }))

  it.effect("between addresses that know each other, both ways", () =>
    Effect.gen(function*() {
      const { asterisk, farEnd, folder, program } = yield* PbxWorld
      const { tenant } = yield* Trunks
      const port = yield* freePorts()
      yield* answersCalls(folder, port, farEnd.port)
      yield* tenant.connects({ auth_mode: "ip", host, port, allowed_ips: [played_host] })
      yield* tenant.trunkUntil(active)
      yield* farEnd.forget
      assert.deepInclude(yield* calls(), completed)
      assert.isAbove(farEnd.loud(), 10)
      const comes = (to: string, more: object) =>
        plays({ folder, sip_port: asterisk.sip_port }, callerScenario({ number: to, from: "254722000001", media_port: farEnd.port, ...more }), { host: played_host })
      assert.strictEqual(yield* comes(number, {}), 0)
      assert.deepInclude(yield* tenant.newest("inbound", 1), { status: "completed", from: "+254722000001" })
      assert.strictEqual(yield* comes(program.demo().number.number, { refused_with: 404 }), 0)
    }))

  it.effect("to nobody has failed", () =>
    Effect.gen(function*() {
      const { lost } = yield* Trunks
      assert.deepInclude(yield* lost.trunkUntil(({ status }) => status !== "pending", 90), { status: "failed", status_reason: "unreachable" })
    }))
})
