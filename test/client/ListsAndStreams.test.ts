// Lists and streams of the client, against a `fetch` that plays the server.
import { assert, describe, it } from "@effect/vitest"
import { ConnectionError, PermissionError, Trunkline } from "../../src/client/Client.ts"
import { failure, json, refused, server } from "../support/ClientServer.ts"

describe("a list of the client", () => {
  const pages = () =>
    server(({ url }) => {
      const cursor = new URL(url).searchParams.get("cursor")
      return cursor === null
        ? json([{ id: "1" }, { id: "2" }], 200, { "x-next-cursor": "two" })
        : cursor === "two"
          ? json([{ id: "3" }], 200, { "x-next-cursor": "three" })
          : json([{ id: "4" }])
    })

  it("is one page, all of its items, or the first ones", async () => {
    const { fetch, seen } = pages()
    const client = new Trunkline({ apiKey: "k", baseUrl: "http://engine.test", fetch })
    const first = await client.calls.list({ status: "completed", limit: 2 })
    assert.deepStrictEqual([first.items.length, first.nextCursor, seen.length], [2, "two", 1])
    const ids: Array<string> = []
    for await (const { id } of client.calls.list({ status: "completed" })) ids.push(id)
    assert.deepStrictEqual(ids, ["1", "2", "3", "4"])
    assert.strictEqual(seen[2]!.url, "http://engine.test/v1/calls?status=completed&cursor=two")
    const before = seen.length
    assert.deepStrictEqual(
      (await client.calls.list().toArray({ max: 3 })).map(({ id }) => id),
      ["1", "2", "3"]
    )
    assert.strictEqual(seen.length - before, 2)
    assert.deepStrictEqual(await client.calls.list().toArray({ max: 0 }), [])
  })

  it("asks for nothing until somebody reads it, and for its first page once", async () => {
    const { fetch, seen } = pages()
    const list = new Trunkline({ apiKey: "k", fetch }).calls.list()
    assert.strictEqual(seen.length, 0)
    await list
    await list
    assert.strictEqual(seen.length, 1)
  })
})

describe("a stream of the client", () => {
  const events = (...parts: ReadonlyArray<string>) =>
    new Response([": ready\n\n", ...parts].join(""), { headers: { "content-type": "text/event-stream" } })
  const event = (id: number, kind: string, more = {}) =>
    `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify({ kind, ...more })}\n\n`
  const end = "event: end\ndata: {}\n\n"

  it("comes back after the last event, until it has ended", async () => {
    const { fetch, seen } = server(
      events(event(1, "call.ringing"), event(2, "call.answered"), `event: closing\ndata: {"reason":"shutdown"}\n\n`),
      events("id: 3\n\n"),
      events(event(4, "call.dtmf", { digit: "7" }), event(5, "call.completed"), end)
    )
    const infos: Array<unknown> = []
    const stream = new Trunkline({ apiKey: "k", fetch }).calls.stream("c", { onReconnect: (info) => infos.push(info) })
    const kinds: Array<string> = []
    for await (const { kind } of stream) kinds.push(kind)
    assert.deepStrictEqual(kinds, ["call.ringing", "call.answered", "call.dtmf", "call.completed"])
    assert.deepStrictEqual(
      seen.map(({ headers }) => headers["last-event-id"]),
      [undefined, "2", "3"]
    )
    assert.deepStrictEqual(infos, [{ after: "3", attempt: 1 }])
    assert.strictEqual(stream.lastEventId, "5")
  })

  it("tells of a reset", async () => {
    const { fetch } = server(events(`event: stream.reset\ndata: {"reason":"log_starts_later"}\n\n`, end))
    for await (const told of new Trunkline({ apiKey: "k", fetch }).events.stream({ kinds: "call.*" }))
      assert.deepInclude(told, { event_kind: "stream.reset", reason: "log_starts_later" })
  })

  it("fails at once if it may not be read, and with its place if it is lost for good", async () => {
    const denied = server(refused(403, "api_key.scope_denied"))
    const read = async (stream: AsyncIterable<unknown>) => {
      for await (const _ of stream);
    }
    assert.instanceOf(
      await failure(read(new Trunkline({ apiKey: "k", fetch: denied.fetch }).events.stream())),
      PermissionError
    )
    const lost = server(events(event(7, "call.ringing")), new TypeError("fetch failed"))
    const error = await failure(
      read(new Trunkline({ apiKey: "k", fetch: lost.fetch }).calls.stream("c", { reconnect: false }))
    )
    assert.instanceOf(error, ConnectionError)
    assert.deepInclude(error, { lastEventId: "7" })
  })

  it("ends with the loop, with the signal, and with `close`", async () => {
    const open = () => {
      const signals: Array<AbortSignal> = []
      const fetch: typeof globalThis.fetch = async (_, init) => {
        signals.push(init!.signal!)
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(event(1, "call.ringing")))
            init!.signal!.addEventListener("abort", () => controller.error(init!.signal!.reason))
          }
        })
        return new Response(body)
      }
      return { client: new Trunkline({ apiKey: "k", fetch }), signals }
    }
    const left = open()
    for await (const _ of left.client.calls.stream("c")) break
    assert.isTrue(left.signals[0]!.aborted)

    const stopped = open()
    const stop = new AbortController()
    const reason = new Error("enough")
    const loop = async () => {
      for await (const _ of stopped.client.calls.stream("c", { signal: stop.signal })) stop.abort(reason)
    }
    assert.strictEqual(await failure(loop()), reason)

    const closed = open()
    const stream = closed.client.calls.stream("c")
    for await (const _ of stream) stream.close()
    assert.isTrue(closed.signals[0]!.aborted)
  })
})

describe("a client in a page", () => {
  it("refuses an API key, unless somebody insists", () => {
    const page = { document: {}, process: undefined }
    const before = { document: Reflect.get(globalThis, "document"), process: globalThis.process }
    try {
      Object.assign(globalThis, page)
      assert.throws(() => new Trunkline({ apiKey: "k" }), /can be read by everybody/)
      assert.doesNotThrow(() => new Trunkline({ apiKey: "k", dangerouslyAllowBrowser: true }))
      assert.doesNotThrow(() => new Trunkline({ session: true }))
    } finally {
      Object.assign(globalThis, before)
      Reflect.deleteProperty(globalThis, "document")
    }
  })
})
