import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { outputMax_bytes, runProgram } from "../../../../../src/layers/pbx/asterisk/sounds/AudioTools.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "sounds-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

describe("a program that converts audio", () => {
  it.effect("is stopped when it writes too large a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "large")
      const failed = yield* Effect.flip(runProgram("dd", ["if=/dev/zero", `of=${file}`, "bs=1M", "count=200"]))
      assert.deepInclude(failed, { error: "sound_failed" })
      const { size } = yield* Effect.promise(() => stat(file))
      assert.isAtMost(size, outputMax_bytes * 2)
    })
  )

  it.effect("is given its arguments and its input as they are", () =>
    Effect.gen(function* () {
      const name = `it's "$(touch nothing)" ; x`
      const file = join(yield* temporaryFolder, name)
      yield* runProgram("tee", [file], "hello")
      const { size } = yield* Effect.promise(() => stat(file))
      assert.strictEqual(size, "hello".length)
    })
  )

  it.effect("that is missing is an error", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* Effect.flip(runProgram("no-such-program", [])), { error: "sound_failed" })
    })
  )
})
