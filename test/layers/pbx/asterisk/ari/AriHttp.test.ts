// Downloads from Asterisk, over real sockets on loopback.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { AriAway } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { makeAriHttp } from "../../../../../src/layers/pbx/asterisk/ari/AriHttp.ts"

const silence_ms = 400

/** A file of 10 bytes. */
const world = Effect.fnUntraced(function* (answer: (response: ServerResponse) => void) {
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((_request, response) => answer(response))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  )
  const { port } = server.address() as AddressInfo
  const options = { url: `http://127.0.0.1:${port}/ari`, username: "u", password: Redacted.make("p"), app: "a" }
  const { download } = yield* makeAriHttp(options, { silence_ms })
  return Effect.gen(function* () {
    const { bytes, size_bytes } = yield* download("/recordings/stored/x/file")
    assert.strictEqual(size_bytes, 10)
    return yield* Effect.tryPromise(async () => Buffer.concat(await Readable.from(bytes).toArray()).toString())
  })
})

describe("a download from Asterisk", () => {
  it.live("may take longer than the time that Asterisk may be silent", () =>
    Effect.gen(function* () {
      const steady = yield* world((response) => {
        response.writeHead(200, { "content-length": "10" })
        let sent = 0
        const timer = setInterval(() => {
          response.write("x")
          if (++sent === 10) clearInterval(timer)
        }, silence_ms / 4)
      })
      assert.strictEqual(yield* steady, "xxxxxxxxxx")
    })
  )

  it.live("fails if Asterisk sends half of it and then nothing", () =>
    Effect.gen(function* () {
      const halfway = yield* world((response) => response.writeHead(200, { "content-length": "10" }).write("12345"))
      assert.strictEqual((yield* Effect.flip(halfway))._tag, "UnknownError")
    })
  )

  it.live("fails if there is no such file", () =>
    Effect.gen(function* () {
      const missing = yield* world((response) => response.writeHead(404).end())
      assert.instanceOf(yield* Effect.flip(missing), AriAway)
    })
  )
})
