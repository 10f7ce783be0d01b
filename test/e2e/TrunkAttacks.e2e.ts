// What a tenant may try with the hosts and ranges of its trunk: no SIP goes to the carrier or to another tenant's
// provider.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { acts } from "../support/Customer.ts"
import { makeNames } from "./support/Names.ts"
import { connectedBy, PbxWorld } from "./support/PbxWorld.ts"
import { freePorts } from "./support/Peers.ts"
import { answerTo, headerOf, type RawMessage, rawSip } from "./support/RawSip.ts"
import { changesPolicy } from "./support/SipAllowlist.ts"
import { byoRates, makeTenant, premiumRate } from "./support/Tenant.ts"

const isActive = ({ status }: { readonly status: string }): boolean => status === "active"
/** The carrier calls from its own host and from this one, which answers whatever the PBX would send. */
const carrier = "127.0.0.1"
const carrier_caller = "127.0.0.2"
const attacker_host = "127.0.0.7"
const victim_provider = "127.0.0.8"
const attacker_number = "+254700009011"
/** Premium in the platform's rates. */
const premium = "+254900223456"
const account = { username: "u", password: "secret" }
const names = makeNames()

/** Answers every request as a provider that takes all: trunks become active at it. */
const obliging = ({ start, text }: RawMessage): ReadonlyArray<string> => {
  if (start.startsWith("OPTIONS ")) return [answerTo(text, "200 OK")]
  if (start.startsWith("INVITE ")) return [answerTo(text, "486 Busy Here")]
  const contact = headerOf(text, "Contact")
  return start.startsWith("REGISTER ") ? [answerTo(text, "200 OK", [`Contact: ${contact};expires=300`])] : []
}

const make = Effect.gen(function* () {
  const { asterisk, program } = yield* PbxWorld
  yield* byoRates(program)
  yield* premiumRate(program, premium.slice(1, 7))
  let session = program.demo().owner_session
  /** Creates a workspace of the same person. Only the session of the newest one goes on. */
  const tenant = (name: string) =>
    Effect.tap(
      Effect.suspend(() => makeTenant(program, name, session)),
      (made) => Effect.sync(() => void (session = made.session))
    )
  const victim = yield* tenant("Victim")
  const provider = yield* rawSip({ host: victim_provider }, asterisk.sip_port, obliging)
  yield* victim.connects(
    { auth_mode: "ip", host: victim_provider, port: provider.port, allowed_ips: [`${victim_provider}/32`] },
    "POST"
  )
  yield* victim.trunkUntil(isActive)
  return { tenant, victim, provider }
})
class Scene extends Context.Service<Scene, Effect.Success<typeof make>>()("test/Scene") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(connectedBy("engine", { env: names.env })))
}

type Tenant = Effect.Success<ReturnType<typeof makeTenant>>

/** The status of the request for a trunk, and the fields and codes of its refusal. */
const refusal = ({ ask }: Tenant, definition: object, method = "POST") =>
  Effect.map(ask("/v1/sip-trunk", definition, method), ({ json, status }) => {
    const { error } = json<{
      readonly error?: { readonly details?: ReadonlyArray<{ readonly field: string; readonly code: string }> }
    }>()
    return [status, ...(error?.details ?? []).map(({ code, field }) => `${field} ${code}`)]
  })

/** Each mode at this host, whose calls come from `from`. */
const modesAt = (host: string, port: number, from = attacker_host): ReadonlyArray<readonly [object, string]> => [
  [{ auth_mode: "ip", host, port, allowed_ips: [from] }, "/host"],
  [{ auth_mode: "digest", host, port, ...account }, "/host"],
  [{ auth_mode: "registration", registrar: host, port, ...account }, "/registrar"]
]

