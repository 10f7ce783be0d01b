import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { oneAtATime } from "../../../src/layers/http-server/OneAtATime.ts"
import { untilHolds } from "../../support/Until.ts"

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

const started = async () => {
  const seen: Array<{ readonly url: string; readonly response: ServerResponse }> = []
  const server = oneAtATime(createServer())
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
