import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import { callId } from "../../support/Ids.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { newId, notice, open, place, say, until, watching } from "../../support/CallStreams.ts"
import { origin } from "../../support/HttpTester.ts"
import { testEngine } from "../../../src/testing.ts"

/** A client that has sent its request, and reads nothing until it is told. */
const request = (path: string, key: string) =>
  Effect.gen(function* () {
    const { port } = new URL(yield* origin)
    const socket = connect(Number(port), "127.0.0.1").on("error", () => {})
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`)
    return socket
  })

const firstData = (socket: Socket) =>
  Effect.promise(() => new Promise((resolve) => socket.once("data", resolve).resume()))

/** More than the buffers of a connection hold. */
const long = { text: "x".repeat(1_000_000) }

layer(fakeEngine)("a client that leaves a live stream", (it) => {
  it.effect("leaves nothing behind at any stage, and does not count any more", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const [id, missing] = [callId(newId()), newId()]
      yield* place(id, ["ringing"])
      const gone = (ref: string) => until(Effect.map(watching(ref), (n) => n === 0))
      for (let round = 0; round < 8; round++) {
        const early = yield* request(`/v1/calls/${missing}/stream`, key)
        yield* until(Effect.map(watching(missing), (n) => n === 1))
        early.destroy()
        yield* gone(missing)

        const reads = yield* request(`/v1/calls/${id}/stream`, key)
        yield* firstData(reads)
        reads.destroy()
        yield* gone(id)

        const deaf = yield* request(`/v1/calls/${id}/stream`, key)
        yield* until(Effect.map(watching(id), (n) => n === 1))
        for (let n = 2; n < 20; n++) yield* say(notice(id, n, "answered", "call.progress", long))
        deaf.resetAndDestroy()
        yield* gone(id)
      }
      yield* Effect.forEach(Array.from({ length: 20 }), () => open(`/v1/calls/${id}/stream`, key), { concurrency: 20 })
    })
  )
})

describe("a live stream without a socket", () => {
  it("ends with the signal of its request, and when its body is cancelled", async () => {
    await using engine = await testEngine()
    const headers = { authorization: `Bearer ${engine.apiKey}` }
    const opened = (signal?: AbortSignal) => engine.fetch("/v1/events/stream", { headers, signal: signal ?? null })
    for (let round = 0; round < 3; round++) {
      const stop = new AbortController()
      const aborted = await Promise.all(Array.from({ length: 10 }, () => opened(stop.signal)))
      const cancelled = await Promise.all(Array.from({ length: 10 }, () => opened()))
      assert.deepStrictEqual(
        [...aborted, ...cancelled].map(({ status }) => status),
        Array.from({ length: 20 }, () => 200)
      )
      assert.strictEqual((await opened()).status, 429)
      const readers = aborted.map(({ body }) => body!.getReader())
      assert.include(new TextDecoder().decode((await readers[0]!.read()).value), ": ready")
      stop.abort()
      await engine.clock.advance("1 second")
      const error: unknown = await readers[0]!.read().catch((error: unknown) => error)
      assert.strictEqual(error instanceof Error && error.name, "AbortError")
      await Promise.all(cancelled.map(({ body }) => body!.cancel()))
      await engine.clock.advance("1 second")
    }
  })

  it("is cut off when the engine is killed", async () => {
    await using engine = await testEngine()
    const response = await engine.fetch("/v1/events/stream", { headers: { authorization: `Bearer ${engine.apiKey}` } })
    const reader = response.body!.getReader()
    await reader.read()
    await engine.faults.process.kill()
    assert.instanceOf(await reader.read().catch((error: unknown) => error), TypeError)
  })
})
