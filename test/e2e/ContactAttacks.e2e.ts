// What a device may write into its contact to be called elsewhere: no call reaches the carrier, another host or another
// phone, and devices that write their own address ring.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { until } from "../support/Until.ts"
import { isOver, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"
import { credential, newest, routed } from "./support/Phones.ts"
import { registers } from "./support/RawDevice.ts"
import { answerTo, type RawAgent, type RawMessage, rawSip, rawTcp } from "./support/RawSip.ts"

/** A number at a high price. */
const premium = "+254900223456"
const [own_host, trap_host, phone_host] = ["127.0.0.31", "127.0.0.77", "127.0.0.21"]

/** Refuses calls, so that they end at once. */
const busy = ({ start, text }: RawMessage): ReadonlyArray<string> =>
  start.startsWith("INVITE ") ? [answerTo(text, "486 Busy Here")] : []

/** The port of the carrier's contact at the Asterisk. */
const carrierPort = Effect.gen(function* () {
  const { ARI_PASSWORD, ARI_URL, ARI_USERNAME } = (yield* PbxWorld).asterisk.settings
  const authorization = `Basic ${Buffer.from(`${ARI_USERNAME}:${ARI_PASSWORD}`).toString("base64")}`
  const path = `${ARI_URL}/asterisk/config/dynamic/res_pjsip/aor/carrier`
  const text = yield* Effect.promise(async () => (await fetch(path, { headers: { authorization } })).text())
  return Number(/sip:127\.0\.0\.1:(\d+)/.exec(text)![1])
})

const make = Effect.gen(function* () {
  const { asterisk, carrierDies } = yield* PbxWorld
  const registrar = `sip:127.0.0.1:${asterisk.sip_port}`
  const attacker = yield* credential("1061")
  const victim = yield* credential("1062")
  yield* carrierDies
  const carrier = yield* rawSip({ host: "127.0.0.1", port: yield* carrierPort }, asterisk.sip_port, busy)
  const device = yield* rawSip({ host: own_host }, asterisk.sip_port, busy)
  const trap = yield* rawSip({ host: trap_host, port: device.port }, asterisk.sip_port, busy)
  const phone = yield* rawTcp(phone_host, asterisk.sip_port, busy)
  const contact = `<sip:boss@${phone_host}:${phone.port};transport=tcp>`
  assert.strictEqual((yield* registers(phone, registrar, victim, [contact])).status, 200)
  yield* victim.registrations(1)
  const caller = yield* rawSip({ host: "127.0.0.2" }, asterisk.sip_port)
  return { attacker, caller, carrier, device, phone, registrar, trap, victim }
})
class Scene extends Context.Service<Scene, Effect.Success<typeof make>>()("test/ContactAttacks") {
  static readonly layer = Layer.effect(this, make).pipe(Layer.provideMerge(pbxWorld))
}

/** Calls the extension from outside. Returns the status of the caller's INVITE. */
const callTo = (extension: string) =>
  Effect.gen(function* () {
    const { asterisk, program } = yield* PbxWorld
    const { caller } = yield* Scene
    yield* routed({ voice_url: null, forward_to: { type: "extension", value: extension } })
    const uri = `sip:${program.demo().number.number}@127.0.0.1:${asterisk.sip_port}`
    const status = yield* caller.invites({ uri, from: "<sip:+254722000001@127.0.0.2>" })
    const { child_call_ids } = yield* newest("inbound")
    const { callUntil } = yield* PbxWorld
    yield* Effect.forEach(child_call_ids, (id) => callUntil(id, isOver))
    yield* nothingLeft
    return status
  })

/** Calls the extension again and again until its device has refused the call. */
const untilRung = (extension: string) => until("call of the device", callTo(extension), (status) => status === 486)

/** Registers, lets `then` happen, and removes all contacts. */
const whileRegistered = <A, E, R>(socket: RawAgent, contacts: ReadonlyArray<string>, then: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Scene, ({ attacker, registrar }) => {
    const removed = Effect.andThen(
      registers(socket, registrar, attacker, ["*"], ["Expires: 0"]),
      attacker.registrations(0)
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* registers(socket, registrar, attacker, contacts)).status, 200)
      return yield* then
    }).pipe(Effect.ensuring(removed))
  })

const invitesOf = (socket: RawAgent): number => socket.requests("INVITE").length

interface Hosts {
  readonly own: string
  readonly carrier: string
  readonly trap: string
  readonly phone: string
}

