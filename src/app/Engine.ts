// The engine as `npm start` runs it: one process with its database, actors, gateway and HTTP server.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../actors/access/ApiKeys.ts"
import { Calls } from "../actors/calls/Calls.ts"
import { CallWebhooks } from "../actors/calls/CallWebhooks.ts"
import * as PerformCall from "../actors/calls/PerformCall.ts"
import { NotifyAdmins } from "../actors/mail/NotifyAdmins.ts"
import * as GatewayActor from "../actors/pbx/GatewayActor.ts"
import * as ChatAppActor from "../actors/chatapp/ChatAppActor.ts"
import { ChatAppNotices } from "../actors/ingest/ChatAppNotices.ts"
import { ChatApps } from "../actors/chatapp/ChatApps.ts"
import { InboundCalls } from "../actors/ingest/InboundCalls.ts"
import { Legs } from "../actors/calls/Legs.ts"
import { Numbers } from "../actors/numbers/Numbers.ts"
import * as PerformNumber from "../actors/numbers/PerformNumber.ts"
import { PbxIngest } from "../actors/ingest/PbxIngest.ts"
import { TenantEvents } from "../actors/ingest/TenantEvents.ts"
import { TenantResync } from "../actors/pbx/TenantResync.ts"
import { ActorSystem } from "../actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../actors/runtime/LocalSystem.ts"
import * as SubscriptionActor from "../actors/webhooks/SubscriptionActor.ts"
import { sweepOverdueDeliveries } from "../actors/maintenance/SweepOverdueDeliveries.ts"
import { VoiceSecrets } from "../actors/webhooks/VoiceSecrets.ts"
import * as RotateMasterKey from "../actors/maintenance/RotateMasterKey.ts"
import { Wallets } from "../actors/wallet/Wallets.ts"
import { Recordings } from "../actors/recordings/Recordings.ts"
import { Conferences } from "../actors/conferences/Conferences.ts"
import * as SteadyClock from "../layers/clock/SteadyClock.ts"
import * as FollowClock from "../actors/calls/FollowClock.ts"
import * as ConferenceRoomsActor from "../actors/conferences/ConferenceRoomsActor.ts"
import * as PerformConference from "../actors/conferences/PerformConference.ts"
import { StorageTiers } from "../actors/storage/StorageTiers.ts"
import * as PerformStorage from "../actors/storage/PerformStorage.ts"
import * as PerformRecording from "../actors/recordings/PerformRecording.ts"
import * as PerformWallet from "../actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../actors/wallet/WalletOwner.ts"
import { WebhookDoctor } from "../actors/webhooks/WebhookDoctor.ts"
import { Webhooks } from "../actors/webhooks/Webhooks.ts"
import { CardRoutes } from "../http/ingest/CardIngest.ts"
import { ChatAppRoutes } from "../http/ingest/ChatAppIngest.ts"
import { onlyRequestServices } from "../http/request/RequestServices.ts"
import { MobileMoneyRoutes } from "../http/ingest/MobileMoneyIngest.ts"
import { PbxRoutes } from "../http/pbx/PbxRoutes.ts"
import { Overload } from "../http/request/Overload.ts"
import { Readiness } from "../http/server/Readiness.ts"
import { WebrtcRoutes } from "../http/pbx/WebrtcRoutes.ts"
import { PlatformHosts } from "../actors/pbx/PlatformHosts.ts"
import { SipTargets } from "../actors/pbx/SipTargets.ts"
import { SipHosts } from "../actors/calls/SipHosts.ts"
import * as DnsHostResolver from "../layers/dns/DnsHostResolver.ts"
import { accountActors, accountFacades, accountPorts, accountTokens } from "./Accounts.ts"
import * as SignedWebhookAuth from "../layers/chatapp/SignedWebhookAuth.ts"
import { announcements } from "../layers/chatapp/SimulatedChatAppNotices.ts"
import * as GraphChatApp from "../layers/chatapp/GraphChatApp.ts"
import * as SandboxChatApp from "../layers/chatapp/SandboxChatApp.ts"
import * as SimulatedChatApp from "../layers/chatapp/SimulatedChatApp.ts"
import * as Cluster from "./Cluster.ts"
import { consoleRoutesOf } from "./Console.ts"
import { SignedStreamHeaders } from "../layers/http-client/SignedStreamHeaders.ts"
import * as SystemIds from "../layers/ids/SystemIds.ts"
import { AesVault, vaultKeyId } from "../layers/keyring/AesVault.ts"
import { HmacCursorSigner } from "../layers/keyring/HmacCursorSigner.ts"
import { JoseKeyring } from "../layers/keyring/JoseKeyring.ts"
import { deriveKeys, loadSecrets, plainKeys, type Secrets } from "../layers/keyring/Secrets.ts"
import * as LibPhoneNumber from "../layers/numberplan/LibPhoneNumber.ts"
import * as SharedSecret from "../layers/pbx/SharedSecret.ts"
import * as Database from "../layers/postgres/database/Database.ts"
import * as PgSandboxCalls from "../layers/postgres/people/PgSandboxCalls.ts"
import * as EventLog from "../layers/postgres/reads/EventLog.ts"
import * as DeliveryReads from "../layers/postgres/reads/DeliveryReads.ts"
import { startEmbedded } from "../layers/postgres/embedded/EmbeddedPostgres.ts"
import { InstanceLock } from "../layers/postgres/embedded/InstanceLock.ts"
import * as EventSignals from "../layers/journal/EventSignals.ts"
import { migrate } from "../layers/postgres/migrations/Migrations.ts"
import * as Partitions from "../layers/postgres/database/Partitions.ts"
import { ChangeFeed } from "../layers/postgres/cache/ChangeFeed.ts"
import * as ApiKeyReads from "../layers/postgres/reads/ApiKeyReads.ts"
import * as RateTable from "../layers/postgres/reads/RateTable.ts"
import * as AuditReads from "../layers/postgres/reads/AuditReads.ts"
import * as PgCallReads from "../layers/postgres/calls/CallReads.ts"
import * as PgCallHistory from "../layers/postgres/calls/CallHistory.ts"
import * as CallBlocks from "../layers/postgres/calls/CallBlocks.ts"
import * as PgCallStatistics from "../layers/postgres/calls/CallStatistics.ts"
import * as PgCharges from "../layers/postgres/reads/Charges.ts"
import * as PgDenyList from "../layers/postgres/people/PgDenyList.ts"
import * as CallSimulation from "../layers/simulation/CallSimulation.ts"
import * as PgDirectory from "../layers/postgres/cache/PgDirectory.ts"
import * as PgIdempotency from "../layers/postgres/reads/PgIdempotency.ts"
import * as PgLiveCalls from "../layers/postgres/calls/PgLiveCalls.ts"
import * as PgKeyUse from "../layers/postgres/people/PgKeyUse.ts"
import * as PgNumberReads from "../layers/postgres/reads/NumberReads.ts"
import * as ProviderStore from "../layers/postgres/reads/ProviderStore.ts"
import * as SeriesStore from "../layers/postgres/reads/SeriesStore.ts"
import * as PgTrunks from "../layers/postgres/reads/Trunks.ts"
import * as PgWalletReads from "../layers/postgres/reads/WalletReads.ts"
import * as StoragePrices from "../layers/postgres/reads/StoragePrices.ts"
import * as PgConferenceReads from "../layers/postgres/reads/ConferenceReads.ts"
import * as PgStorageReads from "../layers/postgres/reads/StorageReads.ts"
import * as PgRecordingReads from "../layers/postgres/reads/RecordingReads.ts"
import * as SealedRows from "../layers/postgres/database/SealedRows.ts"
import { paymentActors, paymentEntryPoints, paymentPorts } from "./Payments.ts"
import { seed } from "../layers/postgres/seed/Seed.ts"
import type { Demo } from "../layers/postgres/seed/SeedFile.ts"
import * as SubscriptionReads from "../layers/postgres/reads/SubscriptionReads.ts"
import * as PostgresJournal from "../layers/postgres/journal/Journal.ts"
import { makeSharedRuns } from "../layers/postgres/cache/SharedRuns.ts"
import * as Audio from "../layers/recordings/Audio.ts"
import { Server } from "./Server.ts"
import { platformHosts, sipActors, sipFacades, sipPorts, webrtcPorts } from "./Sip.ts"
import { Settings } from "./Settings.ts"
import { builtInGateway, policyOf, sandboxNetwork } from "./BuiltInGateway.ts"
import { expectPresent } from "../domain/ExpectPresent.ts"
import { requirePort } from "../layers/node/RequirePort.ts"
import { journal, outgoing } from "./Measured.ts"
import * as OperationsGauges from "../layers/telemetry/OperationsGauges.ts"

