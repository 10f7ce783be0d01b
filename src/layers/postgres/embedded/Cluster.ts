// The data folder of an embedded database. initdb creates it on first use.
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { chmod, chown, lstat, readFile, realpath, rename, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { makeFolder } from "../../node/MakeFolder.ts"
import { attempt, run } from "./Command.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { type Installation, reaches, sharedFolder } from "./Installation.ts"

export interface Cluster {
  readonly installation: Installation
  /** Folder of `data`, `password` and `server.log`. A real path without links. */
  readonly home: string
  readonly data: string
  readonly password: string
  /** Private folder of the server's Unix socket. Undefined where there can be none: then TCP is used. */
  readonly sockets: string | undefined
}

const exists = (path: string) =>
  Effect.promise(() =>
    lstat(path).then(
      () => true,
      () => false
    )
  )

const makePrivate = (path: string, { user }: Installation) =>
  attempt(`create ${path}`, async () => {
    await makeFolder(path, 0o700)
    if (user !== undefined) await chown(path, user.uid, user.gid)
  })

/**
 * The folder `postgres` below `data_dir`. If the server's user cannot reach it (an engine run by root with its data in
 * a private home), it is a link to a folder below /var/lib/trunkline. That folder has a random name, so a `data_dir`
 * that was removed and created again starts with an empty database.
 */
const homeOf = Effect.fnUntraced(function* (data_dir: string, installation: Installation) {
  const link = join(data_dir, "postgres")
  const { user } = installation
  yield* attempt(`create ${data_dir}`, () => makeFolder(data_dir))
  if (!(yield* exists(link))) {
    yield* makePrivate(link, installation)
    if (user !== undefined && !(yield* reaches(user, link))) {
      const home = join(sharedFolder, randomBytes(8).toString("hex"))
      yield* run("mkdir", ["-p", "-m", "755", sharedFolder])
      yield* makePrivate(home, installation)
      yield* attempt(`link ${link} to ${home}`, () => rmdir(link).then(() => symlink(home, link)))
    }
  }
  return yield* attempt(`open ${link}`, () => realpath(link)).pipe(
    Effect.mapError(
      (cause) =>
        new EmbeddedPostgresError({
          message: `The folder that ${link} points to is gone. Restore it, or remove ${data_dir} to start with an empty database.`,
          cause
        })
    )
  )
})

/** PostgreSQL requires that its user owns the folder. Fails early, with a message that names the owner. */
const checkOwner = (home: string, { user }: Installation) =>
  Effect.flatMap(
    attempt(`read ${home}`, () => stat(home)),
    ({ uid }) =>
      uid === (user?.uid ?? process.getuid?.() ?? uid)
        ? Effect.void
        : Effect.fail(
            new EmbeddedPostgresError({
              message: `${home} belongs to user ${uid}. Start the engine as that user.`
            })
          )
  )

const readOrCreatePassword = (path: string, { user }: Installation) =>
  attempt(`write ${path}`, async () => {
    const stored = await readFile(path, "utf8").catch(() => "")
    if (stored !== "") return stored
    const password = randomBytes(24).toString("base64url")
    await writeFile(path, password, { mode: 0o600 })
    if (user !== undefined) await chown(path, user.uid, user.gid)
    return password
  })

/** Runs initdb under a temporary name and renames the folder, so that an interrupted start leaves no half-made one. */
const initialise = Effect.fnUntraced(function* (home: string, data: string, installation: Installation, sync: boolean) {
  const partial = `${data}.${process.pid}`
  yield* run(
    installation.initdb,
    [
      `--pgdata=${partial}`,
      `--pwfile=${join(home, "password")}`,
      "--username=trunkline",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      ...(sync ? [] : ["--no-sync"])
    ],
    installation.user
  )
  yield* attempt(`move ${partial}`, () => rename(partial, data)).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        attempt(`remove ${partial}`, () => rm(partial, { recursive: true, force: true })),
        Effect.flatMap(exists(data), (made) => (made ? Effect.void : Effect.fail(error)))
      )
    )
  )
})

/** The longest path of a socket, in bytes: macOS has the least room (`sun_path` in sys/un.h), Linux four bytes more. */
const longestSocket = 103

/** PostgreSQL's name of a socket, with the longest port. */
const longestName = ".s.PGSQL.65535"

/** Some file systems, such as shared folders of virtual machines, hold no sockets. The server would not start there. */
const holdsSockets = (folder: string) =>
  Effect.callback<boolean>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(join(folder, `probe.${process.pid}`), () => server.close(() => resume(Effect.succeed(true))))
  })

const socketsOf = Effect.fnUntraced(function* (home: string, installation: Installation) {
  const folder = join(home, "sockets")
  if (Buffer.byteLength(join(folder, longestName)) > longestSocket) return undefined
  yield* makePrivate(folder, installation)
  yield* attempt(`close ${folder} to others`, () => chmod(folder, 0o700))
  return (yield* holdsSockets(folder)) ? folder : undefined
})

/** Finds or creates the data folder. `sync` false skips initdb's flush to disk, for temporary databases. */
export const openCluster = Effect.fnUntraced(function* (
  data_dir: string,
  installation: Installation,
  { sync }: { readonly sync: boolean }
) {
  const home = yield* homeOf(data_dir, installation)
  yield* checkOwner(home, installation)
  const data = join(home, "data")
  const password = yield* readOrCreatePassword(join(home, "password"), installation)
  if (!(yield* exists(data))) yield* initialise(home, data, installation, sync)
  const sockets = yield* socketsOf(home, installation)
  return { installation, home, data, password, sockets } satisfies Cluster
})
