import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { CredentialsActor } from "../../../src/actors/credentials/CredentialsActor.ts"
import { passwordPlace } from "../../../src/actors/credentials/CredentialSecrets.ts"
import * as PerformCredentials from "../../../src/actors/credentials/PerformCredentials.ts"
import * as GatewayActor from "../../../src/actors/pbx/GatewayActor.ts"
import { InboundCalls } from "../../../src/actors/ingest/InboundCalls.ts"
import { RecordingSpool } from "../../../src/domain/ports/RecordingSpool.ts"
import { PbxIngest } from "../../../src/actors/ingest/PbxIngest.ts"
import { TenantEvents } from "../../../src/actors/ingest/TenantEvents.ts"
import { TenantResync } from "../../../src/actors/pbx/TenantResync.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { sealContext } from "../../../src/actors/shared/SealedResponse.ts"
import { TrunkHostRefused, TrunkHosts } from "../../../src/actors/trunks/TrunkHosts.ts"
import * as PerformTrunk from "../../../src/actors/trunks/PerformTrunk.ts"
import { TrunkActor } from "../../../src/actors/trunks/TrunkActor.ts"
import * as WorkspaceActor from "../../../src/actors/workspace/WorkspaceActor.ts"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import { GatewayTenants } from "../../../src/domain/ports/GatewayTenants.ts"
import { Registrations } from "../../../src/domain/ports/Registrations.ts"
import type { CredentialsMessage } from "../../../src/domain/credentials/CredentialCommand.ts"
import type { TrunkMessage } from "../../../src/domain/trunks/TrunkCommand.ts"
import type { TrunkRecord } from "../../../src/domain/trunks/TrunkRecord.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { AesVault, makeVault } from "../../../src/layers/keyring/AesVault.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import { PbxSimulator } from "../../../src/layers/pbx/simulator/PbxSimulator.ts"
import { liveCalls } from "../../support/PbxWorld.ts"
import { credentialId, gatewayId, numberId, trunkId, userId, workspaceId } from "../../support/Ids.ts"
import type { CredentialId } from "../../../src/domain/BrandedIds.ts"

const id = workspaceId("w1")
const master = new Uint8Array(32).fill(5)
const vault = makeVault([master])

const directory = MemoryDirectory.layer({
  workspaces: [
    {
      id,
      name: "W",
      status: "active",
      currency: "KES",
      tenant_pbx_id: "t1",
      gateway_id: gatewayId("g1"),
      voice_secret: "",
      numbers: []
    }
  ],
  rates: []
})

/** One engine on the journal, with its PBX. */
const engine = (memory: MemoryJournal, hosts = TrunkHosts.none) =>
  Effect.gen(function* () {
    const ports = Layer.mergeAll(
      memory.layer,
      SystemIds.layer,
      directory,
      AesVault(master),
      liveCalls,
      Layer.succeed(GatewayTenants)({
        carried: () => Effect.succeed(1),
        all: Effect.succeed([]),
        provisioned: () => Effect.succeed([id])
      }),
      Layer.succeed(Registrations)({ note: () => Effect.void })
    )
    const actors = Layer.mergeAll(
      PerformCredentials.layer,
      PerformTrunk.layer.pipe(Layer.provide(hosts)),
      Layer.effectDiscard(
        Effect.flatMap(ActorSystem, ({ register }) => register(WorkspaceActor.WorkspaceActor, () => Effect.void))
      ),
      GatewayActor.layer.pipe(Layer.provide(TenantResync.layer))
    ).pipe(Layer.provideMerge(LocalSystem.layer), Layer.provideMerge(ports))
    const started = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(
      Layer.provideMerge(actors)
    )
    const ingest = PbxIngest.layer.pipe(Layer.provide([TenantEvents.layer, InboundCalls.none]))
    const context = yield* Layer.build(
      PbxSimulator.layer({ gateway_id: gatewayId("g1") }).pipe(
        Layer.provide([ingest, RecordingSpool.none]),
        Layer.provideMerge(started)
      )
    )
    return yield* Effect.provideContext(
      Effect.gen(function* () {
        const system = yield* ActorSystem
        const { connect, disconnect, registry } = yield* PbxSimulator
        return {
          registry,
          connect,
          disconnect,
          credentials: <const M extends CredentialsMessage>(message: M) => system.ask(CredentialsActor, id, message),
          trunk: <T extends TrunkMessage["_tag"]>(message: { readonly _tag: T } & TrunkMessage<T>) =>
            system.ask(TrunkActor, id, message),
          workspace: (command: Parameters<typeof WorkspaceActor.WorkspaceActor.decide>[1]) =>
            system.ask(WorkspaceActor.WorkspaceActor, id, command),
          pass: (seconds: number) =>
            Effect.gen(function* () {
              for (let step = 0; step < seconds * 2; step++)
                yield* Effect.andThen(TestClock.adjust("500 millis"), system.drain)
            })
        }
      }),
      context
    )
  })