type SettingsShape = Settings["Service"]

/** `iss` and `aud` of the keys that the engine mints: fixed, so that a deployment may change its address. */
const issuer = "trunkline"
const audience = "trunkline:api"

/** How often metrics are exported. */
const gaugeInterval = "10 seconds"

/** The data of the seeded workspaces. Undefined in production. */
export class Seeded extends Context.Service<Seeded, { readonly demo: Demo | undefined }>()("trunkline/layers/Seeded") {}

/** The configured database; without one, embedded PostgreSQL. */
const database = (settings: SettingsShape) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = settings.database_url ?? (yield* startEmbedded({ data_dir: settings.data_dir })).url
      const prepared = Partitions.layer.pipe(Layer.provideMerge(Layer.effectDiscard(migrate())))
      return Layer.merge(prepared, InstanceLock.layer(url, settings.cluster)).pipe(
        Layer.provideMerge(Database.layer({ url }))
      )
    })
  )

const ports = (settings: SettingsShape, secrets: Secrets) => {
  const previous = secrets.previous_signing_key
  const signing = {
    issuer,
    current: Redacted.value(secrets.signing_key),
    ...(previous && { previous: Redacted.value(previous) })
  }
  const keys = Layer.mergeAll(
    AesVault(...plainKeys(secrets.master_keys)),
    HmacCursorSigner(deriveKeys(secrets.master_keys, "cursor")),
    accountTokens(secrets.master_keys),
    JoseKeyring({ ...signing, audience }),
    webrtcPorts(settings, signing),
    SharedSecret.layer({
      secret: secrets.pbx_ingest_secret,
      gateways: settings.pbx_gateways,
      signature_required: settings.environment === "production"
    })
  )
  const stored = Layer.mergeAll(
    EventSignals.layer.pipe(Layer.provide(journal), Layer.provideMerge(EventLog.layer)),
    PgDirectory.layer,
    PgDenyList.layer,
    PgKeyUse.layer,
    PgLiveCalls.layer,
    PgIdempotency.layer,
    ApiKeyReads.layer,
    AuditReads.layer,
    RateTable.layer,
    PgCallReads.layer,
    PgCallStatistics.layer,
    CallBlocks.layer,
    PgCallHistory.layer,
    PgCharges.layer,
    PgWalletReads.layer,
    PgNumberReads.layer,
    PgRecordingReads.layer,
    PgConferenceReads.layer,
    PgStorageReads.layer,
    StoragePrices.layer,
    PgTrunks.layer,
    SeriesStore.layer,
    ProviderStore.layer,
    DeliveryReads.layer,
    SealedRows.layer(replacedKey(secrets)),
    SubscriptionReads.layer,
    sipPorts,
    accountPorts(settings),
    paymentPorts(settings, secrets)
  )
  const policy = policyOf(settings)
  const audio = Audio.layer({ ...settings, master_keys: secrets.master_keys })
  return Layer.mergeAll(
    audio,
    outgoing(policy),
    SignedStreamHeaders,
    PlatformHosts.layer(platformHosts(settings)).pipe(Layer.provideMerge(DnsHostResolver.layer(policy))),
    LibPhoneNumber.layer,
    chatApp(settings),
    chatAppWebhookAuth(settings)
  ).pipe(
    Layer.provideMerge(stored.pipe(Layer.provide(ChangeFeed.layer))),
    Layer.provideMerge(Layer.merge(keys, SystemIds.layer))
  )
}

