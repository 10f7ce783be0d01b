// The trunk of a chat app's provider through a real Asterisk: whether it is reached, who may call over it, and sound in
// both directions. The provider is a second Asterisk with a certificate. The engine is played by the test.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { join } from "node:path"
import { PlatformHosts } from "../../src/actors/pbx/PlatformHosts.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { type PbxTrunkId, toSessionId } from "../../src/domain/BrandedIds.ts"
import { GatewayCommands } from "../../src/domain/pbx/GatewayCommand.ts"
import type { PbxAction } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { byoNumberId } from "../../src/domain/numbers/ByoNumber.ts"
import type { DownCommand, TenantAction } from "../../src/domain/pbx/TenantCommand.ts"
import { RecordingSpool } from "../../src/domain/ports/calls/RecordingSpool.ts"
import { StreamHeaders } from "../../src/domain/ports/calls/StreamHeaders.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import * as LibPhoneNumber from "../../src/layers/numberplan/LibPhoneNumber.ts"
import { gatewayId, pbxTrunkId, workspaceId } from "../support/Ids.ts"
import { actors, workspace } from "../support/PbxWorld.ts"
import { RecordingIngest } from "../support/RecordingIngest.ts"
import { until, untilHolds } from "../support/Until.ts"
import { makeAuthority } from "./support/Authority.ts"
import {
  type BusinessNumber,
  busy_user,
  chat_app_host,
  makeChatAppProvider,
  spoken_hz,
  type UserCall
} from "./support/ChatAppProvider.ts"
import { gatewayTo } from "./support/GatewayTo.ts"
import { isEmpty, makePbxFor, numberOf, type Pbx, silence_seconds } from "./support/Pbx.ts"
import { folder } from "./support/Peers.ts"
import { obligingTls } from "./support/ObligingTls.ts"
import { rawSip, rawTls } from "./support/RawSip.ts"

const mine: BusinessNumber = { number: "+254711223344", password: "right" }
const theirs: BusinessNumber = { number: "+254711223355", password: "other" }
const user = "+254799000002"
/** What the phone behind the carrier speaks: the first one of `FarEnd.tones`. */
const phone_hz = 450
/** What nobody speaks. */
const absent_hz = 1_000
const audible = 2_000
const mine_trunk = pbxTrunkId("chatapp-mine.1")
const other_host = "127.0.0.5"

const put = (
  trunk_id: PbxTrunkId,
  { number, password }: BusinessNumber,
  place: { readonly host: string; readonly port: number }
): TenantAction => ({
  kind: "trunk.put",
  trunk_id,
  chatapp: { number, host: "sip.example.com" },
  target: {
    ...place,
    auth_mode: "digest",
    transport: "tls",
    allowed_ips: [],
    username: number.slice(1),
    password,
    max_channels: null,
    max_cps: null,
    codecs: ["opus", "PCMA", "PCMU"],
    dtmf: "rfc4733",
    srtp: "required",
    session_timer_seconds: 0,
    caller_id_format: "e164"
  }
})

const owned = (number: string) =>
  ({ id: byoNumberId(number), number, country: "KE", status: "active", outbound_per_min_minor: null }) as const
const directory = MemoryDirectory.layer({
  workspaces: [
    { ...workspace(workspaceId("w1"), "t1", gatewayId("g1")), numbers: [owned(mine.number)] },
    { ...workspace(workspaceId("w2"), "t2", gatewayId("g1")), numbers: [owned(theirs.number)] }
  ],
  rates: []
})