const sealed = (credential_id: CredentialId, password: string) =>
  vault.seal(password, sealContext(passwordPlace, credential_id, id))
const propose = (credential_id: CredentialId) =>
  ({
    _tag: "Propose",
    credential: {
      id: credential_id,
      number_id: numberId("n"),
      number: "+254700000001",
      extension: "1001",
      username: `1001-${credential_id}`,
      label: null,
      display_name: null,
      max_contacts: 3,
      password: sealed(credential_id, "first")
    }
  }) as const
const seen = { domain: "d", registrations: [], last_registered_at: null }

describe("credentials", () => {
  it.effect(
    "that were proposed by an engine that died are taken off the PBX by the next, and their extension is free",
    () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const first = yield* Scope.make()
        const dying = yield* Scope.provide(engine(memory), first)
        yield* dying.credentials(propose(credentialId("a")))
        yield* dying.credentials(propose(credentialId("b"))).pipe(
          Effect.flip,
          Effect.map(({ _tag }) => assert.strictEqual(_tag, "numbers.extension_taken"))
        )
        memory.crash()
        yield* Scope.close(first, Exit.void)
        const { credentials, pass, registry } = yield* engine(memory)
        registry.users.set(credentialId("a"), { tenant_pbx_id: "acme", username: "1001-a", passwords: ["first"] })
        yield* pass(20)
        assert.isFalse(registry.users.has(credentialId("a")))
        assert.deepStrictEqual(yield* credentials(propose(credentialId("b"))), { revision: 1 })
      })
  )

  it.effect("whose rotation was never confirmed keep the password that they had", () =>
    Effect.gen(function* () {
      const { credentials, pass, registry } = yield* engine(yield* MemoryJournal.make)
      yield* credentials(propose(credentialId("a")))
      yield* credentials({ _tag: "Confirm", id: credentialId("a"), revision: 1, origin, seen })
      yield* credentials({
        _tag: "ProposeRotation",
        number_id: numberId("n"),
        id: credentialId("a"),
        password: sealed(credentialId("a"), "second"),
        grace_seconds: 0
      })
      registry.users.set(credentialId("a"), { tenant_pbx_id: "acme", username: "1001-a", passwords: ["second"] })
      yield* pass(20)
      assert.deepStrictEqual(registry.users.get(credentialId("a"))?.passwords, ["first"])
    })
  )

  it.effect("that are revoked while the PBX is away are taken off when it is back, across a crash of the engine", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const first = yield* Scope.make()
      const dying = yield* Scope.provide(engine(memory), first)
      yield* dying.credentials(propose(credentialId("a")))
      yield* dying.credentials({ _tag: "Confirm", id: credentialId("a"), revision: 1, origin, seen })
      yield* dying.pass(1)
      yield* dying.disconnect
      yield* dying.credentials({ _tag: "Revoke", number_id: numberId("n"), id: credentialId("a"), origin, seen })
      memory.crash()
      yield* Scope.close(first, Exit.void)
      const { disconnect, connect, pass, registry } = yield* engine(memory)
      yield* disconnect
      registry.users.set(credentialId("a"), { tenant_pbx_id: "acme", username: "1001-a", passwords: ["first"] })
      yield* pass(5)
      assert.isTrue(registry.users.has(credentialId("a")))
      yield* connect
      yield* pass(5)
      assert.isFalse(registry.users.has(credentialId("a")))
    })
  )
})

const definition = {
  auth_mode: "digest",
  host: "sip.example.com",
  port: 5060,
  transport: "udp",
  allowed_ips: [],
  username: "u",
  password: null,
  realm: null,
  expires_seconds: null,
  contact_email: null,
  label: null,
  max_channels: 30,
  max_cps: 5,
  codecs: ["PCMA"],
  dtmf: "rfc4733",
  srtp: "off",
  session_timer_seconds: 1800,
  caller_id_format: "e164"
} as const

const onboarded = (memory: MemoryJournal, hosts = TrunkHosts.none) =>
  Effect.tap(engine(memory, hosts), ({ workspace }) =>
    workspace({
      _tag: "Onboard",
      name: "W",
      currency: "KES",
      tenant_pbx_id: "t1",
      gateway_id: gatewayId("g1"),
      voice_secret: "s",
      owner: { user_id: userId("u"), email: "u@example.com" }
    })
  )

const kinds = ({ tables }: MemoryJournal) =>
  tables.events.map(({ kind }) => kind).filter((kind) => kind.startsWith("sip_trunk"))

const shown = (engine: Effect.Success<ReturnType<typeof onboarded>>): Effect.Effect<TrunkRecord, unknown> =>
  Effect.map(engine.trunk({ _tag: "Get" }), ({ record }) => record)

const make = (host: string, change: Partial<TrunkMessage<"Create">["definition"]> = {}): TrunkMessage<"Create"> => ({
  _tag: "Create",
  id: trunkId("t"),
  definition: { ...definition, host, ...change },
  locked: false,
  origin
})

