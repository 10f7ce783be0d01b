// Random trunks, contacts, headers and responses against a real PBX: nothing reaches a host that the workspace may not
// call, and no call is missing in the books. ATTACKS is the number of cases, ATTACK_SEED the first seed.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { depth } from "../support/Depth.ts"
import { acts, talk } from "../support/Customer.ts"
import { until } from "../support/Until.ts"
import { type AttackCase, attackOf, type Place, type Places } from "./support/AttackCases.ts"
import { canMakeRules, onlyTo } from "./support/FirewallRules.ts"
import { freePorts } from "./support/Peers.ts"
import { credential, routed } from "./support/Phones.ts"
import { allSettled, connectedBy, PbxWorld } from "./support/PbxWorld.ts"
import { registers } from "./support/RawDevice.ts"
import { answerTo, headerOf, type RawMessage, rawSip, soundAt } from "./support/RawSip.ts"
import { changesPolicy } from "./support/SipAllowlist.ts"
import { byoRates, makeTenant } from "./support/Tenant.ts"
import { makeTrap } from "./support/Traps.ts"

const count = Number(process.env["ATTACKS"] ?? depth(50, 2_000))
const first = Number(process.env["ATTACK_SEED"] ?? 1)

/** How long an answer may take; a response that went elsewhere does not come at all. */
const patience_ms = 1_500
/** For what is sent after the answer: the sound of a call, or a request within its dialog. */
const afterwards = "60 millis"
const mallory_number = "+254700009011"
const hosts = {
  carrier: "127.0.0.1",
  caller: "127.0.0.2",
  peer: "127.0.0.3",
  called: "127.0.0.4",
  provider: "127.0.0.8",
  device: "127.0.0.21",
  stranger: "127.0.0.66"
} as const
/** In the private network, to which nothing is sent where there are firewall rules. */
const private_host = "127.0.0.77"
const guarded = canMakeRules()
const asterisk_env = guarded ? { FIREWALL: "on", ...onlyTo(Object.values(hosts)) } : {}

const isRequest = (start: string): boolean => /^[A-Z]+ sips?:.* SIP\/2\.0$/.test(start)
/** Says no to every call, and yes to everything else. */
const refusesCalls = ({ start, text }: RawMessage): ReadonlyArray<string> => {
  if (start.startsWith("INVITE ")) return [answerTo(text, "486 Busy Here")]
  if (start.startsWith("ACK ") || !isRequest(start)) return []
  return [answerTo(text, "200 OK", [`Contact: ${headerOf(text, "Contact") ?? "<sip:x@127.0.0.1>"};expires=300`])]
}