/** An engine without calls: it records what it is told, and sends the commands of a test. */
const makeEngine = Effect.fnUntraced(function* (pbx: Pbx) {
  const recorded = new RecordingIngest()
  const context = yield* Layer.build(
    gatewayTo(pbx).pipe(
      Layer.provide([directory, LibPhoneNumber.layer, PlatformHosts.none, RecordingSpool.none, StreamHeaders.none]),
      Layer.provideMerge(actors(yield* MemoryJournal.make)),
      Layer.provide(recorded.layer)
    )
  )
  const { ask } = Context.get(context, ActorSystem)
  let commands = 0
  const send = (command: DownCommand) => Effect.orDie(ask(GatewayCommands.Dispatch, gatewayId("g1"), { command }))
  const dispatch = (session: string, action: PbxAction) =>
    send({ id: `c${++commands}`, session_id: toSessionId(session), tenant_pbx_id: "t1", seq: commands, action })
  /** Waits until the command is carried out. To dispatch it again tells its state. */
  const provision = (about: string, action: TenantAction, tenant_pbx_id = "t1") =>
    Effect.suspend(() => {
      const command = { id: `c${++commands}`, about: `${about} ${commands}`, tenant_pbx_id, action }
      return until("end of a command", send(command), ({ status }) => status === "acknowledged")
    })
  /** Waits for an event. */
  const told = (what: string, wanted: (event: PbxEvent) => boolean, seen = 0) =>
    until(
      what,
      Effect.sync(() => recorded.events.slice(seen).find(wanted)),
      (event) => event !== undefined
    )
  const happens = (session: string, type: PbxEvent["type"]) =>
    told(`${session} ${type}`, (event) => event.session_id === session && event.type === type)
  /** Asks the provider of the trunk, and returns the next state that is reported. */
  const probed = (trunk_id: PbxTrunkId) =>
    Effect.gen(function* () {
      const seen = recorded.events.length
      yield* provision(trunk_id, { kind: "trunk.probe", trunk_id })
      const { data } = yield* told("state of a trunk", (event) => event.data.trunk_id === trunk_id, seen)
      return [data.reachable, data.reason]
    })
  return { recorded, dispatch, provision, told, happens, probed }
})

const make = Effect.gen(function* () {
  const home = yield* folder
  const authority = yield* makeAuthority(join(home, "ca"))
  const { certificate, key } = yield* authority.certifies("pbx", "IP:127.0.0.1")
  const pbx = yield* makePbxFor({
    silence_seconds,
    asterisk_env: { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_CA: authority.file }
  })
  const provider = yield* makeChatAppProvider(pbx.folder, authority)
  yield* provider.serves(mine)
  yield* provider.serves(theirs)
  const engine = yield* makeEngine(pbx)
  const trunk = { host: chat_app_host, port: provider.tls_port }
  yield* engine.provision("mine", put(mine_trunk, mine, trunk))
  yield* engine.provision("theirs", put(pbxTrunkId("chatapp-theirs.1"), theirs, trunk), "t2")
  return { home, authority, pbx, provider, engine }
})
class World extends Context.Service<World, Effect.Success<typeof make>>()("test/World") {
  static readonly layer = Layer.effect(this, make)
}

/** Connects the call with a phone behind the carrier, and returns what each hears of the other: amplitudes. */
const talk = (session: string, channel: string) =>
  Effect.gen(function* () {
    const { engine, pbx, provider } = yield* World
    const phones = yield* pbx.farEnd.tones
    const phone = `HD_phone_${session}`
    yield* engine.dispatch(phone, {
      kind: "originate",
      to: numberOf("200"),
      from: mine.number,
      caller_id: mine.number,
      timeout_seconds: 20
    })
    yield* engine.happens(phone, "leg.answered")
    yield* engine.dispatch(session, { kind: "bridge", peer_session_id: toSessionId(phone) })
    yield* untilHolds("tone of the user at the phone", () => phones.amplitude(0, spoken_hz) > audible)
    yield* Effect.sleep("3 seconds")
    const at_phone = [phones.amplitude(0, spoken_hz), phones.amplitude(0, absent_hz)]
    const { amplitude } = yield* provider.heard(channel)
    const at_user = [amplitude(phone_hz), amplitude(absent_hz)]
    for (const each of [session, phone]) yield* engine.dispatch(each, { kind: "hangup", cause: "normal_clearing" })
    yield* engine.happens(session, "leg.hangup")
    yield* isEmpty(pbx)
    return { at_phone, at_user }
  }).pipe(Effect.scoped)

