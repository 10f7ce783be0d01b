import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, lstat, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { session } from "../../../../src/layers/postgres/database/Database.ts"
import {
  type EmbeddedServer,
  startEmbedded,
  startEphemeral
} from "../../../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { isAlive } from "../../../../src/layers/postgres/embedded/Postmaster.ts"
import { overTcp } from "../../../support/DatabaseUrl.ts"
import { untilHolds } from "../../../support/Until.ts"

/** A folder that the server's own user may enter, removed at the end with the database that it may link to. */
const dataDir = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "trunkline-embedded-"))
    await chmod(folder, 0o755)
    return folder
  }),
  (folder) =>
    Effect.promise(async () => {
      const home = await realpath(join(folder, "postgres")).catch(() => folder)
      await rm(home, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    })
)

const query = (url: Redacted.Redacted, sql: string) =>
  PgConnection.make(session(url)).pipe(
    Effect.flatMap((connection) => connection.query(sql)),
    Effect.map((result) => result.rows),
    Effect.scoped
  )

/** Another engine, as a process of its own. */
const startChild = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.callback<{ child: ChildProcess; pid: number; url: Redacted.Redacted }, Error>((resume) => {
      const child = spawn(process.execPath, ["test/support/EmbeddedChild.ts", ...args], { detached: true })
      child.stdout.once("data", (line: Buffer) => {
        const { pid, url } = JSON.parse(line.toString()) as { pid: number; url: string }
        resume(Effect.succeed({ child, pid, url: Redacted.make(url) }))
      })
      child.once("exit", () => resume(Effect.fail(new Error("The child ended before it was ready"))))
    }),
    ({ child }) => kill(child)
  )

/** SIGKILL to its whole process group, as a terminal's or a supervisor's kill would do. */
const kill = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    process.kill(-(child.pid ?? 0), "SIGKILL")
  })

/**
 * Each starts servers of its own, and some make a database for each: all of them at once, on a busy machine, take their
 * time.
 */
const options = { concurrent: true, timeout: 90_000 }

