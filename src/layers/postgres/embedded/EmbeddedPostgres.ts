/**
 * The embedded PostgreSQL: one server for each data folder, on a free loopback port. This project itself reaches it by
 * its Unix socket, which costs less, where there can be one.
 *
 * The server is restarted if it ends before its scope closes. It outlives an engine that was killed; the next start
 * shuts it down cleanly and starts its own. If another live process of this project uses the server, it is shared, and
 * the last process that leaves stops it.
 */
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { chmod, mkdtemp, readdir, realpath, rm, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../node/FreePort.ts"
import { applicationPrefix, session } from "../database/Database.ts"
import { type Cluster, openCluster } from "./Cluster.ts"
import { attempt } from "./Command.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { findInstallation } from "./Installation.ts"
import {
  awaitReady,
  ended,
  findPostmaster,
  isAlive,
  type Postmaster,
  type ServerSettings,
  startPostmaster,
  stopPostmaster
} from "./Postmaster.ts"

export interface EmbeddedServer {
  /** Connection URL of the database `postgres`, with the password. Its `host` is the folder of the Unix socket. */
  readonly url: Redacted.Redacted
  readonly port: number
  /** Process id of the server. It changes when the server is restarted. */
  readonly pid: () => number
}

const unusedPort = Effect.mapError(
  freePort("127.0.0.1"),
  ({ cause, message }) => new EmbeddedPostgresError({ message, cause })
)

const urlOf = ({ password }: Cluster, { port, sockets }: Pick<Postmaster, "port" | "sockets">) => {
  const url = new URL(`postgres://trunkline:${password}@127.0.0.1:${port}/postgres`)
  if (sockets !== "") url.searchParams.set("host", sockets)
  return Redacted.make(url.href)
}

/** Whether another live process of this project is connected to the server. */
const usedByOthers = (cluster: Cluster, server: Postmaster) =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make(session(urlOf(cluster, server)))
    const { rows } = yield* connection.query(
      "SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE starts_with(application_name, $1)",
      [applicationPrefix]
    )
    const pids = rows.map((row) => Number(String(row["name"]).slice(applicationPrefix.length)))
    return pids.some((pid) => pid !== process.pid && isAlive(pid))
  }).pipe(
    Effect.scoped,
    Effect.mapError(
      (cause) =>
        new EmbeddedPostgresError({
          message: `Cannot see who uses PostgreSQL on port ${server.port}: ${cause.message}`,
          cause
        })
    )
  )

/** Returns a running server to share. Stops an orphaned one. Retries while a server is shutting down. */
const findShared = Effect.fnUntraced(
  function* (cluster: Cluster) {
    const found = yield* findPostmaster(cluster)
    if (found === undefined) return undefined
    yield* awaitReady(cluster, found.pid)
    if (yield* usedByOthers(cluster, found)) return found
    yield* stopPostmaster(found.pid)
    return undefined
  },
  (finding) => Effect.retry(finding, { schedule: Schedule.spaced("100 millis"), times: 50 })
)

const open = Effect.fnUntraced(function* (cluster: Cluster, port: number | undefined, overrides: ServerSettings) {
  const shared = yield* findShared(cluster)
  if (shared !== undefined) return { ...shared, child: undefined }
  return yield* startPostmaster(cluster, port ?? (yield* unusedPort), overrides)
})

const close = (cluster: Cluster) =>
  Effect.gen(function* () {
    const found = yield* findPostmaster(cluster)
    if (found === undefined || (yield* usedByOthers(cluster, found))) return
    yield* stopPostmaster(found.pid)
  }).pipe(Effect.catch((error) => Effect.logWarning(error.message)))

/** A concurrent start, or the last child processes of a killed server, can block a start for a moment. */
const isStillBlocked = (error: EmbeddedPostgresError) => /already exists|in use/.test(error.message)
const openRetry = { schedule: Schedule.spaced("100 millis"), times: 100, while: isStillBlocked }
const restartPause = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

const serve = Effect.fnUntraced(function* (
  cluster: Cluster,
  chosenPort: number | undefined,
  overrides: ServerSettings = {}
) {
  const first = yield* Effect.acquireRelease(open(cluster, chosenPort, overrides).pipe(Effect.retry(openRetry)), () =>
    close(cluster)
  )
  let { child, pid } = first
  const { port, sockets } = first
  const keepRunning = Effect.gen(function* () {
    if (child === undefined) return yield* Effect.never
    yield* ended(child)
    yield* Effect.logWarning(`PostgreSQL (process ${pid}) ended; restarting it`)
    const next = yield* Effect.retry(startPostmaster(cluster, port, overrides), restartPause)
    child = next.child
    pid = next.pid
  })
  yield* Effect.forkScoped(Effect.forever(keepRunning))
  return { url: urlOf(cluster, { port, sockets }), port, pid: () => pid } satisfies EmbeddedServer
})

/** Starts the server of a data folder. `port`: a free one if absent. The data stays for the next start. */
export const startEmbedded = (options: {
  readonly data_dir: string
  readonly port?: number
}): Effect.Effect<EmbeddedServer, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const installation = yield* findInstallation
    const cluster = yield* openCluster(options.data_dir, installation, { sync: true })
    return yield* serve(cluster, options.port)
  })

const memoryFolder = "/dev/shm"
const memoryMin_bytes = 2 * 1024 ** 3

const hasMemoryFolder = Effect.promise(() =>
  statfs(memoryFolder).then(
    ({ bavail, bsize }) => bavail * bsize >= memoryMin_bytes,
    () => false
  )
)

const removeEphemeral = (folder: string) =>
  Effect.promise(async () => {
    const home = await realpath(join(folder, "postgres")).catch(() => folder)
    await rm(home, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })

/** Removes databases of processes that were killed. The folder name holds the process id. */
const sweep = Effect.fnUntraced(function* (parent: string) {
  const names = yield* attempt(`list ${parent}`, () => readdir(parent))
  const orphans = names.filter((name) => {
    const [, owner] = /^trunkline-pg-(\d+)-/.exec(name) ?? []
    return owner !== undefined && !isAlive(Number(owner))
  })
  yield* Effect.forEach(orphans, (name) => Effect.ignore(removeOrphan(join(parent, name))), { discard: true })
})

const removeOrphan = Effect.fnUntraced(function* (folder: string) {
  const home = yield* Effect.promise(() => realpath(join(folder, "postgres")).catch(() => folder))
  const found = yield* findPostmaster({ data: join(home, "data") })
  if (found !== undefined) yield* stopPostmaster(found.pid)
  yield* removeEphemeral(folder)
})

/**
 * Starts a server whose data is removed when the scope closes. `disk` is as durable and as fast as the real one, for
 * benchmarks. `memory` uses /dev/shm if it has 2 GiB free, so that a flush costs nothing, for tests. `overrides`
 * changes settings of the server.
 */
export const startEphemeral = (
  where: "disk" | "memory",
  overrides: ServerSettings = {}
): Effect.Effect<EmbeddedServer, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const parent = where === "memory" && (yield* hasMemoryFolder) ? memoryFolder : tmpdir()
    yield* sweep(parent)
    const folder = yield* Effect.acquireRelease(
      attempt(`create a folder in ${parent}`, async () => {
        const path = await mkdtemp(join(parent, `trunkline-pg-${process.pid}-`))
        await chmod(path, 0o755)
        return path
      }),
      removeEphemeral
    )
    const installation = yield* findInstallation
    const cluster = yield* openCluster(folder, installation, { sync: false })
    return yield* serve(cluster, undefined, overrides)
  })
