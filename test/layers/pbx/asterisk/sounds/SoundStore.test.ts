import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NoSound } from "../../../../../src/layers/pbx/asterisk/sounds/NoSound.ts"
import { makeSoundStore, soundName } from "../../../../../src/layers/pbx/asterisk/sounds/SoundStore.ts"

const block = 4096
const limits = { total_bytes: 5 * block, workspace_bytes: 3 * block }

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "sounds-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

/** A store on a folder. Each sound takes one block; `made` has the names in the order in which they were made. */
const makeStore = (folder: string) =>
  Effect.gen(function* () {
    const made: Array<string> = []
    let at = Date.now()
    const store = yield* makeSoundStore({ folder, limits, now: () => ++at })
    const get = (owner: string, name: string, before: Effect.Effect<void, NoSound> = Effect.void) =>
      store.get(owner, soundName(name), (file) =>
        before.pipe(
          Effect.andThen(Effect.promise(() => writeFile(file, name))),
          Effect.andThen(Effect.sync(() => made.push(name)))
        )
      )
    /** Gets a sound and does not play it. */
    const use = (owner: string, name: string) => Effect.map(get(owner, name), ({ release }) => release())
    const has = (owner: string, name: string) => existsSync(join(folder, owner, `${soundName(name)}.wav`))
    return { get, has, made, use }
  })

const testStore = Effect.flatMap(temporaryFolder, makeStore)

describe("the stored sounds", () => {
  it.effect("are made once and found again", () =>
    Effect.gen(function* () {
      const { get, has, made } = yield* testStore
      const { path } = yield* get("a", "hello")
      assert.isTrue(existsSync(`${path}.wav`))
      assert.strictEqual((yield* get("a", "hello")).path, path)
      assert.deepStrictEqual(made, ["hello"])
      assert.isTrue(has("a", "hello"))
    })
  )

  it.effect("are made once for several requests at the same time", () =>
    Effect.gen(function* () {
      const { get, made } = yield* testStore
      const all = yield* Effect.all([get("a", "hello"), get("a", "hello"), get("a", "hello")], { concurrency: 3 })
      assert.strictEqual(new Set(all.map(({ path }) => path)).size, 1)
      assert.deepStrictEqual(made, ["hello"])
    })
  )

  it.effect("are made again after a failure, and leave nothing behind", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { get, made } = yield* makeStore(folder)
      const failed = yield* Effect.flip(
        get("a", "hello", new NoSound({ error: "sound_failed", reason: "the program is missing" }))
      )
      assert.deepInclude(failed, { error: "sound_failed" })
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(folder, "a"))), [])
      yield* get("a", "hello")
      assert.deepStrictEqual(made, ["hello"])
    })
  )

  it.effect("of a workspace over its limit are removed, those least recently used first", () =>
    Effect.gen(function* () {
      const { has, use } = yield* testStore
      for (const name of ["one", "two", "three", "one", "four"]) yield* use("a", name)
      assert.deepStrictEqual(
        ["one", "two", "three", "four"].map((name) => has("a", name)),
        [true, false, false, true]
      )
    })
  )

  it.effect("of all workspaces over the limit are removed, those least recently used first", () =>
    Effect.gen(function* () {
      const { has, use } = yield* testStore
      for (const owner of ["a", "b", "c"]) for (const name of ["one", "two"]) yield* use(owner, name)
      assert.deepStrictEqual(
        ["a", "b", "c"].map((owner) => has(owner, "one")),
        [false, true, true]
      )
    })
  )

  it.effect("stay while they are played, and a new one is refused if there is no room", () =>
    Effect.gen(function* () {
      const { get, has, use } = yield* testStore
      const [first] = yield* Effect.forEach(["one", "two", "three"], (name) => get("a", name))
      assert.deepInclude(yield* Effect.flip(get("a", "four")), { error: "sounds_full" })
      assert.isFalse(has("a", "four"))
      first!.release()
      first!.release()
      yield* use("a", "four")
      assert.deepStrictEqual(
        ["one", "two", "three", "four"].map((name) => has("a", name)),
        [false, true, true, true]
      )
    })
  )

  it.effect("are not held by a request that was interrupted", () =>
    Effect.gen(function* () {
      const { get, has, use } = yield* testStore
      const open = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(get("a", "one", Deferred.await(open)), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(open, undefined)
      yield* use("a", "one")
      for (const name of ["two", "three", "four"]) yield* use("a", name)
      assert.isFalse(has("a", "one"))
    })
  )

  it.effect("are found by the next engine, which removes what was left unfinished and what is too much", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(async () => {
        await mkdir(join(folder, "a"))
        await writeFile(join(folder, `${soundName("old")}.wav`), "of an older engine")
        await writeFile(join(folder, "a", `${soundName("half")}.partial.wav.raw`), "cut off")
        for (const [index, name] of ["one", "two", "three", "four"].entries()) {
          const file = join(folder, "a", `${soundName(name)}.wav`)
          await writeFile(file, name)
          await utimes(file, 1_000 + index, 1_000 + index)
        }
      })
      const { get, made } = yield* makeStore(folder)
      yield* get("a", "four")
      assert.deepStrictEqual(made, [])
      const left = yield* Effect.promise(() => readdir(folder, { recursive: true }))
      assert.sameMembers(left, ["a", ...["three", "four"].map((name) => join("a", `${soundName(name)}.wav`))])
    })
  )

  it.effect("are made again if somebody else has removed the file", () =>
    Effect.gen(function* () {
      const { get, made } = yield* testStore
      const { path } = yield* get("a", "hello")
      yield* Effect.promise(() => rm(`${path}.wav`))
      yield* get("a", "hello")
      assert.deepStrictEqual(made, ["hello", "hello"])
    })
  )
})
