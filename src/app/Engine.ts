// The engine as `npm start` runs it: one process with its database, actors, gateway and HTTP server.
import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { engineCore } from "../actors/core/EngineCore.ts"
import * as LocalSystem from "../actors/runtime/LocalSystem.ts"
import { CardRoutes } from "../http/ingest/CardIngest.ts"
import { ChatAppRoutes } from "../http/ingest/ChatAppIngest.ts"
import { MobileMoneyRoutes } from "../http/ingest/MobileMoneyIngest.ts"
import { PbxRoutes } from "../http/pbx/PbxRoutes.ts"
import { WebrtcRoutes } from "../http/pbx/WebrtcRoutes.ts"
import { onlyRequestServices } from "../http/request/RequestServices.ts"
import { announcements } from "../layers/chatapp/SimulatedChatAppNotices.ts"
import { deriveKeys, loadSecrets, type Secrets } from "../layers/keyring/Secrets.ts"
import { requirePort } from "../layers/node/RequirePort.ts"
import * as Database from "../layers/postgres/database/Database.ts"
import * as Partitions from "../layers/postgres/database/Partitions.ts"
import { startEmbedded } from "../layers/postgres/embedded/EmbeddedPostgres.ts"
import { InstanceLock } from "../layers/postgres/embedded/InstanceLock.ts"
import { migrate } from "../layers/postgres/migrations/Migrations.ts"
import { seed } from "../layers/postgres/seed/Seed.ts"
import type { Demo } from "../layers/postgres/seed/SeedFile.ts"
import * as CallSimulation from "./simulation/CallSimulation.ts"
import * as OperationsGauges from "../layers/telemetry/OperationsGauges.ts"
import { overload } from "./Capacity.ts"
import { builtInGateway, sandboxNetwork } from "./BuiltInGateway.ts"
import * as Cluster from "./Cluster.ts"
import { consoleRoutesOf } from "./Console.ts"
import { guideRoutes } from "./guides/GuideFiles.ts"
import { ready } from "./DatabaseReadiness.ts"
import { commonTime, engineClock } from "./EngineClock.ts"
import { ports } from "./Ports.ts"
import { Server } from "./Server.ts"
import { Settings } from "./Settings.ts"

type SettingsShape = Settings["Service"]

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

/** Runs all actors in this process, or each in one of the processes that share the database. */
const placement = ({ cluster, data_dir, runner_host, runner_port }: SettingsShape, { master_keys }: Secrets) =>
  cluster
    ? Cluster.layer({
        host: runner_host,
        port: runner_port,
        keys: deriveKeys(master_keys, "runner"),
        folder: join(data_dir, "runners")
      })
    : LocalSystem.layer

const facades = Layer.merge(announcements.pipe(Layer.provideMerge(engineCore)), CallSimulation.layer)

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
    const engine = facades.pipe(
      Layer.provideMerge(placement(settings, secrets)),
      Layer.provideMerge(ports(settings, secrets)),
      Layer.provideMerge(commonTime(settings)),
      Layer.provideMerge(database(settings))
    )
    const { base_url, environment, host, metrics_token, otlp_url, port } = settings
    const { cluster, rate_limits, request_timeout_s, shutdown_delay_s, trusted_proxies } = settings
    const secure_cookies = environment === "production" || base_url.startsWith("https:")
    const otherRoutes = onlyRequestServices(
      Layer.mergeAll(
        PbxRoutes,
        MobileMoneyRoutes,
        CardRoutes,
        ChatAppRoutes,
        WebrtcRoutes,
        consoleRoutesOf(settings),
        guideRoutes
      )
    )
    const gauge_interval = otlp_url === undefined ? undefined : gaugeInterval
    const server = Server(
      {
        host,
        port,
        cluster,
        rate_limits,
        request_timeout_s,
        shutdown_delay_s,
        secure_cookies,
        metrics_token,
        trusted_proxies,
        gauge_interval
      },
      otherRoutes
    ).pipe(Layer.provide([ready, overload(settings)]))
    return server.pipe(
      Layer.provideMerge(
        Layer.mergeAll(builtInGateway(settings), sandboxNetwork, seeded(settings), OperationsGauges.layer).pipe(
          Layer.provideMerge(engine)
        )
      ),
      Layer.provide(engineClock(settings))
    )
  })
)
