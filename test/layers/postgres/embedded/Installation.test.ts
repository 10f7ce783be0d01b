import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkLibraries } from "../../../../src/layers/postgres/embedded/Installation.ts"

/** A package as npm unpacks it: with the list of its links, and without the links. */
const unpacked = Effect.acquireRelease(
  Effect.promise(async () => {
    const root = await mkdtemp(join(tmpdir(), "trunkline-libraries-"))
    await mkdir(join(root, "native/lib"), { recursive: true })
    await writeFile(join(root, "native/lib/libpq.so.5.18"), "the library")
    const links = ["libpq.so", "libpq.so.5"].map((name) => ({
      source: "native/lib/libpq.so.5.18",
      target: `native/lib/${name}`
    }))
    await writeFile(join(root, "native/pg-symlinks.json"), JSON.stringify(links))
    return join(root, "native")
  }),
  (native) => Effect.promise(() => rm(join(native, ".."), { recursive: true }))
)

describe("the libraries of the embedded PostgreSQL", () => {
  it.effect("are linked where no install script has run, once, by any number of processes", () =>
    Effect.gen(function* () {
      const native = yield* unpacked
      yield* Effect.all([linkLibraries(native), linkLibraries(native)], { concurrency: "unbounded" })
      yield* linkLibraries(native)
      const text = Effect.promise(() => readFile(join(native, "lib/libpq.so.5"), "utf8"))
      assert.strictEqual(yield* text, "the library")
      assert.strictEqual(yield* Effect.promise(() => readlink(join(native, "lib/libpq.so"))), "libpq.so.5.18")
    }).pipe(Effect.scoped)
  )

  it.effect("need no links where the package lists none", () =>
    Effect.gen(function* () {
      const native = yield* unpacked
      yield* Effect.promise(() => rm(join(native, "pg-symlinks.json")))
      yield* linkLibraries(native)
    }).pipe(Effect.scoped)
  )
})
