// Calls of the chat app through the engine and an Asterisk. Its provider is a second Asterisk with a certificate.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { join } from "node:path"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { type CallSettings, initialSettings } from "../../src/domain/chatapp/CallSettings.ts"
import { certificateFaults } from "../../src/domain/chatapp/CertificateFault.ts"
import { type Authority, makeAuthority } from "./support/Authority.ts"
import { amplitudeInWav, busy_user, chat_app_host, makeChatAppProvider, spoken_hz } from "./support/ChatAppProvider.ts"
import { graphStandIn } from "./support/GraphStandIn.ts"
import { obligingTls } from "./support/ObligingTls.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, connectedBy, isOver, PbxWorld, recordingOf } from "./support/PbxWorld.ts"
import { folder } from "./support/Peers.ts"
import { makeTenant } from "./support/Tenant.ts"
import type { TonePhones } from "./support/TonePhones.ts"
import { acts } from "../support/Customer.ts"
import { until, untilHolds } from "../support/Until.ts"

const sip_host = "sip.example.com"
const password = "right"
const user = "+254799000002"
/** What the phone behind the carrier speaks: the first one of `FarEnd.tones`. */
const phone_hz = 450
/** What nobody speaks. */
const absent_hz = 1_000
const audible = 2_000

const make = Effect.gen(function* () {
  const home = yield* folder
  const authority = yield* makeAuthority(join(home, "ca"))
  const { certificate, key } = yield* authority.certifies("pbx", "IP:127.0.0.1")
  const provider = yield* makeChatAppProvider(home, authority)
  const graph = yield* graphStandIn(sip_host)
  const chat = { authority, provider, graph }
  return Layer.provideMerge(
    Layer.succeed(ChatWorld)(chat),
    connectedBy("engine", {
      env: {
        ...graph.env,
        GRAPH_SIP_PROVIDER_HOST: chat_app_host,
        GRAPH_SIP_PROVIDER_PORT: `${provider.tls_port}`
      },
      asterisk_env: { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_CA: authority.file }
    })
  )
})
interface ChatWorldShape {
  readonly authority: Authority
  readonly provider: Effect.Success<ReturnType<typeof makeChatAppProvider>>
  readonly graph: Effect.Success<ReturnType<typeof graphStandIn>>
}
class ChatWorld extends Context.Service<ChatWorld, ChatWorldShape>()("test/ChatWorld") {
  static readonly layer = Layer.unwrap(make)
}

interface TrunkState {
  readonly status: string
  readonly status_reason: string | null
}

/** The path of the trunk of the demo workspace's number. */
const trunkPath = Effect.map(PbxWorld, ({ program }) => `/v1/numbers/${program.demo().number.id}/chatapp/trunk`)

const ask = (path: string, method: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { json, status, text } = yield* Effect.orDie(program.ask(path, { method }))
    assert.isBelow(status, 300, text)
    return json<TrunkState>()
  })

/** Waits until the trunk is no longer pending. */
const settled = Effect.flatMap(trunkPath, (path) =>
  until("trunk that is set up or not", ask(path, "GET"), ({ status }) => status !== "pending", { within_ms: 90_000 })
)

/** Writes the call settings: those of a number that takes calls at any time, with these changes. */
const settings = (changes: Partial<CallSettings>) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const path = `/v1/numbers/${program.demo().number.id}/chatapp/call-settings`
    const body = { ...initialSettings, status: "ENABLED", ...changes }
    const { status, text } = yield* Effect.orDie(program.ask(path, { method: "PUT", body }))
    assert.strictEqual(status, 200, text)
  })
const never: CallSettings["call_hours"] = { ...initialSettings.call_hours, status: "ENABLED", timezone_id: "UTC" }

/** A user calls the number. Returns how that went for the user, and how to find the call. */
const userCalls = Effect.gen(function* () {
  const { asterisk, program } = yield* PbxWorld
  const { provider } = yield* ChatWorld
  const { number } = program.demo().number
  const as = { number, password }
  return yield* provider.calls({ to: number, as, sip_port: asterisk.sip_port })
})

