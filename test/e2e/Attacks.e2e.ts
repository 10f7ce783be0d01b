// What a stranger, a tenant's peer, a device or a called party may try against the PBX edge: no call, no registration
// and no charge comes of it.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { acts } from "../support/Customer.ts"
import { callerScenario, registerScenario } from "./support/CallerScenario.ts"
import { changesPolicy } from "./support/SipAllowlist.ts"
import { makeStanding } from "./support/Standing.ts"
import { credential, newest, phone, plays, routed } from "./support/Phones.ts"
import { freePorts } from "./support/Peers.ts"
import { numberOf } from "./support/Pbx.ts"
import { isOver, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"
import { answerTo, headerOf, type RawMessage, rawSip } from "./support/RawSip.ts"
import { byoRates, makeTenant } from "./support/Tenant.ts"

const isActive = ({ status }: { readonly status: string }): boolean => status === "active"
/** The address that the trunk of the tenant "Acme" may call from. */
const acme_peer = "127.0.0.3"
/** The provider of the tenant "Victim", which no other tenant may call from. */
const victim_provider = "127.0.0.8"
const stranger = "127.0.0.66"
const victim_number = "+254700009002"
/** Where a called party may direct a call: to a number of the carrier, and to a port that hears what comes there. */
const trap_host = "127.0.0.5"
const trap_port = 15_099
const elsewhere = [`${numberOf("201")}@127.0.0.1`, `x&PJSIP/carrier/sip:b@${trap_host}:${trap_port}`]
/** Answers OPTIONS and REGISTER, so that a trunk becomes active, and directs every call elsewhere. */
const obliging = ({ start, text }: RawMessage): ReadonlyArray<string> => {
  if (start.startsWith("OPTIONS ")) return [answerTo(text, "200 OK")]
  if (start.startsWith("INVITE "))
    return [
      answerTo(text, "302 Moved Temporarily", [`Contact: ${elsewhere.map((each) => `<sip:${each}>`).join(", ")}`])
    ]
  const contact = headerOf(text, "Contact")
  return start.startsWith("REGISTER ") ? [answerTo(text, "200 OK", [`Contact: ${contact};expires=300`])] : []
}

const make = Effect.gen(function* () {
  const { asterisk, program } = yield* PbxWorld
  yield* byoRates(program)
  const allowed = yield* changesPolicy(program, program.demo().owner_session, ["127.0.0.4"])
  assert.strictEqual(allowed.status, 200, allowed.text)
  const acme = yield* makeTenant(program, "Acme")
  const victim = yield* makeTenant(program, "Victim", acme.session)
  const peer = yield* rawSip({ host: acme_peer }, asterisk.sip_port, obliging)
  const provider = yield* rawSip({ host: victim_provider }, asterisk.sip_port, obliging)
  const outsider = yield* rawSip({ host: stranger }, asterisk.sip_port)
  yield* acme.connects({ auth_mode: "ip", host: acme_peer, port: peer.port, allowed_ips: [acme_peer] }, "POST")
  yield* victim.connects(
    { auth_mode: "registration", registrar: victim_provider, port: provider.port, username: "v", password: "secret" },
    "POST"
  )
  yield* acme.trunkUntil(isActive)
  yield* victim.trunkUntil(isActive)
  const brought = yield* victim.brings({
    number: victim_number,
    routing: { forward_to: { type: "e164", value: numberOf("200") } }
  })
  assert.strictEqual(brought.status, 201, brought.text)
  const standing = yield* makeStanding([acme.ask, victim.ask])
  return { acme, victim, peer, provider, outsider, ...standing }
})
class Scene extends Context.Service<Scene, Effect.Success<typeof make>>()("test/Scene") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(pbxWorld))
}

/** The demo number's request URI at the Asterisk. */
const target = (number: string) =>
  Effect.map(PbxWorld, ({ asterisk: { sip_port } }) => `sip:${number}@127.0.0.1:${sip_port}`)
const demoNumber = Effect.map(PbxWorld, ({ program }) => program.demo().number.number)