/** Each with the contacts, and how many of them are the device's own. */
const attacks: ReadonlyArray<readonly [string, (hosts: Hosts) => ReadonlyArray<string>, 0 | 1]> = [
  ["two in one header", ({ carrier, own }) => [`<sip:a@${own}>, <sip:${premium}@${carrier}>`], 1],
  ["two headers", ({ carrier, own }) => [`<sip:a@${own}>`, `<sip:${premium}@${carrier}>`], 1],
  ["one that ends and another", ({ carrier, own }) => [`<sip:a@${own}>;expires=0, <sip:${premium}@${carrier}>`], 0],
  ["a private host", ({ own, trap }) => [`<sip:a@${own}>, <sip:a@${trap}>`], 1],
  ["maddr", ({ own }) => [`<sip:a@${own};maddr=${trap_host}>`], 0],
  ["maddr in the second", ({ own }) => [`<sip:a@${own}>, <sip:b@${own};maddr=${trap_host}>`], 1],
  ["a route to the carrier", ({ carrier, own }) => [`<sip:${premium}@${own}?Route=%3Csip:${carrier}%3Blr%3E>`], 0],
  ["a route to a private host", ({ own, trap }) => [`<sip:a@${own}?Route=%3Csip:${trap}%3Blr%3E>`], 0],
  ["another phone's connection", ({ own, phone }) => [`<sip:a@${own}>, <sip:boss@${phone};transport=tcp>`], 1],
  ["another phone's address", ({ own, phone }) => [`<sip:a@${own}>, <sip:boss@${phone}>`], 1]
]

layer(Scene.layer, { excludeTestServices: true, timeout: "180 seconds" })("a device's contact", (it) => {
  it.effect.each(attacks)("is called nowhere else: %s", ([, write, own]) =>
    Effect.gen(function* () {
      const { attacker, carrier, device, phone, trap } = yield* Scene
      const at = ({ host, port }: RawAgent) => `${host}:${port}`
      const contacts = write({ own: at(device), carrier: at(carrier), trap: at(trap), phone: at(phone) })
      const others = [carrier, trap, phone]
      const before = [invitesOf(device), ...others.map(invitesOf)]
      const calls = Effect.andThen(own === 1 ? attacker.registrations(1) : Effect.void, callTo("1061"))
      const status = yield* whileRegistered(device, contacts, calls)
      assert.deepStrictEqual(
        [device, ...others].map((socket, index) => invitesOf(socket) - before[index]!),
        [own, 0, 0, 0]
      )
      assert.strictEqual(status === 486, own === 1)
    })
  )

  it.effect("is called over its own TCP connection, and over no other's that it names", () =>
    Effect.gen(function* () {
      const { asterisk } = yield* PbxWorld
      const { attacker, phone, victim } = yield* Scene
      const own = yield* rawTcp("127.0.0.32", asterisk.sip_port, busy)
      const before = invitesOf(phone)
      const contacts = [`<sip:a@10.1.2.3>, <sip:boss@${phone_host}:${phone.port};transport=tcp>`]
      const calls = Effect.andThen(attacker.registrations(1), callTo("1061"))
      assert.strictEqual(yield* whileRegistered(own, contacts, calls), 486)
      assert.strictEqual(invitesOf(own), 1)
      assert.strictEqual(invitesOf(phone), before)
      assert.strictEqual(yield* callTo(victim.extension), 486)
      assert.strictEqual(invitesOf(phone), before + 1)
    })
  )

  it.effect("is called once, whatever names one registration gives it", () =>
    Effect.gen(function* () {
      const { device } = yield* Scene
      const at = `${device.host}:${device.port}`
      const before = invitesOf(device)
      assert.strictEqual(yield* whileRegistered(device, [`<sip:a@${at}>, <sip:b@${at}>`], untilRung("1061")), 486)
      assert.strictEqual(invitesOf(device) - before, 1)
    })
  )

  it.effect("makes no address known by naming it: who guesses passwords there is blocked", () =>
    Effect.gen(function* () {
      const { asterisk } = yield* PbxWorld
      const { attacker, device, registrar, victim } = yield* Scene
      const guesser = yield* rawSip({ host: "127.0.0.66" }, asterisk.sip_port)
      const contacts = [`<sip:a@${device.host}:${device.port}>, <sip:x@${guesser.host}:9>`]
      const guesses = Effect.gen(function* () {
        yield* attacker.registrations(1)
        for (let guess = 0; guess < 12; guess++)
          yield* registers(guesser, registrar, { ...victim, password: `guess-${guess}` })
        yield* until("refusal of the address", registers(guesser, registrar, victim), ({ status }) => status === 403)
      })
      yield* whileRegistered(device, contacts, guesses)
    })
  )

  it.effect("is called after a restart of the engine, without a new registration", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const { attacker, device } = yield* Scene
      const at = `${device.host}:${device.port}`
      const before = invitesOf(device)
      const restarts = Effect.gen(function* () {
        yield* attacker.registrations(1)
        yield* program.kill
        yield* program.start
        return yield* untilRung("1061")
      })
      assert.strictEqual(yield* whileRegistered(device, [`<sip:a@${at}>`], restarts), 486)
      assert.strictEqual(invitesOf(device) - before, 1)
    })
  )
})