layer(Scene.layer, { excludeTestServices: true, timeout: "240 seconds" })("a tenant's trunk", (it) => {
  it.effect(
    "may not name the carrier or the PBX, by address, by name, as registrar or by where its calls come from",
    () =>
      Effect.gen(function* () {
        const { asterisk } = yield* PbxWorld
        const mallory = yield* (yield* Scene).tenant("Mallory")
        const traps = yield* Effect.forEach([carrier, carrier_caller], (host) =>
          rawSip({ host }, asterisk.sip_port, obliging)
        )
        yield* names.means("alias.example.com", "127.0.0.77", carrier_caller)
        for (const { host, port } of traps)
          for (const [definition, field] of [...modesAt(host, port), ...modesAt("alias.example.com", port)])
            assert.deepStrictEqual(yield* refusal(mallory, definition), [422, `${field} host_of_platform`])
        for (const range of [carrier, carrier_caller, "127.0.0.0/16"])
          assert.deepStrictEqual(
            yield* refusal(mallory, { auth_mode: "ip", host: attacker_host, allowed_ips: [attacker_host, range] }),
            [422, "/allowed_ips/1 range_of_platform"]
          )
        for (const { received } of traps) assert.deepStrictEqual(received, [])
      })
  )

  it.effect("may not name another tenant's provider that trusts the PBX's address", () =>
    Effect.gen(function* () {
      const { provider, tenant } = yield* Scene
      const mallory = yield* tenant("Rival")
      yield* names.means("provider.example.com", victim_provider)
      const heard = provider.received.length
      for (const host of [victim_provider, "provider.example.com"])
        for (const [definition, field] of modesAt(host, provider.port))
          assert.deepStrictEqual(yield* refusal(mallory, definition), [422, `${field} host_of_others`])
      assert.deepStrictEqual(
        yield* refusal(mallory, { auth_mode: "ip", host: attacker_host, allowed_ips: ["127.0.0.8/29"] }),
        [422, "/allowed_ips/0 range_of_others"]
      )
      assert.deepStrictEqual(
        provider.received.slice(heard).filter(({ start }) => !start.startsWith("OPTIONS ")),
        []
      )
    })
  )

  it.effect(
    "that is active is called at a name only while that is neither the carrier's nor another tenant's",
    () =>
      Effect.gen(function* () {
        const { asterisk, customer } = yield* PbxWorld
        const { provider, tenant } = yield* Scene
        const port = yield* freePorts()
        const trap = yield* rawSip({ host: carrier_caller, port }, asterisk.sip_port, obliging)
        const rows: ReadonlyArray<readonly [object, string, string, string]> = [
          [{ auth_mode: "ip", host: "a.example.com", allowed_ips: ["127.0.0.71"] }, "a", carrier_caller, "platform"],
          [{ auth_mode: "digest", host: "b.example.com", ...account }, "b", carrier_caller, "platform"],
          [{ auth_mode: "registration", registrar: "c.example.com", ...account }, "c", carrier_caller, "platform"],
          [{ auth_mode: "digest", host: "d.example.com", ...account }, "d", victim_provider, "others"]
        ]
        const tenants: Array<Tenant> = []
        for (const [at, [definition, name]] of rows.entries()) {
          const host = `127.0.0.${71 + at}`
          yield* rawSip({ host, port }, asterisk.sip_port, obliging)
          yield* names.means(`${name}.example.com`, host)
          const mallory = yield* tenant(name)
          yield* mallory.connects({ ...definition, port }, "POST")
          yield* mallory.trunkUntil(isActive)
          tenants.push(mallory)
        }
        const [first] = tenants
        assert.strictEqual((yield* first!.brings({ number: attacker_number })).status, 201)
        const heard = provider.received.length
        for (const [, name, host] of rows) yield* names.means(`${name}.example.com`, host)
        for (const [at, [, , , whose]] of rows.entries()) {
          const { health, status, status_reason } = yield* tenants[at]!.trunkUntil(
            ({ status_reason }) => status_reason !== null,
            100
          )
          assert.deepStrictEqual([status, status_reason, health.reachable], ["active", `host_of_${whose}`, false])
        }
        const call = { from: attacker_number, to: "+254711000200", voice_callback_url: customer.voice(acts()) }
        assert.deepInclude(yield* first!.calls(call), { status: "failed", cost_minor: 0 })
        assert.deepStrictEqual(trap.received, [])
        assert.deepStrictEqual(
          provider.received.slice(heard).filter(({ start }) => !start.startsWith("OPTIONS ")),
          []
        )
      }),
    180_000
  )

  it.effect("carries no call to a premium number of the platform's rates", () =>
    Effect.gen(function* () {
      const { asterisk, customer } = yield* PbxWorld
      const mallory = yield* (yield* Scene).tenant("Caller")
      const own = yield* rawSip({ host: attacker_host }, asterisk.sip_port, obliging)
      yield* mallory.connects(
        { auth_mode: "ip", host: attacker_host, port: own.port, allowed_ips: [attacker_host] },
        "POST"
      )
      yield* mallory.trunkUntil(isActive)
      const from = "+254700009013"
      assert.strictEqual((yield* mallory.brings({ number: from })).status, 201)
      const { json, status } = yield* mallory.ask("/v1/calls/originate", {
        from,
        to: premium,
        voice_callback_url: customer.voice(acts())
      })
      assert.strictEqual(status, 422)
      assert.deepInclude(json<{ readonly error: object }>().error, {
        code: "calls.destination_refused",
        reason: "high_risk_blocked"
      })
      assert.deepStrictEqual(own.requests("INVITE"), [])
    })
  )

  it.effect("at a provider of others, too, decides nothing about how their calls come in", () =>
    Effect.gen(function* () {
      const { asterisk } = yield* PbxWorld
      const { tenant } = yield* Scene
      const host = "127.0.0.79"
      // It is busy for the call that the second tenant's number forwards.
      const shared = yield* rawSip({ host }, asterisk.sip_port, obliging)
      const definition = { auth_mode: "digest", host, port: shared.port, ...account }
      const mallory = yield* tenant("Strict")
      yield* mallory.connects({ ...definition, srtp: "required", codecs: ["G722"] }, "POST")
      yield* mallory.trunkUntil(isActive)
      const next = yield* tenant("Next")
      yield* next.connects(definition, "POST")
      yield* next.trunkUntil(isActive)
      const number = "+254700009014"
      const forward_to = { type: "e164", value: "+254711000200" }
      assert.strictEqual((yield* next.brings({ number, routing: { forward_to } })).status, 201)
      const uri = `sip:${number}@127.0.0.1:${asterisk.sip_port}`
      assert.strictEqual(yield* shared.invites({ uri, from: `<sip:+254722000001@${host}>` }), 486)
    })
  )

  it.effect("takes no host from the allowlist of another tenant that had it before", () =>
    Effect.gen(function* () {
      const { asterisk, program } = yield* PbxWorld
      const { tenant } = yield* Scene
      const shared = "127.0.0.78"
      const far = yield* rawSip({ host: shared }, asterisk.sip_port, obliging)
      const mallory = yield* tenant("Latecomer")
      const owner = yield* tenant("Owner")
      const allows = Effect.map(changesPolicy(program, owner.session, [shared]), ({ status, text }) =>
        assert.strictEqual(status, 200, text)
      )
      yield* allows
      yield* mallory.connects({ auth_mode: "ip", host: shared, port: far.port, allowed_ips: [shared] }, "POST")
      yield* mallory.trunkUntil(isActive)
      yield* allows
    })
  )
})
