import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:net"
import { freePort, freePorts } from "./Ports.ts"

describe("ports for tests", () => {
  it.live("are never handed out twice", () =>
    Effect.gen(function* () {
      const singles = yield* Effect.replicateEffect(freePort, 100, { concurrency: "unbounded" })
      const starts = yield* Effect.replicateEffect(freePorts(4), 20, { concurrency: "unbounded" })
      const all = [...singles, ...starts.flatMap((first) => [first, first + 1, first + 2, first + 3])]
      assert.strictEqual(new Set(all).size, 180)
      assert.isTrue(starts.every((first) => first % 2 === 0))
    })
  )

  it.live("can be listened on", () =>
    Effect.gen(function* () {
      const server = createServer()
      const port = yield* freePort
      yield* Effect.callback<void>((resume) => void server.listen(port, "127.0.0.1", () => resume(Effect.void)))
      yield* Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    })
  )
})
