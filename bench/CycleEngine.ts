// The engine under measurement: its real actors on the real journal, with phones that answer at once and a callback
// that hangs up. Only the customer's side of HTTP is left out; bench/http.ts measures that.
import * as PgWalletReads from "../src/layers/postgres/reads/WalletReads.ts"
import { WalletCommands } from "../src/domain/wallet/WalletCommand.ts"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { SandboxCalls } from "../src/domain/ports/calls/SandboxCalls.ts"
import { Legs } from "../src/actors/calls/Legs.ts"
import { callCore } from "../src/actors/core/CallCore.ts"
import { SipHosts } from "../src/actors/calls/SipHosts.ts"
import { ActorSystem } from "../src/actors/runtime/ActorSystem.ts"
import { systemOrigin } from "../src/domain/access/Origin.ts"
import * as LocalSystem from "../src/actors/runtime/LocalSystem.ts"
import type { VoiceAction } from "../src/domain/calls/verbs/VoiceAction.ts"
import { Journal } from "../src/domain/ports/engine/Journal.ts"
import { StreamHeaders } from "../src/domain/ports/calls/StreamHeaders.ts"
import { VoiceCallback } from "../src/domain/ports/calls/VoiceCallback.ts"
import * as SystemIds from "../src/layers/ids/SystemIds.ts"
import { memorySettings } from "../src/layers/memory/MemorySettings.ts"
import * as MemoryDirectory from "../src/layers/memory/MemoryDirectory.ts"
import * as LibPhoneNumber from "../src/layers/numberplan/LibPhoneNumber.ts"
import { type Phone, instant } from "../src/layers/pbx/simulator/Phones.ts"
import { PbxSimulator } from "../src/layers/pbx/simulator/PbxSimulator.ts"
import * as PgCharges from "../src/layers/postgres/reads/Charges.ts"
import * as CallReads from "../src/layers/postgres/calls/CallReads.ts"
import * as PgStorageReads from "../src/layers/postgres/reads/StorageReads.ts"
import { MemoryRecordings } from "../src/layers/recordings/MemoryRecordings.ts"
import * as PgLiveCalls from "../src/layers/postgres/calls/PgLiveCalls.ts"
import * as PostgresJournal from "../src/layers/postgres/journal/Journal.ts"
import { workspaceId } from "../test/support/Ids.ts"
import { type CallId, type NumberId, toCallId, toGatewayId, toNumberId } from "../src/domain/BrandedIds.ts"

export interface Tenant {
  readonly id: string
  readonly number: string
  readonly number_id: NumberId
}

export const tenants = (count: number): ReadonlyArray<Tenant> =>
  Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    number: `+2547000${String(index).padStart(5, "0")}`,
    number_id: toNumberId(randomUUID())
  }))

const directoryOf = (all: ReadonlyArray<Tenant>): MemoryDirectory.DirectoryData => ({
  workspaces: all.map(({ id, number, number_id }): MemoryDirectory.WorkspaceData => ({
    id: workspaceId(id),
    name: "Bench",
    status: "active",
    currency: "KES",
    tenant_pbx_id: id,
    gateway_id: toGatewayId("default"),
    voice_secret: "",
    calling_policy: {
      max_concurrent_calls: 1_000_000,
      calls_per_second: 1_000_000,
      max_calls_per_destination_per_hour: null
    },
    numbers: [{ id: number_id, number, status: "active", country: "KE", outbound_per_min_minor: 300 }]
  })),
  rates: [{ prefix: "254", per_min_minor: 300, class: "normal", currency: "KES" }]
})

/** Is called for each call whose `completed` is stored. */
export const completions = new Map<string, () => void>()

/** The journal, with a listener for completed calls. */
const watched = Layer.effect(
  Journal,
  Effect.map(Journal, (journal) =>
    Journal.of({
      ...journal,
      append: (entry, done) =>
        journal.append(entry, (outcome) => {
          done(outcome)
          if (entry.events?.some(({ kind }) => kind === "call.completed") === true) {
            completions.get(entry.actor_id)?.()
            completions.delete(entry.actor_id)
          }
        })
    })
  )
).pipe(Layer.provide(PostgresJournal.layer))