describe("a trunk", () => {
  it.effect("that never answers is probed five times, and fails within a minute", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const own = yield* onboarded(memory)
      yield* own.trunk(make("silent.example.com"))
      yield* own.pass(55)
      assert.strictEqual((yield* shown(own)).status, "pending")
      yield* own.pass(10)
      assert.deepInclude(yield* shown(own), { status: "failed", status_reason: "unreachable" })
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.failed"])
      assert.deepStrictEqual([...own.registry.trunks.keys()], [])
    })
  )

  it.effect("that answers late becomes active all the same", () =>
    Effect.gen(function* () {
      const own = yield* onboarded(yield* MemoryJournal.make)
      own.registry.silent.add("late.example.com")
      yield* own.trunk(make("late.example.com"))
      yield* own.pass(30)
      own.registry.silent.clear()
      yield* own.pass(15)
      assert.strictEqual((yield* shown(own)).status, "active")
    })
  )

  it.effect("that serves and falls silent is told of after a quarter of an hour, and once it is back", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const own = yield* onboarded(memory)
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(5)
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active"])
      own.registry.silent.add("sip.example.com")
      yield* own.pass(14 * 60)
      assert.deepInclude((yield* shown(own)).health, { reachable: false, last_sip_code: 408 })
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active"])
      yield* own.pass(3 * 60)
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active", "sip_trunk.unreachable"])
      assert.strictEqual((yield* shown(own)).status, "active")
      own.registry.silent.clear()
      yield* own.pass(70)
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active", "sip_trunk.unreachable", "sip_trunk.recovered"])
      assert.isTrue((yield* shown(own)).health.reachable)
    })
  )

  it.effect("waits for a PBX that is away", () =>
    Effect.gen(function* () {
      const own = yield* onboarded(yield* MemoryJournal.make)
      yield* own.disconnect
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(120)
      assert.strictEqual((yield* shown(own)).status, "pending")
      yield* own.connect
      yield* own.pass(10)
      assert.strictEqual((yield* shown(own)).status, "active")
    })
  )

  it.effect("goes on becoming active in the next engine when one has died", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const first = yield* Scope.make()
      const dying = yield* Scope.provide(onboarded(memory), first)
      yield* dying.trunk(make("sip.example.com"))
      memory.crash()
      yield* Scope.close(first, Exit.void)
      const own = yield* engine(memory)
      yield* own.pass(30)
      assert.strictEqual((yield* shown(own)).status, "active")
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active"])
    })
  )
})

describe("a trunk while it serves", () => {
  it.effect("that registers shows until when, and one that does not shows nothing", () =>
    Effect.gen(function* () {
      const own = yield* onboarded(yield* MemoryJournal.make)
      yield* own.trunk(make("sip.example.com", { auth_mode: "registration", expires_seconds: 600 }))
      yield* own.pass(5)
      const { last_checked_at, registered_until } = (yield* shown(own)).health
      assert.strictEqual(Date.parse(registered_until!) - Date.parse(last_checked_at!), 600_000)
      own.registry.silent.add("sip.example.com")
      yield* own.pass(70)
      assert.deepInclude((yield* shown(own)).health, { reachable: false, registered_until: null })
      own.registry.silent.clear()

      const other = yield* onboarded(yield* MemoryJournal.make)
      yield* other.trunk(make("sip.example.com"))
      yield* other.pass(5)
      assert.deepInclude((yield* shown(other)).health, { reachable: true, registered_until: null })
    })
  )

  it.effect("is taken off the PBX while its name has an address that is not public, and put back afterwards", () =>
    Effect.gen(function* () {
      const name: { refused: "not_public" | "unknown" | undefined } = { refused: undefined }
      const hosts = Layer.succeed(TrunkHosts, {
        resolve: () =>
          Effect.suspend(() =>
            name.refused === undefined
              ? Effect.succeed(["8.8.8.8"])
              : Effect.fail(new TrunkHostRefused({ reason: name.refused }))
          )
      })
      const own = yield* onboarded(yield* MemoryJournal.make, hosts)
      const onPbx = (): ReadonlyArray<string> => [...own.registry.trunks.keys()]
      yield* own.trunk(make("sip.example.com", { transport: "tls" }))
      yield* own.pass(5)
      assert.strictEqual((yield* shown(own)).status, "active")
      assert.deepStrictEqual(onPbx(), ["t.1"])
      for (const [refused, left] of [
        ["unknown", ["t.1"]],
        ["not_public", []]
      ] as const) {
        name.refused = refused
        yield* own.pass(130)
        assert.deepInclude((yield* shown(own)).health, { reachable: false, last_sip_code: null })
        assert.deepStrictEqual(onPbx(), [...left])
      }
      name.refused = undefined
      yield* own.pass(70)
      assert.deepStrictEqual(onPbx(), ["t.1"])
      assert.deepInclude((yield* shown(own)).health, { reachable: true })
    })
  )
})
