// What strangers may send to the PBX edge in quantity, and malformed: no call, no registration and no charge comes of
// it, the memory stays bounded, and other callers are served.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { until } from "../support/Until.ts"
import { registerScenario } from "./support/CallerScenario.ts"
import { calls, credential, newest, plays, routed } from "./support/Phones.ts"
import { numberOf } from "./support/Pbx.ts"
import { layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"
import { digest, registerOf, registers } from "./support/RawDevice.ts"
import { answerTo, rawSip, statusOf } from "./support/RawSip.ts"
import { makeStanding } from "./support/Standing.ts"
import { makeTenant } from "./support/Tenant.ts"

class Scene extends Context.Service<Scene, Effect.Success<typeof make>>()("test/Floods") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provideMerge(pbxWorld))
}
const make = makeStanding([])

const socketAt = (host: string) => Effect.flatMap(PbxWorld, ({ asterisk: { sip_port } }) => rawSip({ host }, sip_port))
type Socket = Effect.Success<ReturnType<typeof rawSip>>

const registrar = Effect.map(PbxWorld, ({ asterisk: { sip_port } }) => `sip:127.0.0.1:${sip_port}`)

/** Asks for a challenge, and answers it with this password. Returns the status and the header that answered. */
const tries = (socket: Socket, user: { readonly username: string; readonly password: string }) =>
  Effect.flatMap(registrar, (uri) => registers(socket, uri, user))

/** Waits until Asterisk refuses the address. */
const isBlocked = (socket: Socket) =>
  Effect.flatMap(registrar, (uri) =>
    until(
      "refusal of the address",
      socket.ask({ method: "OPTIONS", uri, from: "<sip:x@127.0.0.1>" }),
      (status) => status === 403,
      { every_ms: 100 }
    )
  )

/** Sends the messages in bursts, with time for Asterisk to read them. */
const sends = (socket: Socket, texts: ReadonlyArray<string>) =>
  Effect.forEach(
    texts,
    (text, index) => (index % 50 === 49 ? Effect.delay(socket.send(text), "20 millis") : socket.send(text)),
    { discard: true }
  )

const resident_mb = (pid: number) =>
  Effect.promise(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  })
const memory = Effect.gen(function* () {
  const { folder, program } = yield* PbxWorld
  const asterisk = Number(yield* Effect.promise(() => readFile(join(folder, "asterisk", "pid"), "utf8")))
  return { engine: yield* resident_mb(program.pid()!), asterisk: yield* resident_mb(asterisk) }
})

/** A caller from outside reaches the demo number, whose callback lets it ring out. */
const aNormalCallWorks = Effect.gen(function* () {
  yield* routed({ voice_url: null, forward_to: { type: "e164", value: numberOf("486") } })
  yield* calls({ from: "+254722000001" })
  const call = yield* newest("inbound")
  assert.lengthOf(call.child_call_ids, 1, JSON.stringify(call))
  yield* nothingLeft
})

