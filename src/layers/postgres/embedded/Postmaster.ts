// Finds (by its pid file), starts and stops the server process of one data folder.
import { Effect, Schedule } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Cluster } from "./Cluster.ts"
import { attempt, environment, run } from "./Command.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { errorCode } from "../../node/ErrorCode.ts"

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** Folder of its Unix socket, or empty. */
  readonly sockets: string
}

/** Parameters of PostgreSQL by name. */
export type ServerSettings = Readonly<Record<string, string>>

const settings: ServerSettings = {
  listen_addresses: "127.0.0.1",
  max_connections: "60",
  shared_buffers: "128MB",
  synchronous_commit: "on",
  wal_compression: "on",
  max_wal_size: "1GB",
  checkpoint_timeout: "15min",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning"
}

/** A container's first process may leave zombies. /proc exists on Linux only. */
const isZombie = (pid: number): boolean => {
  try {
    return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Whether a process with this id runs, whoever owns it. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false
  }
  return !isZombie(pid)
}

/** The first lines of postmaster.pid, as PostgreSQL's pidfile.h defines them. */
const readPidFile = async (data: string) => {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")
  const lines = text.split("\n")
  return {
    pid: Number(lines[0]),
    port: Number(lines[3]),
    sockets: lines[4]?.trim() ?? "",
    status: lines[7]?.trim() ?? ""
  }
}

const commandLine = (pid: number) =>
  attempt(`read the command of process ${pid}`, () => readFile(`/proc/${pid}/cmdline`, "utf8")).pipe(
    Effect.catch(() => run("ps", ["-p", String(pid), "-o", "command="])),
    Effect.catch(() => Effect.succeed(""))
  )

/**
 * Returns the live server of this data folder. Removes a pid file whose process is gone or is another program (the id
 * was reused after a reboot), because PostgreSQL would refuse to start.
 */
export const findPostmaster = Effect.fnUntraced(function* (cluster: Pick<Cluster, "data">) {
  const { pid, port, sockets } = yield* Effect.promise(() => readPidFile(cluster.data))
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (isAlive(pid) && (yield* commandLine(pid)).includes(cluster.data))
    return { pid, port, sockets } satisfies Postmaster
  yield* attempt("remove a stale postmaster.pid", () => rm(join(cluster.data, "postmaster.pid"), { force: true }))
  return undefined
})

const lastLog = (home: string) =>
  Effect.promise(() =>
    readFile(join(home, "server.log"), "utf8").then(
      (log) => log.slice(-2_000),
      () => ""
    )
  )

const notReady = new EmbeddedPostgresError({ message: "PostgreSQL is not ready yet" })

/** Waits until the server accepts connections. A crash recovery reads at most `max_wal_size` of log. */
export const awaitReady = (cluster: Cluster, pid: number) =>
  Effect.gen(function* () {
    if (!isAlive(pid)) {
      return yield* new EmbeddedPostgresError({
        message: `PostgreSQL ended during its start.\n${yield* lastLog(cluster.home)}`,
        cause: "ended"
      })
    }
    const file = yield* Effect.promise(() => readPidFile(cluster.data))
    if (file.pid !== pid || file.status !== "ready") return yield* notReady
  }).pipe(Effect.retry({ while: (error) => error === notReady, schedule: Schedule.spaced("5 millis"), times: 24_000 }))

const logSizeMax = 1_048_576

/**
 * Starts the server in its own process group, so that Ctrl-C in a terminal does not stop it before the engine has
 * drained. It logs to a file, so that it can outlive a killed engine.
 */
export const startPostmaster = Effect.fnUntraced(function* (
  cluster: Cluster,
  port: number,
  overrides: ServerSettings = {}
) {
  const { home, data, installation, sockets = "" } = cluster
  const path = join(home, "server.log")
  const size = yield* Effect.promise(() =>
    stat(path).then(
      (file) => file.size,
      () => 0
    )
  )
  const child = yield* Effect.try({
    try: () => {
      const log = openSync(path, size > logSizeMax ? "w" : "a", 0o600)
      const all = { ...settings, unix_socket_directories: sockets, ...overrides }
      const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
      const started = spawn(installation.postgres, ["-D", data, "-p", String(port), ...flags], {
        ...installation.user,
        cwd: "/",
        env: environment,
        detached: true,
        stdio: ["ignore", log, log]
      })
      closeSync(log)
      started.unref()
      started.on("error", () => {})
      return started
    },
    catch: (cause) => new EmbeddedPostgresError({ message: `Cannot start PostgreSQL: ${String(cause)}`, cause })
  })
  const { pid } = child
  if (pid === undefined) return yield* new EmbeddedPostgresError({ message: `Cannot run ${installation.postgres}` })
  yield* awaitReady(cluster, pid)
  return { child, pid, port, sockets: overrides["unix_socket_directories"] === undefined ? sockets : "" }
})

/** Waits until the process has ended. */
export const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const listener = () => resume(Effect.void)
    child.once("exit", listener)
    return Effect.sync(() => child.off("exit", listener))
  })

const signal = (pid: number, name: "SIGINT" | "SIGQUIT") =>
  Effect.sync(() => {
    if (isAlive(pid)) process.kill(pid, name)
  })

const gone = (pid: number) =>
  Effect.suspend(() => (isAlive(pid) ? Effect.fail(notReady) : Effect.void)).pipe(
    Effect.retry(Schedule.spaced("10 millis"))
  )

/** Fast shutdown: ends sessions and flushes. After 20 s, immediate shutdown, after which the next start recovers. */
export const stopPostmaster = (pid: number) =>
  signal(pid, "SIGINT").pipe(
    Effect.andThen(gone(pid)),
    Effect.timeoutOrElse({ duration: "20 seconds", orElse: () => Effect.andThen(signal(pid, "SIGQUIT"), gone(pid)) })
  )
