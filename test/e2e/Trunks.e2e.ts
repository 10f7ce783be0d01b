// SIP trunks of tenants. One provider is a second Asterisk, the other is played by SIPp.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { acts } from "../support/Customer.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { until } from "../support/Until.ts"
import { answersCalls, freePorts, plays } from "./support/Peers.ts"
import { layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { granted_seconds, makeProvider, provider_host as host, shown } from "./support/Provider.ts"
import { byoRates, makeTenant } from "./support/Tenant.ts"

const make = Effect.gen(function* () {
  const { folder, program } = yield* PbxWorld
  yield* byoRates(program)
  const provider = yield* makeProvider(folder)
  const tenant = yield* makeTenant(program, "Acme")
  const lost = yield* makeTenant(program, "Lost", tenant.session)
  const peer = yield* makeTenant(program, "Peer", lost.session)
  return { provider, tenant, lost, peer }
})
class Trunks extends Context.Service<Trunks, Effect.Success<typeof make>>()("test/Trunks") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(pbxWorld))
}

const number = `+${shown}`
const spoken: VoiceAction = { say: { text: "Hello and welcome." } }
/** Nothing listens there. */
const silent_host = "127.0.0.10"
const played_host = "127.0.0.3"
const peer_host = "127.0.0.5"
const peer_number = "+254700009009"
const account = { username: "acme", password: "right", caller_id_format: "digits" }

/** Calls from the tenant's number, and returns the ended call. */
const calls = (more: object = {}) =>
  Effect.gen(function* () {
    const { customer } = yield* PbxWorld
    const { tenant } = yield* Trunks
    return yield* tenant.calls({
      from: number,
      to: "+254711000200",
      voice_callback_url: customer.voice(acts(spoken)),
      timeout_seconds: 10,
      ...more
    })
  })
/** Calls the number from this IP address. Returns SIPp's exit status: 0 if the scenario succeeded. */
const comesBy = (from: string, number: string, more: object) =>
  Effect.gen(function* () {
    const {
      asterisk: { sip_port },
      farEnd,
      folder
    } = yield* PbxWorld
    return yield* plays(
      { folder, sip_port },
      callerScenario({ number, from: "254722000001", media_port: farEnd.port, ...more }),
      { host: from }
    )
  })
const completed = {
  status: "completed",
  hangup_cause: "actions_ended",
  rate_per_min_minor: 100,
  cost_minor: 100
} as const
const active = ({ status }: { readonly status: string }): boolean => status === "active"