const hangUp: ReadonlyArray<VoiceAction> = [{ hangup: {} }]

export interface CycleOptions {
  readonly tenants: ReadonlyArray<Tenant>
  /** Default: all phones answer at once. */
  readonly phones?: (to: string) => Phone
  /** The actions for every call. Default: hang up. */
  readonly actions?: ReadonlyArray<VoiceAction>
  readonly callback?: VoiceCallback["Service"]["ask"]
}

export const cycleEngine = (options: CycleOptions) => {
  const ports = Layer.mergeAll(
    watched,
    memorySettings,
    SystemIds.layer,
    MemoryDirectory.layer(directoryOf(options.tenants)),
    PgCharges.layer,
    PgWalletReads.layer,
    PgStorageReads.layer,
    PgLiveCalls.layer,
    CallReads.layer,
    LibPhoneNumber.layer,
    StreamHeaders.none,
    SandboxCalls.none,
    SipHosts.local,
    new MemoryRecordings().layer,
    Layer.succeed(VoiceCallback)({ ask: options.callback ?? (() => Effect.succeed(options.actions ?? hangUp)) })
  )
  return PbxSimulator.layer({ gateway_id: toGatewayId("default"), phones: options.phones ?? (() => instant) }).pipe(
    Layer.provideMerge(callCore),
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(ports)
  )
}

/**
 * Stores the tenants, opens their wallets with enough money, and gives each a subscription that stores every
 * `call.completed`.
 */
export const fund = Effect.fnUntraced(function* (all: ReadonlyArray<Tenant>) {
  const system = yield* ActorSystem
  const sql = yield* PgClient.PgClient
  yield* Effect.forEach(
    all,
    ({ id }) =>
      Effect.gen(function* () {
        // Alerts of a burst of calls are written to the audit log of a workspace that must exist.
        yield* sql`
          INSERT INTO workspaces ${sql.insert({
            id,
            name: "Bench",
            tenant_pbx_id: id,
            gateway_id: "default",
            voice_secret: "",
            created_at: new Date(),
            version: 1,
            state: "{}"
          })}`
        yield* system.ask(WalletCommands.Open, workspaceId(id), { currency: "KES" })
        yield* system.ask(WalletCommands.Credit, workspaceId(id), {
          entry_id: randomUUID(),
          kind: "manual_credit",
          amount_minor: 1_000_000_000_000,
          reference_type: "adjustment",
          reference_id: randomUUID(),
          description: "Bench",
          origin: systemOrigin
        })
        yield* sql`
        INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
        VALUES (${randomUUID()}::uuid, ${id}::uuid, 1, '{}', 'active', ARRAY['call.completed'], ARRAY[]::text[], now())`
      }),
    { concurrency: 32 }
  )
})

/** Places one call and waits until it is completed, charged and published. */
export const cycle = (tenant: Tenant) =>
  Effect.flatMap(Legs, (legs) => {
    const id = toCallId(nextId())
    const over = Effect.callback<void>((resume) => {
      completions.set(id, () => resume(Effect.void))
    })
    return Effect.andThen(legs.place(legOf(tenant, id)), over)
  })

/** UUIDs of version 7, like the engine's: they are ordered by time, so they touch few pages of an index. */
const nextId = (): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

export const legOf = (tenant: Tenant, id: CallId = toCallId(nextId())) => ({
  id,
  kind: "api" as const,
  workspace_id: workspaceId(tenant.id),
  from: tenant.number,
  to: "+254722000000",
  caller_id: null,
  timeout_seconds: 30,
  max_duration_seconds: 14_400,
  voice_callback_url: "https://app.example/voice",
  voice_fallback_url: null,
  metadata: {},
  client_reference: null,
  parent_call_id: null,
  parent_session_id: null
})