/** The id of the current master key if it replaced another one, else undefined. */
const replacedKey = ({ master_keys }: Secrets) =>
  master_keys.length > 1 ? vaultKeyId(plainKeys(master_keys)[0]) : undefined

const chatApp = ({ chatapp_provider, graph_account_id, graph_sip_host, graph_token, graph_url }: SettingsShape) => {
  if (chatapp_provider === "simulator") return SimulatedChatApp.layer
  const real =
    chatapp_provider === "none"
      ? SimulatedChatApp.none
      : GraphChatApp.layer({
          url: graph_url,
          token: expectPresent(graph_token, "GRAPH_TOKEN"),
          account_id: expectPresent(graph_account_id, "GRAPH_ACCOUNT_ID"),
          sip_host: expectPresent(graph_sip_host, "GRAPH_SIP_HOST")
        })
  return SandboxChatApp.layer(real)
}

const chatAppWebhookAuth = ({ graph_app_secret, graph_verify_token }: SettingsShape) =>
  SignedWebhookAuth.layer({ app_secret: graph_app_secret, verify_token: graph_verify_token })

/** Runs all actors in this process, or each in one of the processes that share the database. */
const placement = ({ cluster, runner_host, runner_port }: SettingsShape, { master_keys }: Secrets) =>
  cluster
    ? Cluster.layer({ host: runner_host, port: runner_port, keys: deriveKeys(master_keys, "runner") })
    : LocalSystem.layer

