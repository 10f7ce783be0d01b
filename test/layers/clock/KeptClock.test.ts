import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expectPresent } from "../../../src/domain/ExpectPresent.ts"
import { keptClock } from "../../../src/layers/clock/KeptClock.ts"

const reading = { boot_id: "b", wall: 1_800_000_000_000, monotonic: 50_000.25, uptime: 60_000 }

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-clock-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const keptAt = (path: string) => expectPresent(keptClock(path), "The name of this run of Linux")

describe.runIf(process.platform === "linux")("the reading of the clocks that is kept in a file", () => {
  it.effect("is there for the next engine, and nothing else is left", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "data", "clock.json")
      assert.isUndefined(yield* keptAt(path).read)
      yield* Effect.all([keptAt(path).write({ ...reading, wall: 1 }), keptAt(path).write(reading)])
      assert.deepStrictEqual(yield* keptAt(path).read, reading)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, ".."))), ["clock.json"])
    })
  )

  it.effect("counts as none if it is damaged, and as not kept if it cannot be written", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "clock.json")
      for (const text of ["", "{", "[]", '{"boot_id":"b","wall":"1","monotonic":1,"uptime":1}', "null"]) {
        yield* Effect.promise(() => writeFile(path, text))
        assert.isUndefined(yield* keptAt(path).read, text)
      }
      const impossible = keptAt(join(path, "below-a-file", "clock.json"))
      yield* impossible.write(reading)
      assert.isUndefined(yield* impossible.read)
    })
  )
})
