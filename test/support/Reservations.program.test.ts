import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeReservations } from "./Reservations.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-reservations-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** Another process that tries to reserve a number, and holds it while it lives. */
const other = (path: string, wanted: number) =>
  Effect.gen(function* () {
    const script = join(import.meta.dirname, "ReserveChild.ts")
    const child = spawn(process.execPath, [script, path, String(wanted)], { stdio: ["pipe", "pipe", "inherit"] })
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    const [said] = (yield* Effect.promise(() => once(child.stdout, "data"))) as [Buffer]
    const ends = (end: () => void) =>
      Effect.promise(async () => {
        const gone = once(child, "exit")
        end()
        await gone
      })
    return {
      got: said.toString() === "true\n",
      stop: ends(() => child.stdin.end()),
      kill: ends(() => child.kill("SIGKILL"))
    }
  })

describe("a reservation", () => {
  it.live("is not given again in the same process until it is released", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { release, reserve } = makeReservations(path)
      assert.deepStrictEqual([reserve(1), reserve(1), reserve(2)], [true, false, true])
      assert.isFalse(makeReservations(path).reserve(1))
      release(1)
      assert.isTrue(reserve(1))
    })
  )

  it.live("is not given to another process", () =>
    Effect.gen(function* () {
      const path = yield* folder
      assert.isTrue(makeReservations(path).reserve(1))
      assert.isFalse((yield* other(path, 1)).got)
      assert.isTrue((yield* other(path, 2)).got)
    })
  )

  it.live("ends with the process that holds it, also where that is killed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { reserve } = makeReservations(path)
      const stopped = yield* other(path, 1)
      const killed = yield* other(path, 2)
      assert.isTrue(stopped.got && killed.got)
      assert.deepStrictEqual([reserve(1), reserve(2)], [false, false])
      yield* stopped.stop
      yield* killed.kill
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), ["2"])
      assert.deepStrictEqual([reserve(1), reserve(2)], [true, true])
      assert.isFalse((yield* other(path, 2)).got)
    })
  )
})