/** All actors. Every kind is registered before stored actors are activated. */
const actors = (settings: SettingsShape) => {
  const { ari_uri_endpoint, pbx_gateway } = settings
  const policy = policyOf(settings)
  const webhooks = Webhooks.layer(policy).pipe(Layer.provide(VoiceSecrets.layer))
  const waived_calls_per_day = settings.waive_callback_failures === "on" ? settings.waived_calls_per_day : 0
  const allow_test_numbers = settings.environment === "development"
  const registered = Layer.mergeAll(
    PerformCall.layer({
      waived_calls_per_day,
      max_streams: settings.max_streams_per_workspace,
      max_conferences: settings.max_conferences_per_workspace
    }),
    PerformConference.layer,
    ConferenceRoomsActor.layer,
    PerformRecording.layer,
    PerformStorage.layer,
    PerformWallet.layer.pipe(Layer.provide(WalletOwner.layer), Layer.provide(NotifyAdmins.layer)),
    ChatAppActor.layer,
    PerformNumber.layer,
    sipActors,
    SubscriptionActor.layer.pipe(Layer.provide([NotifyAdmins.layer, VoiceSecrets.layer])),
    accountActors(settings),
    paymentActors(settings),
    GatewayActor.layer.pipe(Layer.provide(TenantResync.layer))
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Legs.layer({ allow_test_numbers, max_daily_spend_minor: settings.max_daily_spend_minor }).pipe(
          Layer.provide(PgSandboxCalls.layer)
        ),
        Wallets.layer,
        webhooks,
        WebhookDoctor.layer.pipe(Layer.provide(VoiceSecrets.layer))
      )
    ),
    Layer.provideMerge(
      SipHosts.layer({ carries_sip_uris: pbx_gateway !== "asterisk" || ari_uri_endpoint !== undefined }).pipe(
        Layer.provideMerge(SipTargets.layer(policy))
      )
    )
  )
  const started = Layer.effectDiscard(
    Effect.flatMap(ActorSystem, ({ start }) => Effect.andThen(start, sweepOverdueDeliveries))
  ).pipe(Layer.merge(FollowClock.layer))
  const ingest = PbxIngest.layer.pipe(Layer.provide(TenantEvents.layer), Layer.provideMerge(InboundCalls.layer))
  return Layer.mergeAll(
    accountFacades(settings),
    ApiKeys.layer,
    Conferences.layer.pipe(Layer.provideMerge(Calls.layer(policy).pipe(Layer.provide(CallWebhooks.layer)))),
    CallSimulation.layer({ policy, allow_test_numbers, waived_calls_per_day }),
    ChatApps.layer,
    announcements.pipe(Layer.provideMerge(ChatAppNotices.layer)),
    Numbers.layer(policy),
    RotateMasterKey.layer,
    paymentEntryPoints,
    Recordings.layer(settings),
    sipFacades(settings),
    StorageTiers.layer,
    ingest
  ).pipe(Layer.provideMerge(started.pipe(Layer.provideMerge(registered))))
}