layer(Scene.layer, { excludeTestServices: true, timeout: "180 seconds" })("the PBX edge", (it) => {
  it.effect.each(["carrier", "sip-uri", "anonymous", "254700000001"])(
    "answers no call of a stranger who calls himself %s",
    (name) =>
      Effect.gen(function* () {
        const { nothingHappens, outsider } = yield* Scene
        const uri = yield* target(yield* demoNumber)
        const status = yield* nothingHappens(outsider.invites({ uri, from: `"x" <sip:${name}@127.0.0.1>` }))
        assert.strictEqual(status, 401)
      })
  )

  it.effect("answers no call of a stranger who names a tenant's trunk", () =>
    Effect.gen(function* () {
      const { acme, nothingHappens, outsider, victim } = yield* Scene
      for (const [tenant, number] of [
        [acme, yield* demoNumber],
        [victim, victim_number]
      ] as const) {
        const { id } = yield* tenant.trunk
        const from = `<sip:trunk-${id}.1@127.0.0.1>`
        assert.strictEqual(yield* nothingHappens(outsider.invites({ uri: yield* target(number), from })), 401)
      }
    })
  )

  it.effect("answers no call of a stranger who has the line token of a registration", () =>
    Effect.gen(function* () {
      const { nothingHappens, outsider, provider } = yield* Scene
      const [register] = provider.requests("REGISTER")
      const line = /;line=([^;>]+)/.exec(headerOf(register!.text, "Contact")!)![1]!
      const uri = yield* target("trunkline")
      const status = yield* nothingHappens(
        outsider.invites({
          uri: `${uri};line=${line}`,
          from: "<sip:+254722000001@127.0.0.8>",
          to: `<sip:${victim_number}@127.0.0.1;line=${line}>`
        })
      )
      assert.oneOf(status, [401, 403, 404])
    })
  )

  it.effect("takes a called number for a number alone, whatever it contains", () =>
    Effect.gen(function* () {
      const { nothingHappens, peer, provider } = yield* Scene
      const demo = yield* demoNumber
      const { caller_host } = yield* PbxWorld
      for (const [number, source] of [
        [demo, caller_host],
        [victim_number, victim_provider]
      ])
        for (const separator of ["%2C", ","]) {
          const called = `${number}${separator}${source}%3A${provider.port}`
          const uri = yield* target(called)
          const status = yield* nothingHappens(peer.invites({ uri, from: "<sip:+254722000001@127.0.0.3>" }))
          assert.strictEqual(status, 404, called)
        }
    })
  )

  it.effect("lets a tenant's trunk reach no other tenant's number by naming its provider", () =>
    Effect.gen(function* () {
      const { acme, nothingHappens, peer, provider } = yield* Scene
      yield* acme.connects({ auth_mode: "ip", host: victim_provider, port: provider.port, allowed_ips: [acme_peer] })
      yield* acme.trunkUntil(isActive)
      const uri = yield* target(victim_number)
      const status = yield* nothingHappens(peer.invites({ uri, from: "<sip:+254722000001@127.0.0.8>" }))
      assert.strictEqual(status, 404)
    })
  )

  it.effect.each(["carrier", "own"])("dials nothing that a device has written into its contact: %s", (name) =>
    Effect.gen(function* () {
      const { asterisk } = yield* PbxWorld
      const user = yield* credential(name === "own" ? "1021" : "1022")
      const contact = `x&PJSIP/${name === "own" ? user.username : name}/sip:b`
      const port = yield* freePorts()
      assert.strictEqual(yield* plays(registerScenario(user, contact), { port }), 0)
      const trap = yield* rawSip({ host: "127.0.0.1", port }, asterisk.sip_port, ({ start, text }) =>
        start.startsWith("INVITE ") ? [answerTo(text, "486 Busy Here")] : []
      )
      yield* phone(user, "busy")
      yield* user.registrations(1)
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: user.extension } })
      const caller = yield* rawSip({ host: "127.0.0.2" }, asterisk.sip_port)
      const uri = yield* target(yield* demoNumber)
      assert.strictEqual(yield* caller.invites({ uri, from: "<sip:+254722000001@127.0.0.2>" }), 486)
      assert.deepStrictEqual(trap.requests("INVITE"), [])
    })
  )

  it.effect("takes a device for no other device, whatever number it dials", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const own = yield* credential("1031")
      const other = yield* credential("1032")
      const caller = { from: own.username, media_port: farEnd.port, user: own }
      const number = `${numberOf("201")}%2C${other.username}`
      // The device hears why the number cannot be called, or is refused.
      yield* plays(callerScenario({ ...caller, number }))
      assert.deepInclude(yield* newest("outbound"), { status: "failed", child_call_ids: [], cost_minor: 0 })
    })
  )

  it.effect("follows no redirection of a called device", () =>
    Effect.gen(function* () {
      const { asterisk } = yield* PbxWorld
      const user = yield* credential("1041")
      const trap = yield* rawSip({ host: "127.0.0.4" }, asterisk.sip_port)
      const port = yield* freePorts()
      const targets = [
        `PJSIP/carrier/sip%3Ab%40127.0.0.4%3A${trap.port}`,
        `PJSIP/${numberOf("201").replace("+", "%2B")}%40carrier`,
        numberOf("201")
      ]
      assert.strictEqual(yield* plays(registerScenario(user), { port }), 0)
      let redirections = 0
      yield* rawSip({ host: "127.0.0.1", port }, asterisk.sip_port, ({ start, text }) =>
        start.startsWith("INVITE ")
          ? [
              answerTo(text, "302 Moved Temporarily", [
                `Contact: <sip:${targets[redirections++]}@127.0.0.4:${trap.port}>`
              ])
            ]
          : []
      )
      yield* user.registrations(1)
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: user.extension } })
      const caller = yield* rawSip({ host: "127.0.0.2" }, asterisk.sip_port)
      const uri = yield* target(yield* demoNumber)
      for (const _ of targets) {
        yield* caller.invites({ uri, from: "<sip:+254722000001@127.0.0.2>" })
        assert.deepInclude(yield* newest("inbound"), { status: "failed", cost_minor: 0 })
        yield* nothingLeft
      }
      assert.strictEqual(redirections, targets.length)
      assert.deepStrictEqual(trap.received, [])
    })
  )

  it.effect("follows no redirection of a trunk, a SIP address or the carrier", () =>
    Effect.gen(function* () {
      const { asterisk, callUntil, customer, place } = yield* PbxWorld
      const { acme, peer, provider } = yield* Scene
      const trap = yield* rawSip({ host: trap_host, port: trap_port }, asterisk.sip_port)
      const failed = { status: "failed", cost_minor: 0 } as const

      const own = "+254700009003"
      assert.strictEqual((yield* acme.brings({ number: own })).status, 201)
      const over = yield* acme.calls({ to: numberOf("201"), from: own, voice_callback_url: customer.voice(acts()) })
      assert.deepInclude(over, failed)
      assert.lengthOf([...peer.requests("INVITE"), ...provider.requests("INVITE")], 1)

      const far = yield* rawSip({ host: "127.0.0.4" }, asterisk.sip_port, obliging)
      const sip = `sip:moved@127.0.0.4:${far.port}`
      const id = yield* place("200", customer.voice(acts({ dial: { sip, timeout: 5 } })))
      const [leg] = (yield* callUntil(id, isOver)).child_call_ids
      assert.deepInclude(yield* callUntil(leg!, isOver), failed)
      assert.lengthOf(far.requests("INVITE"), 1)

      const moved = yield* callUntil(yield* place("300", customer.voice(acts())), isOver)
      assert.deepInclude(moved, failed)
      assert.deepStrictEqual(
        [over, moved].map(({ hangup_cause }) => hangup_cause),
        ["call_rejected", "call_rejected"]
      )
      yield* nothingLeft
      assert.deepStrictEqual(trap.received, [])
    })
  )

  it.effect("calls a SIP address without the carrier's password, and a number in it at the price of the number", () =>
    Effect.gen(function* () {
      const { asterisk, callUntil, customer, place } = yield* PbxWorld
      const far = yield* rawSip({ host: "127.0.0.4" }, asterisk.sip_port, ({ start, text }) => {
        if (!start.startsWith("INVITE ")) return start.startsWith("ACK ") ? [] : [answerTo(text, "200 OK")]
        if (start.startsWith("INVITE sip:busy")) return [answerTo(text, "486 Busy Here")]
        return [
          answerTo(text, "407 Who are you", [`Proxy-Authenticate: Digest realm="evil", nonce="n", algorithm=MD5`])
        ]
      })
      const dials = (user: string, host = "127.0.0.4") =>
        Effect.gen(function* () {
          const sip = `sip:${user}@${host}:${far.port}`
          const id = yield* place("200", customer.voice(acts({ dial: { sip, timeout: 5 } })))
          const { child_call_ids } = yield* callUntil(id, isOver)
          return child_call_ids[0] === undefined ? undefined : yield* callUntil(child_call_ids[0], isOver)
        })
      assert.deepInclude(yield* dials("busy"), { status: "busy", rate_per_min_minor: 0, cost_minor: 0 })
      assert.deepInclude(yield* dials("locked"), { status: "failed", cost_minor: 0 })
      const [invite] = far.requests("INVITE")
      assert.match(invite!.start, /^INVITE sip:busy@127\.0\.0\.4/)
      for (const { text } of far.received) assert.notMatch(text, /^(Proxy-)?Authorization:/im)
      const priced = yield* dials(numberOf("200"))
      assert.isAbove(priced?.rate_per_min_minor ?? 0, 0)
      const before = far.requests("INVITE").length
      for (const user of ["112", "+882161234567", "882161234567", "00882161234567", "%2B882161234567"])
        assert.oneOf((yield* dials(user))?.hangup_cause, [undefined, "destination_refused"])
      assert.lengthOf(far.requests("INVITE"), before)
    })
  )

  it.effect(
    "lets no allowlist name the carrier, the PBX, a provider's or another tenant's trunk, or a special address",
    () =>
      Effect.gen(function* () {
        const { program } = yield* PbxWorld
        const { acme, peer, victim } = yield* Scene
        yield* acme.connects({ auth_mode: "ip", host: acme_peer, port: peer.port, allowed_ips: [acme_peer] })
        const { host: trunk } = yield* acme.trunkUntil(({ host, status }) => host === acme_peer && status === "active")
        for (const host of ["127.0.0.1", "localhost", trunk!, "169.254.169.254", "0.0.0.0"]) {
          const { status, text } = yield* changesPolicy(program, victim.session, [host])
          assert.strictEqual(status, 400, `${host}: ${text}`)
        }
      })
  )
})
