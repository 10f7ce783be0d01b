// A PostgreSQL server that a test makes sick, in each way that docs/operations.md names ("Faults").
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { applicationPrefix } from "../../src/layers/postgres/database/Database.ts"
import {
  type EmbeddedServer,
  startEmbedded,
  startEphemeral
} from "../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { overTcp } from "./DatabaseUrl.ts"
import { makeRelay, type Relay } from "./Relay.ts"
import { until } from "./Until.ts"

export interface SickDatabase {
  /** For the checks of the test, past the relay. */
  readonly server: EmbeddedServer
  /** What the engine connects to. */
  readonly url: string
  readonly relay: Relay
  /** The file system of its own on which the server is. Undefined where none can be mounted. */
  readonly disk: string | undefined
}

/** Small, so that it is full at once, and large enough for what a test writes. */
const disk_size = "400m"

/** A file system of its own, for which a process needs to be allowed to mount one. */
const mountDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "trunkline-disk-"))
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${disk_size},mode=755`, "none", path], { stdio: "ignore" })
      return { path, isMounted: true }
    } catch {
      return { path, isMounted: false }
    }
  }),
  ({ isMounted, path }) =>
    Effect.sync(() => {
      if (isMounted) execFileSync("umount", ["-l", path])
      rmSync(path, { recursive: true, force: true })
    })
)

/** Starts a server and a relay to it. */
export const makeSickDatabase = Effect.gen(function* () {
  const { isMounted, path } = yield* mountDisk
  const server = yield* isMounted ? startEmbedded({ data_dir: path }) : startEphemeral("memory")
  const relay = yield* makeRelay(server.port)
  const url = overTcp(server.url)
  url.port = String(relay.port)
  return { server, url: url.href, relay, disk: isMounted ? path : undefined } satisfies SickDatabase
})

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)

/** A child may have ended since it was listed. */
const signalIfAlive = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

const signalAll = (pid: number, signal: "SIGSTOP" | "SIGCONT") =>
  Effect.sync(() => {
    // The parent first: it starts no further ones then.
    process.kill(pid, signal)
    for (const child of childrenOf(pid)) signalIfAlive(child, signal)
  })

/** For sessions that begin from now on. Those that are open stay as they are, also when this is taken back. */
const setReadOnly = (value: "on" | "off") =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    sql.withTransaction(
      Effect.andThen(
        // A session of the test may have begun meanwhile, too.
        sql.unsafe("SET TRANSACTION READ WRITE"),
        sql.unsafe(`ALTER ROLE trunkline SET default_transaction_read_only = ${value}`)
      )
    )
  )

const ofEngine = (sql: PgClient.PgClient) =>
  sql`starts_with(application_name, ${applicationPrefix}) AND application_name <> ${applicationPrefix + process.pid}`

/** Ends the engine's sessions, so that it connects again. */
const endSessions = Effect.flatMap(
  PgClient.PgClient,
  (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofEngine(sql)}`
)

/** Takes every connection that the server still has, while the engine has none. */
const occupy = ({ relay, server }: SickDatabase) =>
  Effect.gen(function* () {
    yield* relay.cut
    const sql = yield* PgClient.PgClient
    const engines = sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE ${ofEngine(sql)}`
    yield* until("end of the engine's sessions", engines, ([row]) => row?.count === 0)
    const scope = yield* Scope.make()
    const one = Scope.provide(PgConnection.make({ url: server.url }), scope)
    let isFull = false
    while (!isFull) isFull = Exit.isFailure(yield* Effect.exit(one))
    yield* relay.mend
    return scope
  })

const ballast = (disk: string) => join(disk, "ballast")

/** Writes until nothing more fits. */
const fill = (disk: string) =>
  Effect.sync(() => {
    const file = openSync(ballast(disk), "w")
    for (const size of [1_048_576, 4_096]) {
      const bytes = Buffer.alloc(size)
      try {
        while (writeSync(file, bytes) === size) continue
      } catch {
        continue
      }
    }
    closeSync(file)
  })

export interface Fault {
  /** The end of the sentence "a database that …". */
  readonly title: string
  /** Makes the server sick until its scope ends. */
  readonly strike: (database: SickDatabase) => Effect.Effect<unknown, unknown, Scope.Scope | PgClient.PgClient>
  /** `away`: they are answered with 503. `served`: they succeed. `partly`: it depends on the moment. */
  readonly reads: "away" | "served" | "partly"
  readonly writes: "away" | "served" | "partly"
  /** The alerts of deploy/prometheus/alerts.yml whose condition holds. */
  readonly alerts: ReadonlyArray<string>
  /** What was sent may have been stored, so its sender is told that this is not known. */
  readonly leavesUnknown?: boolean
  readonly needsDisk?: true
}

const between = (begin: Effect.Effect<unknown, unknown, PgClient.PgClient>, end: typeof begin) =>
  Effect.acquireRelease(begin, () => Effect.orDie(end))

/** How much slower a statement is, on the clock of an engine that runs at `speed`. */
const slower_ms = 200

/** The faults, for an engine whose clock runs `speed` times as fast as real time. */
export const faultsAt = (speed: number): ReadonlyArray<Fault> => [
  {
    title: "is frozen",
    strike: ({ server }) => between(signalAll(server.pid(), "SIGSTOP"), signalAll(server.pid(), "SIGCONT")),
    reads: "away",
    writes: "away",
    leavesUnknown: true,
    alerts: ["TrunklineDecisionsNotStored"]
  },
  {
    title: "takes everything and answers nothing",
    strike: ({ relay }) => between(relay.swallow(true), relay.swallow(false)),
    reads: "away",
    writes: "away",
    leavesUnknown: true,
    alerts: ["TrunklineDecisionsNotStored"]
  },
  {
    title: `takes ${slower_ms} ms longer for each statement`,
    strike: ({ relay }) => between(relay.delay(slower_ms / speed), relay.delay(0)),
    reads: "served",
    writes: "served",
    alerts: ["TrunklineDatabaseSlow"]
  },
  {
    title: "is killed under load, and started again",
    strike: ({ server }) => Effect.sync(() => process.kill(server.pid(), "SIGQUIT")),
    reads: "partly",
    writes: "partly",
    alerts: []
  },
  {
    title: "is read-only",
    strike: () => between(Effect.andThen(setReadOnly("on"), endSessions), setReadOnly("off")),
    reads: "served",
    writes: "away",
    alerts: ["TrunklineDecisionsNotStored"]
  },
  {
    title: "has no connection left",
    strike: (database) => Effect.acquireRelease(occupy(database), (scope) => Scope.close(scope, Exit.void)),
    reads: "away",
    writes: "away",
    alerts: ["TrunklineDecisionsNotStored"]
  },
  {
    title: "has no room left on its disk",
    strike: ({ disk = "" }) =>
      between(
        fill(disk),
        Effect.sync(() => rmSync(ballast(disk)))
      ),
    reads: "partly",
    writes: "partly",
    alerts: ["TrunklineDecisionsNotStored"],
    needsDisk: true
  }
]