layer(Trunks.layer, { excludeTestServices: true, timeout: "180 seconds" })("a tenant's SIP trunk", (it) => {
  it.effect("to an address that does not respond fails within 90 s", () =>
    Effect.gen(function* () {
      const { lost } = yield* Trunks
      yield* lost.connects(
        { auth_mode: "ip", host: silent_host, port: yield* freePorts(), allowed_ips: [silent_host] },
        "POST"
      )
      const { health } = yield* lost.trunkUntil(({ health }) => health.reachable === false)
      assert.strictEqual(health.last_sip_code, 408)
    })
  )

  it.effect("authenticates calls by password and formats the caller ID for the provider", () =>
    Effect.gen(function* () {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.sip_port, ...account }, "POST")
      const { health } = yield* tenant.trunkUntil(active)
      assert.deepInclude(health, { reachable: true, last_sip_code: 200, registered_until: null })
      const brought = yield* tenant.brings({ number })
      assert.strictEqual(brought.status, 201, brought.text)
      assert.deepInclude(yield* calls(), completed)
    })
  )

  it.effect("with a wrong password fails its calls, at no charge", () =>
    Effect.gen(function* () {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({ auth_mode: "digest", host, port: provider.sip_port, ...account, password: "wrong" })
      yield* tenant.trunkUntil(active)
      assert.deepInclude(yield* calls(), {
        status: "failed",
        hangup_cause: "call_rejected",
        q850_cause: 21,
        hangup_source: "carrier",
        cost_minor: 0
      })
    })
  )

  it.effect(
    "becomes active when it is registered; if the provider rejects a new definition, the old one stays in use",
    () =>
      Effect.gen(function* () {
        const { provider, tenant } = yield* Trunks
        const registration = {
          auth_mode: "registration",
          registrar: host,
          port: provider.sip_port,
          expires_seconds: 300,
          ...account
        }
        yield* tenant.connects({ auth_mode: "digest", host, port: provider.sip_port, ...account })
        yield* tenant.trunkUntil(active)
        yield* tenant.connects({ ...registration, password: "wrong" })
        assert.deepInclude(yield* tenant.trunkUntil(({ health }) => health.reachable === false), { status: "pending" })
        assert.deepInclude(yield* calls(), completed)
        yield* tenant.connects(registration)
        const { health } = yield* tenant.trunkUntil(active)
        assert.deepInclude(health, { reachable: true, last_sip_code: 200 })
        // The provider grants less than the 300 s that it was asked for.
        const left_s = (Date.parse(health.registered_until!) - Date.now()) / 1_000
        assert.isTrue(left_s > 60 && left_s <= granted_seconds, `registered for ${left_s} s`)
        assert.deepInclude(yield* calls(), completed)
      })
  )

  it.effect("brings inbound calls from the provider where it is registered, and only to its tenant", () =>
    Effect.gen(function* () {
      const { customer, program } = yield* PbxWorld
      const { provider, tenant } = yield* Trunks
      const [own] = (yield* tenant.ask("/v1/numbers")).json<ReadonlyArray<{ readonly id: string }>>()
      yield* tenant.ask(`/v1/numbers/${own!.id}/routing`, { voice_url: customer.voice(acts(spoken)) }, "PATCH")
      yield* provider.calls(number, "+254722000001")
      assert.deepInclude(yield* tenant.newest("inbound", 0), {
        status: "completed",
        from: "+254722000001",
        to: number,
        hangup_cause: "actions_ended",
        cost_minor: 50
      })
      const inbound = Effect.map(
        program.ask("/v1/calls?direction=inbound"),
        ({ json }) => json<ReadonlyArray<unknown>>().length
      )
      const before = yield* inbound
      yield* provider.calls(program.demo().number.number, "+254722000001")
      yield* Effect.sleep("1 second")
      assert.strictEqual(yield* inbound, before)
    })
  )

  it.effect("uses TLS and SRTP, and fails calls to a provider without SRTP", () =>
    Effect.gen(function* () {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({
        auth_mode: "digest",
        host,
        port: provider.tls_port,
        transport: "tls",
        srtp: "required",
        ...account
      })
      yield* tenant.trunkUntil(active)
      assert.deepInclude(yield* calls(), { status: "failed", sip_code: 488, cost_minor: 0 })
      yield* provider.encrypts(true)
      assert.deepInclude(yield* calls(), completed)
      yield* provider.encrypts(false)
      yield* tenant.connects({
        auth_mode: "digest",
        host,
        port: provider.tls_port,
        transport: "tls",
        srtp: "optional",
        ...account
      })
      yield* tenant.trunkUntil(active)
      assert.deepInclude(yield* calls(), completed)
    })
  )

  it.effect("identified by IP address carries calls in both directions", () =>
    Effect.gen(function* () {
      const { farEnd, folder, program } = yield* PbxWorld
      const { tenant } = yield* Trunks
      const port = yield* freePorts()
      yield* answersCalls(folder, { host: played_host, port }, farEnd.port)
      yield* tenant.connects({ auth_mode: "ip", host: played_host, port, allowed_ips: [played_host] })
      yield* tenant.trunkUntil(active)
      yield* farEnd.forget
      assert.deepInclude(yield* calls(), completed)
      assert.isAbove(farEnd.loud(), 10)
      assert.strictEqual(yield* comesBy(played_host, number, {}), 0)
      assert.deepInclude(yield* tenant.newest("inbound", 1), { status: "completed", from: "+254722000001" })
      assert.strictEqual(yield* comesBy(played_host, program.demo().number.number, { refused_with: 404 }), 0)
    })
  )

  it.effect("in mode `signaling` carries no inbound calls before its approval or after a rejection", () =>
    Effect.gen(function* () {
      const { peer } = yield* Trunks
      yield* peer.connects(
        { auth_mode: "signaling", host: peer_host, allowed_ips: [peer_host], contact_email: "noc@example.com" },
        "POST"
      )
      assert.deepInclude(yield* peer.trunk, { status: "pending", status_reason: "approval" })
      assert.strictEqual(yield* comesBy(peer_host, peer_number, { refused_with: 401 }), 0)
      yield* peer.judged("reject", { reason: "Not known here" })
      assert.deepInclude(yield* peer.trunk, { status: "failed", status_reason: "rejected: Not known here" })
      assert.strictEqual(yield* comesBy(peer_host, peer_number, { refused_with: 401 }), 0)
      assert.strictEqual((yield* peer.ask("/v1/numbers/byo", { number: peer_number })).status, 409)
    })
  )

  it.effect("in mode `signaling` carries calls once approved, within its limits, its numbers and its addresses", () =>
    Effect.gen(function* () {
      const { customer, farEnd, folder } = yield* PbxWorld
      const { peer } = yield* Trunks
      const port = yield* freePorts()
      yield* answersCalls(folder, { host: peer_host, port }, farEnd.port)
      yield* peer.connects({
        auth_mode: "signaling",
        host: peer_host,
        port,
        allowed_ips: [peer_host],
        contact_email: "noc@example.com",
        max_channels: 1
      })
      yield* peer.judged("approve")
      assert.strictEqual((yield* peer.trunk).status, "active")
      const brought = yield* peer.brings({
        number: peer_number,
        routing: { voice_url: customer.voice(acts(spoken, { pause: { seconds: 3 } })) }
      })
      assert.strictEqual(brought.status, 201, brought.text)

      const request = {
        from: peer_number,
        to: "+254711000200",
        voice_callback_url: customer.voice(acts(spoken)),
        timeout_seconds: 10
      }
      yield* farEnd.forget
      assert.deepInclude(yield* peer.calls(request), completed)
      assert.isAbove(farEnd.loud(), 10)

      const talking = yield* Effect.forkChild(comesBy(peer_host, peer_number, {}))
      const [live] = yield* until(
        "answered call",
        Effect.map(peer.ask("/v1/calls?direction=inbound"), ({ json }) => json<ReadonlyArray<CallRecord>>()),
        ([call]) => call?.status === "answered"
      )
      const { json, status } = yield* peer.ask("/v1/calls/originate", request)
      assert.strictEqual(status, 429)
      assert.deepInclude(json<{ readonly error: object }>().error, {
        code: "calls.concurrency_limit_reached",
        reason: "max_channels"
      })
      assert.strictEqual(yield* comesBy(peer_host, peer_number, { refused_with: 503 }), 0)
      assert.deepInclude(yield* peer.newest("inbound", 1), {
        status: "failed",
        hangup_cause: "service_unavailable",
        cost_minor: 0
      })
      assert.strictEqual(yield* Fiber.join(talking), 0)
      assert.deepInclude(yield* peer.ended(live!.id), {
        status: "completed",
        from: "+254722000001",
        to: peer_number,
        cost_minor: 50
      })

      assert.strictEqual(yield* comesBy(peer_host, number, { refused_with: 404 }), 0)
      assert.strictEqual(yield* comesBy("127.0.0.6", peer_number, { refused_with: 401 }), 0)
    })
  )

  it.effect("that is registered is reported as unreachable and as reachable again", () =>
    Effect.gen(function* () {
      const { provider, tenant } = yield* Trunks
      yield* tenant.connects({
        auth_mode: "registration",
        registrar: host,
        port: provider.sip_port,
        transport: "tcp",
        expires_seconds: 3600,
        ...account
      })
      yield* tenant.trunkUntil(({ health, status }) => status === "active" && health.reachable === true)
      yield* provider.vanishes
      const { status } = yield* tenant.trunkUntil(({ health }) => health.reachable === false, 100)
      assert.strictEqual(status, "active")
      assert.deepInclude(yield* calls(), { status: "failed", cost_minor: 0 })
      yield* provider.returns
      yield* tenant.trunkUntil(({ health }) => health.reachable === true, 60)
      assert.deepInclude(yield* calls(), completed)
    })
  )

  it.effect("to an address that does not respond has failed", () =>
    Effect.gen(function* () {
      const { lost } = yield* Trunks
      assert.deepInclude(yield* lost.trunkUntil(({ status }) => status !== "pending", 90), {
        status: "failed",
        status_reason: "unreachable"
      })
    })
  )
})
