import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { RecordingSpool } from "../../../src/domain/ports/calls/RecordingSpool.ts"
import { SpoolFolder } from "../../../src/layers/recordings/SpoolFolder.ts"

const world = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-spool-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  )
  const spool = yield* Effect.provide(RecordingSpool, SpoolFolder(join(root, "spool")))
  return { root, spool }
})

const content = (spool: RecordingSpool["Service"], key: string) =>
  Effect.gen(function* () {
    const { bytes, head, size_bytes } = yield* spool.open(key)
    return {
      size_bytes,
      head: Buffer.from(head).toString(),
      all: Buffer.concat(yield* Stream.runCollect(bytes)).toString()
    }
  })

const reason = (spool: RecordingSpool["Service"], key: string) =>
  Effect.map(Effect.flip(spool.open(key)), (failure) => failure.reason)

describe("the spool", () => {
  it.effect("returns what a gateway stored, and removes it on request", () =>
    Effect.gen(function* () {
      const { spool } = yield* world
      yield* spool.leave("HD_1/a.wav", Stream.make(Buffer.from("one "), Buffer.from("two")))
      assert.deepStrictEqual(yield* content(spool, "HD_1/a.wav"), { size_bytes: 7, head: "one two", all: "one two" })
      yield* spool.remove("HD_1/a.wav")
      yield* spool.remove("HD_1/a.wav")
      yield* spool.remove("nowhere/a.wav")
      assert.strictEqual(yield* reason(spool, "HD_1/a.wav"), "missing")
    })
  )

  it.effect("shows the first 4096 bytes apart from the whole", () =>
    Effect.gen(function* () {
      const { spool } = yield* world
      yield* spool.leave("b.wav", Stream.make(Buffer.alloc(600_000, "x")))
      const { all, head, size_bytes } = yield* content(spool, "b.wav")
      assert.deepStrictEqual([all.length, head.length, size_bytes], [600_000, 4096, 600_000])
    })
  )

  it.effect("cannot be left by any name or link, for reading or removing", () =>
    Effect.gen(function* () {
      const { root, spool } = yield* world
      yield* spool.leave("here.wav", Stream.make(Buffer.from("x")))
      yield* Effect.promise(async () => {
        await mkdir(join(root, "elsewhere"))
        await writeFile(join(root, "elsewhere", "secret.wav"), "secret")
        await symlink(join(root, "elsewhere"), join(root, "spool", "folder"))
        await symlink(join(root, "elsewhere", "secret.wav"), join(root, "spool", "link.wav"))
        await mkdir(join(root, "spool", "a.wav"))
      })
      for (const key of ["../elsewhere/secret.wav", "/etc/passwd", "folder/secret.wav", "link.wav", "a.wav"]) {
        assert.strictEqual(yield* reason(spool, key), "refused", key)
      }
      for (const key of ["../elsewhere/secret.wav", "folder/secret.wav"]) {
        assert.strictEqual((yield* Effect.flip(spool.remove(key))).reason, "refused", key)
      }
      assert.strictEqual((yield* content({ ...spool }, "here.wav")).all, "x")
    })
  )
})