/** Until the phone behind the carrier and the user have heard each other for a while, and nobody else. */
const talks = (phones: TonePhones, id: string) =>
  Effect.gen(function* () {
    const { provider } = yield* ChatWorld
    yield* untilHolds("tone of the user at the phone", () => phones.amplitude(0, spoken_hz) > audible)
    yield* Effect.sleep("3 seconds")
    assert.isBelow(phones.amplitude(0, absent_hz), audible / 4)
    const { amplitude } = yield* provider.heard(id)
    // What the user heard begins with the silence before they were connected.
    assert.isAbove(amplitude(phone_hz), audible / 4)
    assert.isBelow(amplitude(absent_hz), audible / 16)
    yield* provider.hangsUp(id)
  })

/** The newest call, once it is over. */
const newest = Effect.gen(function* () {
  const { callUntil, program } = yield* PbxWorld
  const { json } = yield* Effect.orDie(program.ask("/v1/calls?direction=inbound&limit=1"))
  return yield* callUntil(json<ReadonlyArray<CallRecord>>()[0]!.id, isOver)
})

layer(ChatWorld.layer, { excludeTestServices: true, timeout: "180 seconds" })("a number in the chat app", (it) => {
  it.effect(
    "has failed while the provider has another certificate or does not answer, and is active once it does",
    () =>
      Effect.gen(function* () {
        const { program } = yield* PbxWorld
        const { authority, graph, provider } = yield* ChatWorld
        const { number } = program.demo().number
        yield* graph.serves({ number, password })
        yield* provider.vanishes
        const path = yield* trunkPath
        const impostor = yield* authority.certifies("impostor", "DNS:other.example.com")
        yield* Effect.gen(function* () {
          yield* obligingTls({ host: chat_app_host, port: provider.tls_port }, impostor)
          assert.deepInclude(yield* ask(path, "POST"), { status: "pending" })
          const { status, status_reason } = yield* settled
          assert.deepStrictEqual([status, status_reason], ["failed", certificateFaults.certificate_name])
        }).pipe(Effect.scoped)
        yield* ask(`${path}/retry`, "POST")
        const { status, status_reason } = yield* settled
        assert.strictEqual(status, "failed")
        assert.include(status_reason, "did not answer")
        yield* provider.returns
        yield* provider.serves({ number, password })
        yield* ask(`${path}/retry`, "POST")
        assert.deepInclude(yield* settled, { status: "active", status_reason: null })
      }),
    120_000
  )

  it.effect("leaves its provider's host to nobody's trunk", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const { provider } = yield* ChatWorld
      const mallory = yield* makeTenant(program, "Mallory")
      const port = provider.tls_port
      for (const definition of [
        { auth_mode: "digest", host: chat_app_host, port, transport: "tls", username: "u", password: "secret" },
        { auth_mode: "ip", host: "127.0.0.7", allowed_ips: ["127.0.0.7", chat_app_host] }
      ]) {
        const { status, text } = yield* mallory.ask("/v1/sip-trunk", definition)
        assert.strictEqual(status, 422, text)
        assert.match(text, /"(?:host|range)_of_platform"/)
      }
    })
  )

  it.effect("is called by a user, with sound in both directions", () =>
    Effect.gen(function* () {
      const { farEnd, program } = yield* PbxWorld
      yield* settings({})
      const { id: number_id, number } = program.demo().number
      const forward_to = { type: "e164", value: numberOf("200") }
      const body = { forward_to }
      yield* Effect.orDie(program.ask(`/v1/numbers/${number_id}/routing`, { method: "PATCH", body }))
      const phones = yield* farEnd.tones
      const { id, refused_with } = yield* userCalls
      assert.isUndefined(refused_with)
      yield* talks(phones, id)
      assert.deepInclude(yield* newest, {
        kind: "chatapp",
        status: "completed",
        from: "+254799000001",
        to: number,
        hangup_source: "caller"
      })
      yield* allSettled
    }).pipe(Effect.scoped)
  )

  it.effect("calls a user who has permitted it and nobody else, with sound in both directions", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, program } = yield* PbxWorld
      const { graph, provider } = yield* ChatWorld
      const { number } = program.demo().number
      yield* settings({})
      const calls = (user: string) =>
        Effect.orDie(
          program.ask("/v1/calls/originate", {
            body: {
              to: `chatapp:${user}`,
              from: number,
              voice_callback_url: customer.voice(acts({ dial: { numbers: [numberOf("200")], timeout: 20 } }))
            }
          })
        )
      const refused = yield* calls(user)
      assert.strictEqual(refused.status, 422, refused.text)
      assert.include(refused.text, "chatapp_not_permitted")
      for (const each of [user, busy_user]) assert.strictEqual(yield* graph.permits(program.base_url, each), 200)
      const phones = yield* farEnd.tones
      const answering = yield* Effect.forkChild(provider.answers)
      const placed = yield* calls(user)
      assert.strictEqual(placed.status, 201, placed.text)
      const { from, id, to } = yield* Fiber.join(answering)
      assert.deepStrictEqual([from, to], [number, user])
      yield* talks(phones, id)
      const expected = { kind: "chatapp", from: number, direction: "outbound" } as const
      assert.deepInclude(yield* callUntil(placed.json<CallRecord>().id, isOver), {
        ...expected,
        status: "completed",
        to: user,
        hangup_source: "callee"
      })
      const busy = yield* calls(busy_user)
      assert.deepInclude(yield* callUntil(busy.json<CallRecord>().id, isOver), {
        ...expected,
        status: "busy",
        cost_minor: 0
      })
      yield* allSettled
    }).pipe(Effect.scoped)
  )

  it.effect("outside its hours lets a user hear that calls are not taken", () =>
    Effect.gen(function* () {
      const { provider } = yield* ChatWorld
      yield* settings({ call_hours: never })
      const { id, refused_with } = yield* userCalls
      assert.isDefined(refused_with)
      assert.isAbove((yield* provider.heard(id)).loud_ms, 300)
      assert.deepInclude(yield* newest, { kind: "chatapp", status: "busy", cost_minor: 0 })
      yield* allSettled
    })
  )

  it.effect("outside its hours takes a message, if the settings say so", () =>
    Effect.gen(function* () {
      const { provider } = yield* ChatWorld
      const voicemail = { ...initialSettings.voicemail, status: "ENABLED", triggers: ["outside_hours"] } as const
      yield* settings({ call_hours: never, voicemail })
      const { id, refused_with } = yield* userCalls
      assert.isUndefined(refused_with)
      yield* Effect.sleep("8 seconds")
      yield* provider.hangsUp(id)
      assert.isAbove((yield* provider.heard(id)).loud_ms, 300)
      const call = yield* newest
      assert.deepInclude(call, { kind: "chatapp", status: "completed" })
      assert.isAbove(amplitudeInWav(yield* recordingOf(call.id), spoken_hz), audible / 4)
      yield* allSettled
    })
  )

  it.effect("that takes no calls of the chat app lets none through", () =>
    Effect.gen(function* () {
      yield* settings({ status: "DISABLED" })
      assert.isDefined((yield* userCalls).refused_with)
      assert.deepInclude(yield* newest, { kind: "chatapp", status: "failed", cost_minor: 0 })
      yield* allSettled
    })
  )

  it.effect("takes calls again after Asterisk was restarted", () =>
    Effect.gen(function* () {
      const { asterisk } = yield* PbxWorld
      const { provider } = yield* ChatWorld
      yield* settings({})
      yield* asterisk.kill
      yield* asterisk.start
      const { id } = yield* until("answered call", userCalls, ({ refused_with }) => refused_with === undefined)
      yield* provider.hangsUp(id)
      assert.deepInclude(yield* newest, { kind: "chatapp", status: "completed" })
      yield* allSettled
    })
  )
})
