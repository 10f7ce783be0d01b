// The other checkout of a comparison: a folder, or a commit in a temporary worktree.
import { Console, Data, Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

/** There is no such commit in this clone. */
export class NoSuchCommit extends Data.TaggedError("NoSuchCommit")<{ readonly message: string }> {}

const here = join(import.meta.dirname, "../..")
const run = promisify(execFile)
const git = (...words: ReadonlyArray<string>) =>
  Effect.tryPromise(async () => (await run("git", words, { cwd: here })).stdout.trim())

const commitOf = (ref: string) =>
  Effect.catch(git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`), () =>
    Effect.gen(function* () {
      const shallow = (yield* Effect.orElseSucceed(git("rev-parse", "--is-shallow-repository"), () => "")) === "true"
      const why = shallow ? "this clone is shallow: git fetch --unshallow fetches it" : "this clone does not have it"
      return yield* new NoSuchCommit({ message: `There is no commit ${ref} to compare with, for ${why}` })
    })
  )

const sameFile = async (name: string, folder: string): Promise<boolean> =>
  (await readFile(join(here, name), "utf8")) === (await readFile(join(folder, name), "utf8"))

/** Takes the packages of this checkout if they are the same, and installs those of the other one if they are not. */
const install = (folder: string) =>
  Effect.gen(function* () {
    if (yield* Effect.promise(() => sameFile("package-lock.json", folder))) {
      yield* Effect.promise(() => symlink(join(here, "node_modules"), join(folder, "node_modules")))
      return
    }
    yield* Console.log("  its packages are other ones: npm ci")
    yield* Effect.promise(() => run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, maxBuffer: 2 ** 26 }))
  })

/** Writes what is not committed and without which the engine does not start. */
const generate = (folder: string) =>
  Effect.promise(() => run(process.execPath, ["scripts/build-client-types.ts"], { cwd: folder }))

const worktree = Effect.fnUntraced(function* (ref: string) {
  const commit = yield* commitOf(ref)
  const parent = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-compare-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const folder = join(parent, "checkout")
  yield* Effect.acquireRelease(git("worktree", "add", "--detach", folder, commit), () =>
    Effect.ignore(git("worktree", "remove", "--force", folder))
  )
  yield* install(folder)
  yield* generate(folder)
  return { name: commit.startsWith(ref) ? commit.slice(0, 8) : ref, folder }
})

export interface Checkout {
  readonly name: string
  readonly folder: string
}

export const thisCheckout: Checkout = { name: "here", folder: here }

/** A folder is taken as it is; anything else is a commit, a branch or a tag. */
export const checkoutOf = (ref: string) =>
  Effect.suspend(() =>
    existsSync(ref) && statSync(ref).isDirectory()
      ? Effect.succeed<Checkout>({ name: ref, folder: resolve(ref) })
      : worktree(ref)
  )