const hear = ({ at_phone, at_user }: Effect.Success<ReturnType<typeof talk>>) => {
  for (const [[tone, other], least] of [
    [at_phone, audible],
    // What the user heard begins with the silence before they were connected.
    [at_user, audible / 4]
  ] as const) {
    assert.isAbove(tone!, least)
    assert.isBelow(other!, least / 4)
  }
}

const calls = (session: string, to: string): [string, PbxAction] => [
  session,
  {
    kind: "originate",
    to,
    from: mine.number,
    caller_id: mine.number,
    trunk_id: mine_trunk,
    network: "chatapp",
    timeout_seconds: 20
  }
]

layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("a chat app's trunk", (it) => {
  it.effect("is reached while the provider answers, is not while it is away, and is again when it is back", () =>
    Effect.gen(function* () {
      const { engine, provider } = yield* World
      assert.deepStrictEqual(yield* engine.probed(mine_trunk), [true, undefined])
      yield* provider.vanishes
      yield* engine
        .told("trunk that is not reached", ({ data }) => data.trunk_id === mine_trunk && data.reachable === false)
        .pipe(Effect.race(Effect.forever(engine.probed(mine_trunk))))
      yield* engine.dispatch(...calls("HD_away", user))
      assert.deepInclude((yield* engine.happens("HD_away", "leg.hangup")).data, { sip_code: 503 })
      yield* provider.returns
      assert.deepStrictEqual(yield* engine.probed(mine_trunk), [true, undefined])
    })
  )

  it.effect("is not reached at a host whose certificate has another name or another issuer", () =>
    Effect.gen(function* () {
      const { authority, engine, home } = yield* World
      const stranger = yield* makeAuthority(join(home, "ca"), "stranger")
      const rows = [
        [yield* authority.certifies("right", `IP:${other_host}`), [true, undefined]],
        [yield* authority.certifies("wrong", "DNS:other.example.com"), [false, "certificate_name"]],
        [yield* stranger.certifies("unknown", `IP:${other_host}`), [false, "certificate_untrusted"]]
      ] as const
      for (const [at, [certificate, state]] of rows.entries()) {
        const place = yield* obligingTls({ host: other_host }, certificate)
        const trunk_id = pbxTrunkId(`chatapp-certificate.${at}`)
        yield* engine.provision("certificate", put(trunk_id, { number: `+25471122336${at}`, password: "p" }, place))
        assert.deepStrictEqual(yield* engine.probed(trunk_id), [...state])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("carries a call to a user, with sound in both directions", () =>
    Effect.gen(function* () {
      const { engine, provider } = yield* World
      const answering = yield* Effect.forkChild(provider.answers)
      yield* engine.dispatch(...calls("HD_out", user))
      const { from, id, to } = yield* Fiber.join(answering)
      assert.deepStrictEqual([from, to], [mine.number, user])
      yield* engine.happens("HD_out", "leg.answered")
      hear(yield* talk("HD_out", id))
    })
  )

  it.effect("carries a call of a user, with sound in both directions", () =>
    Effect.gen(function* () {
      const { engine, pbx, provider } = yield* World
      const calling = yield* Effect.forkChild(
        provider.calls({ to: mine.number, as: mine, sip_port: pbx.asterisk.sip_port })
      )
      const { data, direction, from, session_id, tenant_pbx_id, to } = yield* engine.told(
        "call of a user",
        ({ data }) => data.network !== undefined
      )
      assert.deepStrictEqual(
        { data, direction, from, to, tenant_pbx_id },
        {
          data: { network: "chatapp", trunk_id: mine_trunk, transport: "tls" },
          direction: "inbound",
          from: "+254799000001",
          to: mine.number,
          tenant_pbx_id: "t1"
        }
      )
      yield* engine.dispatch(session_id!, { kind: "answer" })
      const { id, refused_with } = yield* Fiber.join(calling)
      assert.isUndefined(refused_with)
      hear(yield* talk(session_id!, id))
    })
  )

  it.effect("reports the refusal of a user", () =>
    Effect.gen(function* () {
      const { engine } = yield* World
      yield* engine.dispatch(...calls("HD_busy", busy_user))
      assert.deepInclude((yield* engine.happens("HD_busy", "leg.hangup")).data, { sip_code: 486 })
    })
  )

  it.effect("takes no call without the number's password, for another number, or without TLS", () =>
    Effect.gen(function* () {
      const { engine, pbx, provider } = yield* World
      const { sip_port } = pbx.asterisk
      const seen = engine.recorded.events.length
      const uri = `sip:${mine.number}@127.0.0.1:${sip_port}`
      for (const host of ["127.0.0.9", chat_app_host]) {
        const agent = yield* rawSip({ host }, sip_port)
        for (const name of ["+254799000001", "254711223344", "trunk-chatapp-mine.1"])
          assert.strictEqual(yield* agent.invites({ uri, from: `<sip:${name}@${chat_app_host}>` }), 401)
      }
      const rows: ReadonlyArray<readonly [Omit<UserCall, "sip_port">, number]> = [
        [{ to: mine.number, as: { ...mine, password: "wrong" } }, 401],
        [{ to: mine.number, as: { ...mine, number: "+254711229999" } }, 401],
        [{ to: mine.number, as: theirs }, 404],
        [{ to: theirs.number, as: mine }, 404],
        [{ to: "+254711229999", as: mine }, 404],
        [{ to: mine.number, as: mine, transport: "udp" }, 404]
      ]
      for (const [call, status] of rows)
        assert.strictEqual((yield* provider.calls({ ...call, sip_port })).refused_with, status, JSON.stringify(call))
      assert.deepStrictEqual(
        engine.recorded.events.slice(seen).filter(({ type }) => type !== "trunk.state" && type !== "heartbeat"),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is not what a call of the carrier to the number comes over", () =>
    Effect.gen(function* () {
      const { engine, pbx } = yield* World
      const { sip_port } = pbx.asterisk
      const seen = engine.recorded.events.length
      const carrier = yield* rawSip({ host: pbx.caller_host }, sip_port)
      const uri = `sip:${mine.number}@127.0.0.1:${sip_port}`
      const calling = yield* Effect.forkChild(carrier.invites({ uri, from: `<sip:+254799000001@${chat_app_host}>` }))
      const { data, session_id } = yield* engine.told("call", ({ type }) => type === "session.created", seen)
      assert.deepStrictEqual(data, {})
      yield* engine.dispatch(session_id!, { kind: "reject", sip_code: 486 })
      assert.strictEqual(yield* Fiber.join(calling), 486)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on when many calls of its provider are refused, after which a stranger would be blocked", () =>
    Effect.gen(function* () {
      const { engine, pbx, provider } = yield* World
      const { sip_port } = pbx.asterisk
      const uri = `sip:+254711229999@127.0.0.1:${sip_port + 1};transport=tls`
      /** Calls again and again, a little apart. Returns the responses that are not a challenge. */
      const floods = (host: string) =>
        Effect.gen(function* () {
          const agent = yield* rawTls(host, sip_port + 1)
          const refused: Array<number> = []
          for (let n = 0; n < 100 && refused.length === 0; n++) {
            const status = yield* agent.invites({ uri, from: `<sip:+254799000001@${host}>` })
            if (status !== 401) refused.push(status)
            yield* Effect.sleep("20 millis")
          }
          return refused
        }).pipe(Effect.scoped)
      assert.deepStrictEqual(yield* floods("127.0.0.6"), [403])
      assert.deepStrictEqual(yield* floods(chat_app_host), [])
      const seen = engine.recorded.events.length
      const calling = yield* Effect.forkChild(provider.calls({ to: mine.number, as: mine, sip_port }))
      const { session_id } = yield* engine.told("call of a user", ({ data }) => data.network !== undefined, seen)
      yield* engine.dispatch(session_id!, { kind: "reject", sip_code: 486 })
      assert.strictEqual((yield* Fiber.join(calling)).refused_with, 486)
    })
  )
})
