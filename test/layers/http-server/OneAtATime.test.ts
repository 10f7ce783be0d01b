import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { oneAtATime } from "../../../src/layers/http-server/OneAtATime.ts"
import { untilHolds } from "../../support/Until.ts"

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

const started = async (trusted_proxies: ReadonlyArray<string> = []) => {
  const seen: Array<{ readonly url: string; readonly response: ServerResponse }> = []
  const server = oneAtATime(createServer(), trusted_proxies)
    .on("request", ({ method, url = "" }: IncomingMessage, response: ServerResponse) => {
      if (method === "OPTIONS") response.end()
      else seen.push({ url, response })
    })
    .listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const client = connect(port, "127.0.0.1").on("error", () => {})
  let received = ""
  client.on("data", (chunk) => {
    received += chunk.toString()
  })
  return { client, received: () => received, seen, server }
}

/** A request on another connection, which comes after whatever the server hands out now. */
const passes = async (server: Server): Promise<void> => {
  const { port } = server.address() as AddressInfo
  const other = connect(port, "127.0.0.1", () => other.write("OPTIONS * HTTP/1.0\r\n\r\n"))
  await once(other.resume(), "close")
}

const until = (what: string, holds: () => boolean): Promise<void> =>
  Effect.runPromise(untilHolds(what, holds, { every_ms: 5 }))

describe("oneAtATime", () => {
  it("hands out the next request of a connection when the one before is answered, in order", async () => {
    const { client, received, seen, server } = await started()
    client.write(get("/1") + get("/2") + get("/3"))
    for (const number of [1, 2, 3]) {
      await until(`request ${number}`, () => seen.length === number)
      await passes(server)
      assert.deepStrictEqual(seen.map(({ url }) => url).at(-1), `/${number}`)
      assert.lengthOf(seen, number)
      seen.at(-1)?.response.end(`answer ${number}`)
    }
    await until("third answer", () => received().includes("answer 3"))
    assert.match(received(), /answer 1[^]*answer 2[^]*answer 3/)
    client.destroy()
    server.close()
  })

  it.each([401, 429])("lets a connection wait after it was answered with %d, and no other", async (status) => {
    const { client, seen, server } = await started()
    client.write(get("/1") + get("/2") + get("/3"))
    await until("request 1", () => seen.length === 1)
    const refuse = () => {
      const response = seen.at(-1)?.response
      if (response !== undefined) response.statusCode = status
      response?.end()
    }
    refuse()
    await passes(server)
    await until("request 2", () => seen.length === 2)
    const before = performance.now()
    refuse()
    await until("request 3", () => seen.length === 3)
    assert.isAtLeast(performance.now() - before, 15)
    client.destroy()
    server.close()
  })

  it.each([
    ["lets no connection of a trusted proxy wait, whose other clients would wait, too", ["127.0.0.1"], 0],
    ["lets a connection of anybody else wait each time", ["127.0.0.2"], 5]
  ])("%s", async (_, trusted_proxies, pauses) => {
    const timers = vi.spyOn(globalThis, "setTimeout")
    const { client, seen, server } = await started(trusted_proxies)
    client.write(get("/x").repeat(6))
    for (let n = 1; n <= 6; n++) {
      await until(`request ${n}`, () => seen.length === n)
      const response = seen.at(-1)?.response
      if (response !== undefined) response.statusCode = 429
      if (n < 6) response?.end()
    }
    assert.lengthOf(
      timers.mock.calls.filter(([, ms]) => ms === 50),
      pauses
    )
    timers.mockRestore()
    client.destroy()
    server.close()
  })

  it("closes a connection on which more than 32 requests wait, and serves the others", async () => {
    const { client, seen, server } = await started()
    client.write(get("/x").repeat(34))
    await once(client, "close")
    assert.lengthOf(seen, 1)
    const { port } = server.address() as AddressInfo
    const other = connect(port, "127.0.0.1", () => other.write(get("/other")))
    await until("second request", () => seen.length === 2)
    seen.at(-1)?.response.end()
    other.destroy()
    server.close()
  })

  it("does not hand out what waited on a connection that has closed", async () => {
    const { client, seen, server } = await started()
    client.write(get("/1") + get("/2"))
    await until("first request", () => seen.length === 1)
    const gone = once(seen[0]!.response, "close")
    client.destroy()
    await gone
    await passes(server)
    assert.lengthOf(seen, 1)
    server.close()
  })
})