const make = Effect.gen(function* () {
  const { asterisk, caller_host, carrier_port, carrierDies, customer, program } = yield* PbxWorld
  const at = (host: string, answers?: (message: RawMessage) => ReadonlyArray<string>) =>
    rawSip({ host }, asterisk.sip_port, answers)
  yield* byoRates(program)
  const policy = yield* changesPolicy(program, program.demo().owner_session, [hosts.called])
  assert.strictEqual(policy.status, 200, policy.text)
  const mallory = yield* makeTenant(program, "Mallory")
  const victim = yield* makeTenant(program, "Victim", mallory.session)
  const peer = yield* at(hosts.peer, refusesCalls)
  const provider = yield* at(hosts.provider, refusesCalls)
  const device = yield* at(hosts.device, refusesCalls)
  const stranger = yield* at(hosts.stranger)
  const caller = yield* at(caller_host)
  let response: Extract<AttackCase, { readonly kind: "response" }> | undefined
  const called = yield* at(hosts.called, (message) => {
    if (!message.start.startsWith("INVITE ") || response === undefined) return refusesCalls(message)
    const { headers, sound, status } = response
    return [answerTo(message.text, status, headers, status.startsWith("200") ? soundAt(sound.port, sound.host) : "")]
  })

  const own_trunk = { auth_mode: "ip", host: hosts.peer, port: peer.port, allowed_ips: [hosts.peer] }
  yield* mallory.connects(own_trunk, "POST")
  yield* victim.connects(
    { auth_mode: "ip", host: hosts.provider, port: provider.port, allowed_ips: [hosts.provider] },
    "POST"
  )
  const isActive = ({ status }: { readonly status: string }) => status === "active"
  yield* mallory.trunkUntil(isActive)
  yield* victim.trunkUntil(isActive)
  const brought = yield* mallory.brings({
    number: mallory_number,
    routing: { voice_url: customer.voice(acts(talk)) }
  })
  assert.strictEqual(brought.status, 201, brought.text)
  const user = yield* credential("4001")

  yield* carrierDies
  const carrier = yield* makeTrap({ host: hosts.carrier, port: carrier_port }, asterisk.sip_port, isRequest)
  const hidden = yield* makeTrap({ host: private_host, port: yield* freePorts() }, asterisk.sip_port)
  /** The victim's own trunk sends OPTIONS to its provider. */
  const strayed = Effect.gen(function* () {
    const at_provider = [...provider.requests("INVITE"), ...provider.requests("REGISTER")].map(({ start }) => start)
    return { carrier: yield* carrier.arrived, private: guarded ? yield* hidden.arrived : [], provider: at_provider }
  })
  const pbx = { host: hosts.carrier, port: asterisk.sip_port }
  const placeOf = ({ host, port }: Place): Place => ({ host, port })
  const places: Places = {
    forbidden: [carrier, provider, hidden].map(placeOf),
    pbx,
    peer: placeOf(peer),
    device: placeOf(device),
    called: placeOf(called)
  }

  const demo = `sip:${program.demo().number.number}@${pbx.host}:${pbx.port}`
  const from = (host: string) => `<sip:+254722000001@${host}>`
  const callsDemo = caller.triesCall({ uri: demo, from: from(caller_host) }, patience_ms)

  const overTrunk = Effect.fnUntraced(function* ({ definition, to }: Extract<AttackCase, { readonly kind: "trunk" }>) {
    const { status } = yield* mallory.ask("/v1/sip-trunk", definition, "PUT")
    if (status >= 300) return
    // A host that does not respond keeps the trunk pending: that it was tried shows in the traps.
    const late_at = performance.now() + patience_ms
    yield* until("tried trunk", mallory.trunk, ({ status }) => status !== "pending" || performance.now() > late_at)
    const placed = yield* mallory.ask("/v1/calls/originate", {
      to,
      from: mallory_number,
      voice_callback_url: customer.voice(acts())
    })
    if (placed.status === 201) {
      const { id } = placed.json<{ readonly id: string }>()
      yield* mallory.ended(id)
    }
    yield* mallory.connects(own_trunk)
    yield* mallory.trunkUntil(isActive)
  })

  const registrar = `sip:${pbx.host}:${pbx.port}`
  const toExtension = { type: "extension", value: user.extension }
  const throughContact = Effect.fnUntraced(function* ({ headers }: Extract<AttackCase, { readonly kind: "contact" }>) {
    yield* registers(device, registrar, user, [""], headers)
    yield* routed({ voice_url: null, forward_to: toExtension })
    yield* callsDemo
    yield* registers(device, registrar, user, ["*"], ["Expires: 0"])
  })

  const throughResponse = Effect.fnUntraced(function* (attack: Extract<AttackCase, { readonly kind: "response" }>) {
    response = attack
    yield* routed({ voice_url: null, forward_to: { type: "sip", value: `sip:x@${hosts.called}:${called.port}` } })
    yield* callsDemo
    yield* Effect.sleep(afterwards)
    response = undefined
  })

  const throughInvite = Effect.fnUntraced(function* (attack: Extract<AttackCase, { readonly kind: "invite" }>) {
    const { contact, headers, sound, via } = attack
    const source = attack.from === "peer" ? peer : stranger
    const uri = attack.from === "peer" ? `sip:${mallory_number}@${pbx.host}:${pbx.port}` : demo
    const request = { uri, from: from(source.host), body: soundAt(sound.port, sound.host), contact, headers, via }
    yield* source.triesCall(request, patience_ms)
    yield* Effect.sleep(afterwards)
  })

  const plays = (attack: AttackCase) => {
    switch (attack.kind) {
      case "trunk":
        return overTrunk(attack)
      case "contact":
        return throughContact(attack)
      case "response":
        return throughResponse(attack)
      case "invite":
        return throughInvite(attack)
    }
  }
  /** The calls that the PBX placed, by their Call-IDs. */
  const invited = () =>
    new Set(
      [device, called, peer].flatMap((each) => each.requests("INVITE").map(({ text }) => headerOf(text, "Call-ID")))
    )
  return { invited, places, plays, strayed }
})
class Scene extends Context.Service<Scene, Effect.Success<typeof make>>()("test/RandomAttacks") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(connectedBy("engine", { asterisk_env })))
}

const nothing = { carrier: [], private: [], provider: [] }

layer(Scene.layer, { excludeTestServices: true, timeout: "180 seconds" })("random attacks on the PBX edge", (it) => {
  it.effect(
    "reach no host that is forbidden, and make no call that is not in the books",
    () =>
      Effect.gen(function* () {
        const { invited, places, plays, strayed } = yield* Scene
        for (let seed = first; seed < first + count; seed++) {
          const attack = attackOf(seed, places)
          yield* plays(attack)
          assert.deepStrictEqual(yield* strayed, nothing, `ATTACK_SEED=${seed}: ${JSON.stringify(attack)}`)
        }
        yield* allSettled
        assert.deepStrictEqual(yield* strayed, nothing, "after the last attack")
        const sql = yield* PgClient.PgClient
        const [booked] = yield* sql<{ readonly legs: number }>`
          SELECT count(*)::int AS legs FROM calls WHERE direction = 'outbound'`
        assert.isAbove(invited().size, 0)
        assert.isAtLeast(booked!.legs, invited().size)
      }),
    60_000 + count * 3_000
  )
})
