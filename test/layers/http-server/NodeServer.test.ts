import { assert, it } from "@effect/vitest"
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { makeNodeServer } from "../../../src/layers/http-server/NodeServer.ts"

it("closes a connection after ten seconds without a head or thirty without a request", () => {
  const { headersTimeout, keepAliveTimeout, requestTimeout, timeout } = makeNodeServer()
  assert.deepStrictEqual(
    { headersTimeout, keepAliveTimeout, requestTimeout, timeout },
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      timeout: 60_000
    }
  )
})

it("disconnects clients that do not read, with little buffered for them, and no others", async () => {
  const server = makeNodeServer().setTimeout(2_000).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const answered = async (reads: boolean) => {
    const client = connect(port, "127.0.0.1")
    client.on("error", () => {})
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    const [, response] = (await once(server, "request")) as [unknown, ServerResponse]
    if (reads) client.resume()
    else client.pause()
    return { client, response }
  }
  const reader = await answered(true)
  const pings = setInterval(() => reader.response.write(": ping"), 100)
  const { client, response } = await answered(false)
  const part = Buffer.alloc(16_384)
  // As a stream is written: not before what is written has gone.
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  }
  response.on("drain", write)
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, response.writableLength)
  }, 10)
  const closed = once(response, "close")
  write()
  await closed
  clearInterval(look)
  assert.isTrue(response.destroyed)
  assert.isBelow(most, 200_000)
  assert.isFalse(reader.response.destroyed)
  clearInterval(pings)
  client.destroy()
  reader.client.destroy()
  server.close()
})
