// The layers of the engine under test: the actors, rules and routes of `npm start` over memory.
import { ByteSize, Context, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { generateKeyPairSync } from "node:crypto"
import { Calls } from "../actors/calls/Calls.ts"
import { CallWebhooks } from "../actors/calls/CallWebhooks.ts"
import { Legs } from "../actors/calls/Legs.ts"
import * as ConferenceRoomsActor from "../actors/conferences/ConferenceRoomsActor.ts"
import * as PerformConference from "../actors/conferences/PerformConference.ts"
import * as PerformCall from "../actors/calls/PerformCall.ts"
import { SipHosts } from "../actors/calls/SipHosts.ts"
import { CardPaymentNotices } from "../actors/ingest/CardPaymentNotices.ts"
import { InboundCalls } from "../actors/ingest/InboundCalls.ts"
import { PaymentNotices, takeStream } from "../actors/ingest/PaymentNotices.ts"
import { PbxIngest } from "../actors/ingest/PbxIngest.ts"
import { TenantEvents } from "../actors/ingest/TenantEvents.ts"
import { NotifyAdmins } from "../actors/mail/NotifyAdmins.ts"
import { sweepOverdueDeliveries } from "../actors/maintenance/SweepOverdueDeliveries.ts"
import * as GatewayActor from "../actors/pbx/GatewayActor.ts"
import { TenantResync } from "../actors/pbx/TenantResync.ts"
import * as PerformRecording from "../actors/recordings/PerformRecording.ts"
import { ActorSystem } from "../actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../actors/runtime/LocalSystem.ts"
import * as PerformStorage from "../actors/storage/PerformStorage.ts"
import * as PayerPhoneLockActor from "../actors/topups/PayerPhoneLockActor.ts"
import * as PerformIncomingPayment from "../actors/topups/PerformIncomingPayment.ts"
import * as PerformTopUp from "../actors/topups/PerformTopUp.ts"
import * as ReconciliationActor from "../actors/topups/ReconciliationActor.ts"
import { TopUps } from "../actors/topups/TopUps.ts"
import * as PerformWallet from "../actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../actors/wallet/WalletOwner.ts"
import { Wallets } from "../actors/wallet/Wallets.ts"
import * as SubscriptionActor from "../actors/webhooks/SubscriptionActor.ts"
import { VoiceSecrets } from "../actors/webhooks/VoiceSecrets.ts"
import { WebhookDoctor } from "../actors/webhooks/WebhookDoctor.ts"
import { Webhooks } from "../actors/webhooks/Webhooks.ts"
import { maxVoiceActions_bytes } from "../domain/calls/verbs/ParseVoiceActions.ts"
import { SandboxCalls } from "../domain/ports/calls/SandboxCalls.ts"
import { CallReads } from "../domain/ports/calls/CallReads.ts"
import { CallHistory } from "../domain/ports/calls/CallHistory.ts"
import { DenyList } from "../domain/ports/numbers/DenyList.ts"
import { DeliveryReads } from "../domain/ports/webhooks/DeliveryReads.ts"
import { Idempotency } from "../domain/ports/access/Idempotency.ts"
import { KeyUse } from "../domain/ports/access/KeyUse.ts"
import { SharedCounts } from "../domain/ports/engine/SharedCounts.ts"
import { StreamHeaders } from "../domain/ports/calls/StreamHeaders.ts"
import { SubscriptionReads } from "../domain/ports/webhooks/SubscriptionReads.ts"
import { TopUpLimitTable } from "../domain/ports/money/TopUpLimitTable.ts"
import { VoiceCallback } from "../domain/ports/calls/VoiceCallback.ts"
import { WalletReads } from "../domain/ports/money/WalletReads.ts"
import { WebhookProbes } from "../domain/ports/webhooks/WebhookProbes.ts"
import { WebhookSender } from "../domain/ports/webhooks/WebhookSender.ts"
import { ReadFailed } from "../domain/errors/ReadFailed.ts"
import type { Currency } from "../domain/wallet/Currency.ts"
import { RequestTimeout } from "../http/request/RequestDeadline.ts"
import { RateLimits } from "../http/request/RateLimits.ts"
import { SecureCookies } from "../http/request/SessionCookie.ts"
import { AccessLog } from "../http/server/AccessLog.ts"
import { Draining } from "../http/request/Draining.ts"
import { HttpApp } from "../http/server/HttpApp.ts"
import { exactPaths } from "../http/request/PathIndex.ts"
import { Overload } from "../http/request/Overload.ts"
import { Readiness } from "../http/server/Readiness.ts"
import { TrustedProxies } from "../http/server/TrustedProxies.ts"
import * as CardSimulator from "../layers/card/CardSimulator.ts"
import { makeVoiceCallback } from "../layers/http-client/HttpVoiceCallback.ts"
import { webhookProbes, webhookSender } from "../layers/http-client/HttpWebhookSender.ts"
import * as SystemIds from "../layers/ids/SystemIds.ts"
import * as EventSignals from "../layers/journal/EventSignals.ts"
import type { MemoryJournal } from "../layers/journal/MemoryJournal.ts"
import { AesVault } from "../layers/keyring/AesVault.ts"
import { HmacCursorSigner } from "../layers/keyring/HmacCursorSigner.ts"
import { JoseKeyring } from "../layers/keyring/JoseKeyring.ts"
import * as MemoryCallHistory from "../layers/memory/MemoryCallHistory.ts"
import * as MemoryDirectory from "../layers/memory/MemoryDirectory.ts"
import { eventLog } from "../layers/memory/MemoryEventLog.ts"
import * as MemoryIdempotency from "../layers/memory/MemoryIdempotency.ts"
import { memorySettings } from "../layers/memory/MemorySettings.ts"
import * as MemoryReads from "../layers/memory/MemoryReads.ts"
import * as MemoryStorageReads from "../layers/memory/MemoryStorageReads.ts"
import * as MemoryTopUpReads from "../layers/memory/MemoryTopUpReads.ts"
import * as MemoryWalletReads from "../layers/memory/MemoryWalletReads.ts"
import { deliveryReads, subscriptionReads } from "../layers/memory/MemoryWebhookReads.ts"
import * as MobileMoneySimulator from "../layers/mobilemoney/simulator/MobileMoneySimulator.ts"
import * as LibPhoneNumber from "../layers/numberplan/LibPhoneNumber.ts"
import type { MemoryRecordings } from "../layers/recordings/MemoryRecordings.ts"
import * as SimulatedPayments from "../layers/sandbox/SimulatedPayments.ts"
import * as CallSimulation from "../layers/simulation/CallSimulation.ts"
import type { Application } from "./Application.ts"
import { unserved } from "./Unserved.ts"

/** What survives the death of the engine's process. */
export interface Surroundings {
  readonly journal: MemoryJournal
  readonly recordings: MemoryRecordings
  readonly application: Application
  readonly directory: MemoryDirectory.DirectoryData
  readonly signing_key: ReturnType<typeof newSigningKey>
  readonly master_key: Uint8Array
  /** Whether the database can be reached. */
  readonly isDatabaseUp: () => boolean
}

export const newSigningKey = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })

