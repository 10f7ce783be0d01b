// An engine with credentials, trunks and a simulated PBX, on a journal in memory and the test's clock.
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CredentialsActor } from "../../src/actors/credentials/CredentialsActor.ts"
import * as PerformCredentials from "../../src/actors/credentials/PerformCredentials.ts"
import * as GatewayActor from "../../src/actors/pbx/GatewayActor.ts"
import { InboundCalls } from "../../src/actors/ingest/InboundCalls.ts"
import { RecordingSpool } from "../../src/domain/ports/calls/RecordingSpool.ts"
import { PbxIngest } from "../../src/actors/ingest/PbxIngest.ts"
import { TenantEvents } from "../../src/actors/ingest/TenantEvents.ts"
import { SipTargets } from "../../src/actors/pbx/SipTargets.ts"
import { TenantResync } from "../../src/actors/pbx/TenantResync.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import * as PerformTrunk from "../../src/actors/trunks/PerformTrunk.ts"
import { TrunkActor } from "../../src/actors/trunks/TrunkActor.ts"
import * as WorkspaceActor from "../../src/actors/workspace/WorkspaceActor.ts"
import { systemOrigin as origin } from "../../src/domain/access/Origin.ts"
import { GatewayTenants } from "../../src/domain/ports/pbx/GatewayTenants.ts"
import { Registrations } from "../../src/domain/ports/pbx/Registrations.ts"
import type { HostVerdict } from "../../src/domain/targets/HostCheck.ts"
import type { CredentialsMessage } from "../../src/domain/credentials/CredentialCommand.ts"
import type { TrunkMessage } from "../../src/domain/trunks/TrunkCommand.ts"
import type { TrunkRecord } from "../../src/domain/trunks/TrunkRecord.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { AesVault, makeVault } from "../../src/layers/keyring/AesVault.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import { PbxSimulator } from "../../src/layers/pbx/simulator/PbxSimulator.ts"
import { liveCalls } from "./PbxWorld.ts"
import { gatewayId, trunkId, userId, workspaceId } from "./Ids.ts"

export const id = workspaceId("w1")
const master = new Uint8Array(32).fill(5)
export const vault = makeVault([master])

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
export const engine = (memory: MemoryJournal, hosts: Layer.Layer<SipTargets> = SipTargets.any) =>
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
        provisioned: () => Effect.succeed([id]),
        chatAppNumbers: () => Effect.succeed([])
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

export const onboarded = (memory: MemoryJournal, hosts: Layer.Layer<SipTargets> = SipTargets.any) =>
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

export const kinds = ({ tables }: MemoryJournal) =>
  tables.events.map(({ kind }) => kind).filter((kind) => kind.startsWith("sip_trunk"))

export const shown = (engine: Effect.Success<ReturnType<typeof onboarded>>): Effect.Effect<TrunkRecord, unknown> =>
  Effect.map(engine.trunk({ _tag: "Get" }), ({ record }) => record)

export const make = (
  host: string,
  change: Partial<TrunkMessage<"Create">["definition"]> = {}
): TrunkMessage<"Create"> => ({
  _tag: "Create",
  id: trunkId("t"),
  definition: { ...definition, host, ...change },
  locked: false,
  origin
})

/** Judges every host so, at one address. */
export const judging = (name: { readonly verdict: HostVerdict }) =>
  Layer.succeed(SipTargets, {
    refresh: Effect.void,
    judge: () =>
      Effect.sync(() => ({
        addresses: name.verdict === "unknown" ? [] : ["8.8.8.8"],
        host: name.verdict,
        ranges: []
      }))
  })
