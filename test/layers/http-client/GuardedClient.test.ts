import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { createServer, type Server } from "node:net"
import type { AddressInfo } from "node:net"
import { targetUrl } from "../../../src/domain/targets/TargetUrl.ts"
import { makeGuardedClient } from "../../../src/layers/http-client/GuardedClient.ts"
import type { Resolve } from "../../../src/layers/http-client/GuardedConnector.ts"

const closedPolicy = { allow_insecure: true, allow_private: false }
const openPolicy = { allow_insecure: true, allow_private: true }

/** Listens on loopback over IPv4 and IPv6, and counts the connections. */
const canary = Effect.acquireRelease(
  Effect.callback<{ readonly server: Server; readonly port: number; readonly visits: () => number }>((resume) => {
    let visits = 0
    const server = createServer((socket) => {
      visits++
      socket.destroy()
    })
    server.listen(0, "::", () =>
      resume(Effect.succeed({ server, port: (server.address() as AddressInfo).port, visits: () => visits }))
    )
  }),
  ({ server }) => Effect.sync(() => server.close())
)

const clientWith = (policy: typeof closedPolicy, resolve?: Resolve) =>
  makeGuardedClient({
    policy,
    connect_timeout_ms: 500,
    connections_per_origin: 4,
    read_limit_bytes: 1_024,
    ...(resolve && { resolve })
  })

/** Spellings of forbidden addresses that attackers have used to reach internal hosts. */
const hosts = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "0177.0.0.1",
  "0x7f.0.0.1",
  "0x7f.1",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "１２７.０.０.１",
  "127。0。0。1",
  "⑫7.0.0.1",
  "0.0.0.0",
  "0",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "loopback.test",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fe80::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[ff02::1]",
  "[100::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[5f00::1]",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "192.88.99.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "127.0.0.1.",
  "0x7f000001.",
  "0300.0250.0.1",
  "3232235521",
  "[::ffff:a9fe:a9fe]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[2002:a9fe:a9fe::1]",
  "[fe80::1%25eth0]",
  "[fe80::1%eth0]",
  "metadata.",
  "100.127.255.255"
]

const urls = (port: number) => [
  ...hosts.map((host) => `http://${host}:${port}/`),
  `https://127.0.0.1:${port}/`,
  `http://user@127.0.0.1:${port}/`,
  `http://:secret@public.test:${port}/`,
  `http://public.test@127.0.0.1:${port}/`,
  `http://public.test#@127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_`,
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:,x",
  `//127.0.0.1:${port}/`,
  "http://",
  "http:///",
  "not a url",
  ""
]

/** `public.test` resolves to an allowed address. Every other name resolves to a forbidden one. */
const names: Record<string, ReadonlyArray<string>> = { "public.test": ["192.0.2.7"] }
const resolve: Resolve = async (name) => names[name] ?? ["127.0.0.1"]

describe("the guarded client", () => {
  it.effect("opens no connection for a hostile URL", () =>
    Effect.gen(function* () {
      const { port, visits } = yield* canary
      const client = yield* clientWith(closedPolicy, resolve)
      const all = urls(port)
      assert.isAtLeast(all.length, 60)
      for (const text of all) {
        const url = targetUrl(text, closedPolicy)
        if (Result.isFailure(url)) continue
        const { code } = yield* Effect.flip(client.post({ url: url.success, headers: {}, body: "" }))
        assert.strictEqual(code, "address_refused", text)
      }
      assert.strictEqual(visits(), 0)
    })
  )

  it.effect("refuses a literal address at the socket too, where no name is resolved", () =>
    Effect.gen(function* () {
      const { port, visits } = yield* canary
      const client = yield* clientWith(closedPolicy)
      for (const host of hosts.filter(
        (host) => URL.canParse(`http://${host}/`) && /[\d\]]$/.test(new URL(`http://${host}/`).hostname)
      )) {
        const { code } = yield* Effect.flip(
          client.post({ url: new URL(`http://${host}:${port}/`), headers: {}, body: "" })
        )
        assert.strictEqual(code, "address_refused", host)
      }
      assert.strictEqual(visits(), 0)
    })
  )

  it.effect("refuses a name if one of its addresses is forbidden", () =>
    Effect.gen(function* () {
      const { port, visits } = yield* canary
      const client = yield* clientWith(closedPolicy, async () => ["93.184.215.14", "127.0.0.1"])
      const { code } = yield* Effect.flip(
        client.post({ url: new URL(`http://mixed.test:${port}/`), headers: {}, body: "" })
      )
      assert.strictEqual(code, "address_refused")
      assert.strictEqual(visits(), 0)
    })
  )

  it.effect("resolves a name once per connection, so that a second answer cannot differ", () =>
    Effect.gen(function* () {
      const { port, visits } = yield* canary
      let asked = 0
      const client = yield* clientWith(openPolicy, async () => (asked++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]))
      yield* Effect.flip(client.post({ url: new URL(`http://rebinding.test:${port}/`), headers: {}, body: "" }))
      assert.strictEqual(asked, 1)
      assert.strictEqual(visits(), 1)
      // The next connection resolves the name again and checks the new addresses.
      const { code } = yield* Effect.flip(
        client.post({ url: new URL(`http://rebinding.test:${port}/`), headers: {}, body: "" })
      )
      assert.deepStrictEqual([code, asked, visits()], ["address_refused", 2, 1])
    })
  )

  it.effect("connects to loopback if the deployment allows it, but never to the metadata service", () =>
    Effect.gen(function* () {
      const { port, visits } = yield* canary
      const client = yield* clientWith(openPolicy)
      const codeOf = (url: string) =>
        Effect.map(Effect.flip(client.post({ url: new URL(url), headers: {}, body: "" })), ({ code }) => code)
      assert.strictEqual(yield* codeOf(`http://127.0.0.1:${port}/`), "connection_lost")
      assert.strictEqual(yield* codeOf(`http://[::1]:${port}/`), "connection_lost")
      assert.strictEqual(visits(), 2)
      assert.strictEqual(yield* codeOf("http://169.254.169.254/latest/meta-data"), "address_refused")
      assert.strictEqual(yield* codeOf("http://[fd00:ec2::254]/"), "address_refused")
    })
  )

  it.effect("distinguishes a name that does not resolve from a host that does not answer", () =>
    Effect.gen(function* () {
      const client = yield* clientWith(openPolicy, async (name) => {
        if (name === "void.test") return []
        throw new Error("ENOTFOUND")
      })
      for (const name of ["void.test", "missing.test"]) {
        const { code } = yield* Effect.flip(client.post({ url: new URL(`http://${name}/`), headers: {}, body: "" }))
        assert.strictEqual(code, "dns_failed")
      }
    })
  )

  it.effect("gives up when the TLS handshake is not answered", () =>
    Effect.gen(function* () {
      const server = createServer(() => {})
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      const client = yield* clientWith(openPolicy)
      const { code } = yield* Effect.flip(
        client.post({ url: new URL(`https://127.0.0.1:${port}/`), headers: {}, body: "" })
      )
      assert.strictEqual(code, "connect_timeout")
    })
  )
})