const policy = { allow_insecure: true, allow_private: true }
const webhookAnswer_bytes = 65_536
const requestTimeout_ms = 15_000
const maxBody = ByteSize.kibibytes(256)

const topUpLimit = (currency: Currency) => ({ currency, minimum_minor: 10_000, maximum_minor: 25_000_000 })

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** A port for reads, which fails while the database is away. */
const whileUp = <I, S extends object, E, R>(
  isUp: () => boolean,
  tag: Context.Key<I, S>,
  layer: Layer.Layer<I, E, R>
): Layer.Layer<I, E, R> =>
  Layer.effect(
    tag,
    Effect.map(Layer.build(layer), (context) => {
      const service = Context.get(context as Context.Context<I>, tag) as Record<string, unknown>
      const guarded = Object.entries(service).map(([name, member]) => [
        name,
        typeof member === "function" && name !== "fingerprint"
          ? (...args: ReadonlyArray<unknown>) =>
              Effect.suspend(() =>
                isUp() ? (member as Method)(...args) : Effect.fail(new ReadFailed({ cause: "The database is down" }))
              )
          : member
      ])
      return Object.fromEntries(guarded) as S
    })
  ) as Layer.Layer<I, E, R>

const reads = ({ isDatabaseUp, journal }: Surroundings) =>
  Layer.mergeAll(
    whileUp(isDatabaseUp, CallReads, MemoryReads.callReads(journal)),
    whileUp(isDatabaseUp, CallHistory, MemoryCallHistory.layer(journal)),
    whileUp(isDatabaseUp, WalletReads, MemoryWalletReads.layer(journal)),
    whileUp(isDatabaseUp, DeliveryReads, deliveryReads(journal)),
    whileUp(isDatabaseUp, SubscriptionReads, subscriptionReads(journal)),
    whileUp(isDatabaseUp, Idempotency, MemoryIdempotency.layer(journal)),
    MemoryReads.liveCalls(journal),
    MemoryReads.charges(journal),
    MemoryStorageReads.layer(journal, { 1024: 59_900 }),
    MemoryTopUpReads.layer(journal)
  )