describe("startEmbedded", options, () => {
  it.live("keeps the data from start to start and leaves no process", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const write = Effect.gen(function* () {
        const server = yield* startEmbedded({ data_dir })
        yield* query(server.url, "CREATE TABLE kept AS SELECT 7 AS value")
        return server.pid()
      })
      const pid = yield* Effect.scoped(write)
      assert.isFalse(isAlive(pid))
      const server = yield* startEmbedded({ data_dir })
      assert.deepStrictEqual(yield* query(server.url, "SELECT value FROM kept"), [{ value: 7 }])
    }).pipe(Effect.scoped)
  )

  it.live("flushes commits, is reached from this machine alone and requires the password", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const server = yield* startEmbedded({ data_dir })
      const rows = yield* query(
        server.url,
        `SELECT name, setting FROM pg_settings
         WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories')
         ORDER BY name`
      )
      assert.deepStrictEqual(
        rows.map((row) => row["setting"]),
        ["on", "on", "127.0.0.1", "on", yield* Effect.promise(() => realpath(join(data_dir, "postgres", "sockets")))]
      )
      for (const url of [new URL(Redacted.value(server.url)), overTcp(server.url)]) {
        assert.deepStrictEqual(yield* query(Redacted.make(url.href), "SELECT 1 AS one"), [{ one: 1 }])
        url.password = "guess"
        const error = yield* Effect.flip(query(Redacted.make(url.href), "SELECT 1"))
        assert.strictEqual(error.reason._tag, "AuthenticationError")
      }
      const modes = yield* Effect.promise(() =>
        Promise.all(["password", "sockets"].map((name) => stat(join(data_dir, "postgres", name))))
      )
      assert.deepStrictEqual(
        modes.map(({ mode }) => mode & 0o777),
        [0o600, 0o700]
      )
    }).pipe(Effect.scoped)
  )

  it.live("is reached by its Unix socket, also after it was restarted", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const server = yield* startEmbedded({ data_dir })
      const overSocket = query(server.url, "SELECT inet_client_addr() IS NULL AS by_socket")
      assert.deepStrictEqual(yield* overSocket, [{ by_socket: true }])
      const pid = server.pid()
      process.kill(pid, "SIGKILL")
      yield* untilHolds("the server runs again", () => server.pid() !== pid)
      assert.deepStrictEqual(yield* overSocket, [{ by_socket: true }])
      // A second process finds the socket of a server that is in use.
      const used = yield* PgConnection.make(session(server.url))
      yield* used.query("SELECT 1")
      const sharing = yield* startChild(data_dir)
      assert.strictEqual(Redacted.value(sharing.url), Redacted.value(server.url))
    }).pipe(Effect.scoped)
  )

  it.live("is reached by TCP where the path of a socket would be too long", () =>
    Effect.gen(function* () {
      const data_dir = join(yield* dataDir, "long".repeat(20))
      const server = yield* startEmbedded({ data_dir })
      assert.isNull(new URL(Redacted.value(server.url)).searchParams.get("host"))
      const [row] = yield* query(server.url, "SELECT inet_client_addr() IS NULL AS by_socket")
      assert.deepStrictEqual(row, { by_socket: false })
    }).pipe(Effect.scoped)
  )

  it.live("finds and stops the orphan after kill -9 of the engine, with every commit", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const orphan = yield* startChild(data_dir)
      yield* kill(orphan.child)
      assert.isTrue(isAlive(orphan.pid))
      const server = yield* startEmbedded({ data_dir })
      assert.isFalse(isAlive(orphan.pid))
      assert.notStrictEqual(server.pid(), orphan.pid)
      assert.deepStrictEqual(yield* query(server.url, "SELECT id FROM seen"), [{ id: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("recovers every commit after kill -9 of engine and server", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const orphan = yield* startChild(data_dir)
      yield* kill(orphan.child)
      process.kill(orphan.pid, "SIGKILL")
      const server = yield* startEmbedded({ data_dir })
      assert.deepStrictEqual(yield* query(server.url, "SELECT id FROM seen"), [{ id: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("starts a server that ended again, on the same port", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const server = yield* startEmbedded({ data_dir })
      yield* query(server.url, "CREATE TABLE kept AS SELECT 7 AS value")
      const first = server.pid()
      process.kill(first, "SIGKILL")
      yield* untilHolds("restart of PostgreSQL", () => server.pid() !== first)
      assert.deepStrictEqual(yield* query(server.url, "SELECT value FROM kept"), [{ value: 7 }])
    }).pipe(Effect.scoped)
  )

  it.live("ignores a pid file that names another process, and does not stop that process", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      yield* Effect.scoped(startEmbedded({ data_dir }))
      const file = join(data_dir, "postgres", "data", "postmaster.pid")
      yield* Effect.promise(() => writeFile(file, `${process.pid}\n/elsewhere\n1\n5432\n\n127.0.0.1\n\nready\n`))
      const server = yield* startEmbedded({ data_dir })
      assert.deepStrictEqual(yield* query(server.url, "SELECT 1 AS one"), [{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("shares a server that another live process uses, and leaves it running", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      const other = yield* startChild(data_dir)
      const pid = yield* Effect.scoped(Effect.map(startEmbedded({ data_dir }), (server) => server.pid()))
      assert.strictEqual(pid, other.pid)
      assert.isTrue(isAlive(pid))
      assert.deepStrictEqual(yield* query(other.url, "SELECT id FROM seen"), [{ id: 1 }])
      yield* kill(other.child)
      yield* Effect.scoped(startEmbedded({ data_dir }))
      assert.isFalse(isAlive(pid))
    }).pipe(Effect.scoped)
  )

  it.live("works for root in a private folder, and leaves nothing outside of it", () =>
    Effect.gen(function* () {
      const home = yield* dataDir
      yield* Effect.promise(() => chmod(home, 0o700))
      const data_dir = join(home, "data")
      const write = Effect.flatMap(startEmbedded({ data_dir }), ({ url }) =>
        query(url, "CREATE TABLE kept AS SELECT 7 AS value")
      )
      yield* Effect.scoped(write)
      const read = Effect.flatMap(startEmbedded({ data_dir }), ({ url }) => query(url, "SELECT value FROM kept"))
      assert.deepStrictEqual(yield* Effect.scoped(read), [{ value: 7 }])
      const isLink = (yield* Effect.promise(() => lstat(join(data_dir, "postgres")))).isSymbolicLink()
      assert.strictEqual(isLink, process.getuid?.() === 0)
      const target = yield* Effect.promise(() => realpath(join(data_dir, "postgres")))
      yield* Effect.promise(() => rm(data_dir, { recursive: true }))
      const tables = Effect.flatMap(startEmbedded({ data_dir }), ({ url }) =>
        query(url, "SELECT to_regclass('kept')::text AS kept")
      )
      assert.deepStrictEqual(yield* Effect.scoped(tables), [{ kept: null }])
      const second = yield* Effect.promise(() => realpath(join(data_dir, "postgres")))
      for (const folder of [target, second]) yield* Effect.promise(() => rm(folder, { recursive: true, force: true }))
    }).pipe(Effect.scoped)
  )

  it.live("refuses a link whose database is gone, instead of starting an empty one", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      yield* Effect.promise(() => symlink(join(data_dir, "gone"), join(data_dir, "postgres")))
      const error = yield* Effect.flip(Effect.scoped(startEmbedded({ data_dir })))
      assert.include(error.message, "is gone")
    }).pipe(Effect.scoped)
  )

  it.live("prints PostgreSQL's own message when it does not start", () =>
    Effect.gen(function* () {
      const data_dir = yield* dataDir
      yield* Effect.scoped(startEmbedded({ data_dir }))
      const version = join(data_dir, "postgres", "data", "PG_VERSION")
      yield* Effect.promise(() => writeFile(version, "9.6\n"))
      const error = yield* Effect.flip(Effect.scoped(startEmbedded({ data_dir })))
      assert.include(error.message, "version 9.6")
    }).pipe(Effect.scoped)
  )
})

describe("startEphemeral", options, () => {
  const folderOf = (server: EmbeddedServer) =>
    Effect.map(query(server.url, "SHOW data_directory"), ([row]) => dirname(dirname(String(row?.["data_directory"]))))

  it.live("removes everything with its scope", () =>
    Effect.gen(function* () {
      const [pid, folder] = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* startEphemeral("disk")
          return [server.pid(), yield* folderOf(server)] as const
        })
      )
      assert.isFalse(isAlive(pid))
      assert.isFalse(existsSync(folder))
      assert.isTrue(folder.startsWith(tmpdir()))
    })
  )

  it.live("removes what a killed process left", () =>
    Effect.gen(function* () {
      const orphan = yield* startChild()
      const status = yield* Effect.promise(() => readFile(`/proc/${orphan.pid}/cmdline`, "utf8").catch(() => ""))
      yield* kill(orphan.child)
      yield* startEphemeral("memory")
      assert.isFalse(isAlive(orphan.pid))
      const data = status.split("\0")[2]
      if (data !== undefined) assert.isFalse(existsSync(data))
    }).pipe(Effect.scoped)
  )
})