/** The row that is written to see whether the database takes writes. No batch has this id. */
const readinessId = "00000000-0000-0000-0000-000000000000"

const ready = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const system = yield* ActorSystem
    const write = Effect.flatMap(
      Clock.currentTimeMillis,
      (
        now
      ) => sql`INSERT INTO journal_batches (id, status, written_at) VALUES (${readinessId}, 'void', ${new Date(now)})
        ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`
    )
    const check = write.pipe(
      Effect.andThen(system.resident),
      Effect.timeout("2 seconds"),
      Effect.match({ onFailure: () => false, onSuccess: () => true })
    )
    const shared = yield* makeSharedRuns<boolean, never>()
    let known = { at: Number.NEGATIVE_INFINITY, ready: false }
    // Anybody may ask, so the database is asked once a second at most.
    return Readiness.of({
      check: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - known.at < 1_000
          ? Effect.succeed(known.ready)
          : shared(
              "",
              Effect.tap(check, (ready) => Effect.sync(() => (known = { at: now, ready })))
            )
      )
    })
  })
)

const seeded = (settings: SettingsShape) =>
  Layer.effect(
    Seeded,
    settings.environment === "production"
      ? Effect.succeed({ demo: undefined })
      : Effect.map(seed(settings), (demo) => ({ demo }))
  )

/** The whole engine. It fails if another engine uses its database. It stops in reverse order: PostgreSQL last. */
export const Engine = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    yield* requirePort(settings.host, settings.port)
    const secrets = yield* loadSecrets(settings)
    const engine = actors(settings).pipe(
      Layer.provideMerge(placement(settings, secrets)),
      Layer.provideMerge(ports(settings, secrets)),
      Layer.provideMerge(database(settings))
    )
    const { base_url, environment, host, metrics_token, otlp_url, port } = settings
    const { rate_limits, request_timeout_s, trusted_proxies } = settings
    const secure_cookies = environment === "production" || base_url.startsWith("https:")
    const otherRoutes = onlyRequestServices(
      Layer.mergeAll(PbxRoutes, MobileMoneyRoutes, CardRoutes, ChatAppRoutes, WebrtcRoutes, consoleRoutesOf(settings))
    )
    const gauge_interval = otlp_url === undefined ? undefined : gaugeInterval
    const server = Server(
      { host, port, rate_limits, request_timeout_s, secure_cookies, metrics_token, trusted_proxies, gauge_interval },
      otherRoutes
    ).pipe(Layer.provide([ready, Overload.layer.pipe(Layer.provide(PostgresJournal.layer))]))
    return server.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          builtInGateway(settings),
          sandboxNetwork(settings),
          seeded(settings),
          OperationsGauges.layer
        ).pipe(Layer.provideMerge(engine))
      ),
      Layer.provide(SteadyClock.layer())
    )
  })
)