const ports = (surroundings: Surroundings, seed: number) => {
  const { application, directory, journal, master_key, recordings, signing_key } = surroundings
  const keys = Layer.mergeAll(
    AesVault(master_key),
    HmacCursorSigner([master_key]),
    JoseKeyring({ issuer: "trunkline", audience: "trunkline:api", current: signing_key })
  )
  const outgoing = Layer.mergeAll(
    Layer.effect(VoiceCallback, makeVoiceCallback(application.client(maxVoiceActions_bytes), policy)),
    Layer.succeed(WebhookSender)(webhookSender(application.client(webhookAnswer_bytes), policy)),
    Layer.succeed(WebhookProbes)(webhookProbes(application.client(webhookAnswer_bytes), policy))
  )
  const money = Layer.mergeAll(
    MobileMoneySimulator.layer,
    CardSimulator.layer,
    SimulatedPayments.layer,
    Layer.succeed(TopUpLimitTable)({
      set: () => Effect.void,
      list: Effect.succeed([]),
      of: (currency) => Effect.succeed(topUpLimit(currency))
    })
  )
  return Layer.mergeAll(
    outgoing,
    reads(surroundings),
    EventSignals.layer.pipe(Layer.provide(journal.layer), Layer.provideMerge(eventLog(journal))),
    keys,
    money,
    LibPhoneNumber.layer,
    recordings.layer,
    SharedCounts.none,
    StreamHeaders.none,
    Layer.succeed(DenyList)({ isRevoked: () => false }),
    Layer.succeed(KeyUse)({ used: () => {} }),
    memorySettings
  ).pipe(Layer.provideMerge(Layer.merge(MemoryDirectory.layer(directory), SystemIds.seeded(seed))))
}

const actors = Layer.mergeAll(
  PerformCall.layer,
  PerformConference.layer,
  ConferenceRoomsActor.layer,
  PerformRecording.layer,
  PerformStorage.layer,
  PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)),
  PerformTopUp.layer,
  PerformIncomingPayment.layer,
  PayerPhoneLockActor.layer,
  ReconciliationActor.layer,
  SubscriptionActor.layer.pipe(Layer.provide([NotifyAdmins.none, VoiceSecrets.layer])),
  GatewayActor.layer.pipe(Layer.provide(TenantResync.none))
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Legs.layer.pipe(Layer.provide(SandboxCalls.none), Layer.provideMerge(SipHosts.local)),
      Wallets.layer,
      Webhooks.layer.pipe(Layer.provide(VoiceSecrets.layer)),
      WebhookDoctor.layer.pipe(Layer.provide(VoiceSecrets.layer))
    )
  ),
  Layer.provideMerge(LocalSystem.layer)
)

const started = Layer.effectDiscard(
  Effect.flatMap(ActorSystem, ({ start }) => Effect.andThen(start, sweepOverdueDeliveries))
).pipe(Layer.provideMerge(actors))

const doors = Layer.mergeAll(
  Calls.layer.pipe(Layer.provide(CallWebhooks.layer)),
  CallSimulation.layer,
  PbxIngest.layer.pipe(Layer.provide(TenantEvents.none), Layer.provideMerge(InboundCalls.layer)),
  Layer.merge(Layer.effectDiscard(ReconciliationActor.beginReconciliation), takeStream).pipe(
    Layer.provideMerge(Layer.mergeAll(TopUps.layer, PaymentNotices.layer, CardPaymentNotices.layer))
  )
).pipe(Layer.provideMerge(started))

const server = (isDatabaseUp: () => boolean) =>
  HttpApp.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Draining.layer,
        Layer.succeed(SecureCookies)(false),
        Layer.succeed(RequestTimeout)({ timeout_ms: requestTimeout_ms }),
        TrustedProxies.none,
        RateLimits.on,
        AccessLog.sampled(1_000),
        Layer.succeed(HttpIncomingMessage.MaxBodySize)(maxBody),
        Layer.succeed(Readiness)({ check: Effect.sync(isDatabaseUp) }),
        Overload.none,
        HttpServer.layerServices,
        HttpRouter.layer.pipe(Layer.provide(Layer.succeed(HttpRouter.RouterConfig)(exactPaths)))
      )
    )
  )

/** One process of the engine. `seed` decides its ids. */
export const engineLayer = (surroundings: Surroundings, seed: number) =>
  server(surroundings.isDatabaseUp).pipe(
    Layer.provideMerge(Layer.merge(doors, unserved)),
    Layer.provideMerge(ports(surroundings, seed))
  )

export type EngineServices = Layer.Success<ReturnType<typeof engineLayer>>