layer(Scene.layer, { excludeTestServices: true, timeout: "180 seconds" })("the PBX edge under floods", (it) => {
  it.effect("blocks an address that guesses passwords, and nobody else", () =>
    Effect.gen(function* () {
      const { nothingHappens } = yield* Scene
      const user = yield* credential("1051")
      const guesser = yield* socketAt("127.0.0.71")
      const neighbour = yield* socketAt("127.0.0.72")
      const blocked = nothingHappens(
        Effect.gen(function* () {
          for (let guess = 0; guess < 12; guess++) yield* tries(guesser, { ...user, password: `guess-${guess}` })
          return yield* isBlocked(guesser)
        })
      )
      yield* blocked
      // The right password does not help any more.
      assert.strictEqual((yield* tries(guesser, user)).status, 403)
      assert.strictEqual((yield* tries(neighbour, user)).status, 200)
      assert.strictEqual(yield* plays(registerScenario(user)), 0)
    })
  )

  it.effect("blocks who guesses passwords from a range that a tenant's trunk names", () =>
    Effect.gen(function* () {
      const { asterisk, program } = yield* PbxWorld
      const user = yield* credential("1056")
      const peer = yield* rawSip({ host: "127.0.0.88" }, asterisk.sip_port, ({ start, text }) =>
        start.startsWith("OPTIONS ") ? [answerTo(text, "200 OK")] : []
      )
      const tenant = yield* makeTenant(program, "Wide")
      yield* tenant.connects(
        { auth_mode: "ip", host: peer.host, port: peer.port, allowed_ips: ["127.0.0.88/30"] },
        "POST"
      )
      yield* tenant.trunkUntil(({ status }) => status === "active")
      const guesser = yield* socketAt("127.0.0.89")
      for (let guess = 0; guess < 12; guess++) yield* tries(guesser, { ...user, password: `guess-${guess}` })
      yield* isBlocked(guesser)
    })
  )

  it.effect("alerts the workspace whose device's password is guessed, once", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const sql = yield* PgClient.PgClient
      const user = yield* credential("1055")
      const alerts = sql<{ payload: Record<string, unknown> }>`
        SELECT payload FROM events WHERE subject_id = ${user.id} AND kind = 'security.registration_attack'`
      // From several addresses, each of which stays below the block.
      const guessers = yield* Effect.forEach([81, 82, 83], (host) => socketAt(`127.0.0.${host}`))
      for (let round = 0; round < 8; round++)
        for (const guesser of guessers)
          assert.strictEqual((yield* tries(guesser, { ...user, password: `guess-${round}` })).status, 401)
      const [alert] = yield* until("alert", alerts, (rows) => rows.length > 0)
      yield* Effect.sleep("1 second")
      assert.lengthOf(yield* alerts, 1)
      assert.deepInclude(alert!.payload, { username: user.username, extension: "1055", attempts: 10 })
      assert.sameMembers(alert!.payload["addresses"] as Array<string>, ["127.0.0.81", "127.0.0.82", "127.0.0.83"])
      const { json } = yield* program.ask("/v1/audit?action_kind=security.alerted")
      assert.lengthOf(
        json<ReadonlyArray<{ target: { id: string } }>>().filter(({ target }) => target.id === user.id),
        1
      )
      assert.strictEqual(yield* plays(registerScenario(user)), 0)
    })
  )

  it.effect("takes no digest from another address than the challenged one", () =>
    Effect.gen(function* () {
      const user = yield* credential("1052")
      const uri = yield* registrar
      const owner = yield* socketAt("127.0.0.73")
      const { answer, status } = yield* tries(owner, user)
      assert.strictEqual(status, 200)
      const thief = yield* socketAt("127.0.0.74")
      assert.strictEqual(yield* thief.ask(registerOf(user.username, uri, answer)), 401)
    })
  )

  it.effect("never blocks the carrier, whoever forges its address", () =>
    Effect.gen(function* () {
      const { caller_host } = yield* PbxWorld
      const user = yield* credential("1053")
      const uri = yield* registrar
      const forger = yield* socketAt(caller_host)
      const bogus = digest('Digest realm="asterisk", nonce="1/x"', { ...user, password: "x" }, uri)
      yield* sends(
        forger,
        Array.from({ length: 200 }, () => forger.write(registerOf(user.username, uri, bogus)).text)
      )
      yield* Effect.sleep("2 seconds")
      assert.isAbove(forger.received.filter((message) => statusOf(message) === 401).length, 0)
      yield* aNormalCallWorks
    })
  )

  it.effect("blocks a flood of forged requests for a short time, and not the address of a device", () =>
    Effect.gen(function* () {
      const user = yield* credential("1054")
      const uri = yield* registrar
      const device = yield* socketAt("127.0.0.75")
      assert.strictEqual((yield* tries(device, user)).status, 200)
      const stranger = yield* socketAt("127.0.0.76")
      for (const socket of [device, stranger])
        yield* sends(
          socket,
          Array.from({ length: 100 }, () => socket.write(registerOf("nobody", uri)).text)
        )
      yield* isBlocked(stranger)
      assert.strictEqual((yield* tries(device, user)).status, 200)
    })
  )

  it.effect("outlives floods of INVITE, REGISTER and OPTIONS, and of what is no SIP", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const { nothingHappens } = yield* Scene
      const uri = yield* registrar
      const number = uri.replace("sip:", `sip:${program.demo().number.number}@`)
      const hosts = Array.from({ length: 20 }, (_, index) => `127.0.2.${index + 1}`)
      const flood = Effect.forEach(
        hosts,
        (host) =>
          Effect.gen(function* () {
            const socket = yield* socketAt(host)
            const texts = Array.from({ length: 50 }, (_, index) => {
              const from = `<sip:${["carrier", "254700000001", "anonymous", `x${index}`][index % 4]}@127.0.0.2>`
              const [invite, register, options] = [
                { uri: number, from },
                { ...registerOf(`u${index}`, uri), from },
                { method: "OPTIONS", uri, from }
              ].map((request) => socket.write(request).text) as [string, string, string]
              return [
                invite,
                register,
                options,
                // Two messages in a datagram, short and folded headers, and lengths that lie.
                invite + register,
                invite.replace("From:", "f:").replace("To:", "t:").replace("Call-ID:", "i:"),
                invite.replace("Max-Forwards: 70", "Subject: a\r\n b\r\n\tc"),
                invite.replace("Content-Length: 0", "Content-Length: 99999"),
                invite.replace("Content-Length: 0", "Content-Length: -1"),
                invite.replace(/^From: /m, `From: ${"<".repeat(500)}`),
                invite.replace(/^Contact: .*$/m, "Contact: *"),
                invite.replace(/^Contact: .*$/m, `Contact: <sip:x&PJSIP/carrier@127.0.0.1>\r\nRefer-To: <${number}>`),
                invite.replace("SIP/2.0\r\n", `SIP/2.0\r\nX-Long: ${"a".repeat(20_000)}\r\n`),
                invite.replace("INVITE", "REFER").replace("1 INVITE", "1 REFER"),
                invite.slice(0, 40),
                "\0".repeat(200),
                "\r\n\r\n"
              ]
            }).flat()
            yield* sends(socket, texts)
          }).pipe(Effect.scoped),
        { discard: true }
      )
      yield* nothingHappens(flood)
      const before = yield* memory
      yield* nothingHappens(Effect.andThen(flood, flood))
      yield* Effect.sleep("2 seconds")
      const after = yield* memory
      assert.isBelow(after.engine - before.engine, 128, JSON.stringify([before, after]))
      assert.isBelow(after.asterisk - before.asterisk, 64, JSON.stringify([before, after]))
      assert.isTrue(program.isAlive())
      yield* aNormalCallWorks
    })
  )
})
