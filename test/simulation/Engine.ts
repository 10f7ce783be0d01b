// One process of the cluster: the engine's own layers on simulated ports. It starts in its process and dies with it.
import { type Context, Effect, Layer, Scope } from "effect"
import { CallWebhooks } from "../../src/actors/calls/CallWebhooks.ts"
import { callActors, callEntries, callServices } from "../../src/actors/core/CallArea.ts"
import { startActors } from "../../src/actors/core/StartActors.ts"
import { moneyActors } from "../../src/actors/core/MoneyArea.ts"
import { SipHosts } from "../../src/actors/calls/SipHosts.ts"
import * as PerformChatApp from "../../src/actors/chatapp/PerformChatApp.ts"
import * as PerformCredentials from "../../src/actors/credentials/PerformCredentials.ts"
import { Numbers } from "../../src/actors/numbers/Numbers.ts"
import * as PerformNumber from "../../src/actors/numbers/PerformNumber.ts"
import { StorageTiers } from "../../src/actors/storage/StorageTiers.ts"
import * as PerformWorkspace from "../../src/actors/workspace/PerformWorkspace.ts"
import { SandboxCalls } from "../../src/domain/ports/calls/SandboxCalls.ts"
import { NumberReads } from "../../src/domain/ports/numbers/NumberReads.ts"
import { TenantEvents } from "../../src/actors/ingest/TenantEvents.ts"
import { NotifyAdmins } from "../../src/actors/mail/NotifyAdmins.ts"
import { TenantResync } from "../../src/actors/pbx/TenantResync.ts"
import type { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { PaymentNotices } from "../../src/actors/ingest/PaymentNotices.ts"
import * as ReconciliationActor from "../../src/actors/topups/ReconciliationActor.ts"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import { ReadFailed } from "../../src/domain/errors/ReadFailed.ts"
import { Idempotency } from "../../src/domain/ports/access/Idempotency.ts"
import { MobileMoneyNotices } from "../../src/domain/ports/money/MobileMoneyNotices.ts"
import { CardPayments, MobileMoney, type MobileMoneyProvider } from "../../src/domain/ports/money/PaymentProvider.ts"
import { TopUpLimitTable } from "../../src/domain/ports/money/TopUpLimitTable.ts"
import { TopUpReads } from "../../src/domain/ports/money/TopUpReads.ts"
import * as MemoryTopUpReads from "../../src/layers/memory/MemoryTopUpReads.ts"
import * as SimulatedPayments from "../../src/layers/sandbox/SimulatedPayments.ts"
import { WalletOwner } from "../../src/actors/wallet/WalletOwner.ts"
import * as SubscriptionActor from "../../src/actors/webhooks/SubscriptionActor.ts"
import { VoiceSecrets } from "../../src/actors/webhooks/VoiceSecrets.ts"
import { Webhooks } from "../../src/actors/webhooks/Webhooks.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { Charges } from "../../src/domain/ports/calls/Charges.ts"
import { DeliveryReads } from "../../src/domain/ports/webhooks/DeliveryReads.ts"
import type { Ids } from "../../src/domain/ports/engine/Ids.ts"
import type { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { LiveCalls } from "../../src/domain/ports/calls/LiveCalls.ts"
import { StorageReads } from "../../src/domain/ports/calls/StorageReads.ts"
import { SubscriptionReads } from "../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { StreamHeaders } from "../../src/domain/ports/calls/StreamHeaders.ts"
import { VoiceCallback } from "../../src/domain/ports/calls/VoiceCallback.ts"
import { WalletReads } from "../../src/domain/ports/money/WalletReads.ts"
import { WebhookSender } from "../../src/domain/ports/webhooks/WebhookSender.ts"
import * as SteadyClock from "../../src/layers/clock/SteadyClock.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import { memorySettings } from "../../src/layers/memory/MemorySettings.ts"
import * as MemoryReads from "../../src/layers/memory/MemoryReads.ts"
import * as MemoryStorageReads from "../../src/layers/memory/MemoryStorageReads.ts"
import * as MemoryWalletReads from "../../src/layers/memory/MemoryWalletReads.ts"
import { deliveryReads, subscriptionReads } from "../../src/layers/memory/MemoryWebhookReads.ts"
import * as LibPhoneNumber from "../../src/layers/numberplan/LibPhoneNumber.ts"
import type { MemoryRecordings } from "../../src/layers/recordings/MemoryRecordings.ts"
import type { Database } from "./Database.ts"
import { numberReads, storagePrices, unasked } from "./Inventory.ts"
import type { Process } from "./Process.ts"

/** What is outside of the engines. */
export interface Outside {
  readonly database: Database
  /** Whether numbers and storage are rented too. */
  readonly rents: boolean
  /** Its tables, as reads in memory know them. */
  readonly memory: MemoryJournal
  readonly directory: MemoryDirectory.DirectoryData
  readonly recordings: MemoryRecordings
  readonly mobileMoney: MobileMoneyProvider
  readonly callback: VoiceCallback["Service"]
  readonly webhooks: WebhookSender["Service"]
}

export type System = Layer.Layer<ActorSystem, never, Journal | Ids>

const topUpLimit = { currency: "KES", minimum_minor: 10_000, maximum_minor: 25_000_000 } as const

const payments = (process: Process, { database, memory, mobileMoney }: Outside) =>
  Layer.mergeAll(
    Layer.succeed(MobileMoney)({ provider: mobileMoney }),
    MobileMoneyNotices.none,
    CardPayments.none,
    SimulatedPayments.layer,
    Layer.succeed(TopUpLimitTable)({
      set: () => Effect.void,
      list: Effect.succeed([topUpLimit]),
      of: () => Effect.succeed(topUpLimit)
    }),
    database.reads(process, MemoryTopUpReads.reads(memory), TopUpReads),
    MemoryTopUpReads.references(memory),
    Layer.succeed(Idempotency)({
      fingerprint: (text) => text,
      find: ({ key, method, route, workspace_id }) =>
        database.query(
          process,
          () => database.tables.idempotency.get(JSON.stringify([workspace_id, method, route, key])),
          new ReadFailed({ cause: "simulated" })
        ),
      keep: () => Effect.void
    })
  )

const portsOf = (process: Process, seed: number, outside: Outside) => {
  const { callback, database, directory, memory, recordings, webhooks } = outside
  return Layer.mergeAll(
    database.journal(process),
    memorySettings,
    SystemIds.seeded(seed),
    MemoryDirectory.layer(directory),
    database.reads(process, MemoryReads.callReads(memory), CallReads),
    database.reads(process, MemoryReads.liveCalls(memory), LiveCalls),
    database.reads(process, MemoryReads.charges(memory), Charges),
    database.reads(process, MemoryWalletReads.layer(memory), WalletReads),
    database.reads(process, MemoryStorageReads.layer(memory, storagePrices), StorageReads),
    outside.rents ? database.reads(process, numberReads(database.tables), NumberReads) : Layer.mock(NumberReads)({}),
    unasked,
    database.reads(process, deliveryReads(memory), DeliveryReads),
    database.reads(process, subscriptionReads(memory), SubscriptionReads),
    LibPhoneNumber.layer,
    AesVault(new Uint8Array(32).fill(9)),
    recordings.layer,
    payments(process, outside).pipe(Layer.provide(SystemIds.seeded(seed + 1))),
    Layer.succeed(VoiceCallback)(callback),
    StreamHeaders.none,
    SandboxCalls.none,
    SipHosts.local,
    Layer.succeed(WebhookSender)(webhooks)
  )
}

/** The actors that numbers and workspaces need. */
const rented = Layer.mergeAll(
  PerformNumber.layer,
  PerformCredentials.layer,
  PerformWorkspace.layer,
  PerformChatApp.layer
)
const noRents = Layer.merge(Layer.mock(Numbers)({}), Layer.mock(StorageTiers)({}))

/** Nobody gets mail, and no tenant is kept on a PBX. */
const betweenAreas = Layer.mergeAll(
  CallWebhooks.layer,
  NotifyAdmins.none,
  TenantEvents.none,
  TenantResync.none,
  VoiceSecrets.layer,
  WalletOwner.none
)

const engine = (process: Process, seed: number, system: System, outside: Outside) => {
  const running = betweenAreas.pipe(Layer.provideMerge(system), Layer.provideMerge(portsOf(process, seed, outside)))
  const facades = Layer.merge(callServices, Webhooks.layer).pipe(Layer.provideMerge(running))
  const registered = Layer.mergeAll(
    callActors,
    moneyActors,
    outside.rents ? rented : Layer.empty,
    SubscriptionActor.layer
  ).pipe(Layer.provideMerge(facades))
  const started = startActors.pipe(Layer.provideMerge(registered))
  const topUps = Layer.effectDiscard(ReconciliationActor.beginReconciliation).pipe(
    Layer.provideMerge(Layer.merge(TopUps.layer, PaymentNotices.layer))
  )
  return Layer.mergeAll(
    topUps,
    outside.rents ? Layer.merge(Numbers.layer, StorageTiers.layer) : noRents,
    callEntries
  ).pipe(Layer.provideMerge(started), Layer.provideMerge(SteadyClock.layer(() => process.sources)))
}

export type EngineServices = Layer.Success<ReturnType<typeof engine>>

export interface Boot {
  readonly process: Process
  readonly seed: number
  readonly system: System
  readonly outside: Outside
}

/** Starts an engine. `up` is called when it takes requests. Nobody closes its scope: processes are killed. */
export const boot = (
  { outside, process, seed, system }: Boot,
  up: (context: Context.Context<EngineServices>) => void
): void => {
  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    up(yield* Layer.buildWithScope(engine(process, seed, system, outside), scope))
  })
  process.fork(Effect.tapCause(start, (cause) => Effect.logError("An engine did not start", cause)))
}
