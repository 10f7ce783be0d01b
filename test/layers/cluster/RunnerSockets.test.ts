import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { RunnerAddress, ShardingConfig } from "effect/cluster"
import { SocketServer } from "effect/socket"
import { once } from "node:events"
import { link, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect as connectTls, TLSSocket } from "node:tls"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { hasSocket, localPath, prepareFolder } from "../../../src/layers/cluster/LocalSocket.ts"
import { orderly } from "../../../src/layers/cluster/OrderlySocket.ts"
import { opened, openedTo, socketServer } from "../../../src/layers/cluster/RunnerSockets.ts"
import type { Keys } from "../../../src/layers/keyring/Secrets.ts"
import { freePort } from "../../support/Ports.ts"
import { untilHolds } from "../../support/Until.ts"

const [old, current, foreign] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array
]

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

/** A process that says hello to whoever gets through to it. */
const processWith = (keys: Keys, given?: string) =>
  Effect.gen(function* () {
    const folder = given ?? (yield* temporaryFolder)
    const port = yield* freePort
    const address = Option.some(RunnerAddress.make("127.0.0.1", port))
    const config = ShardingConfig.layer({ runnerAddress: address, runnerListenAddress: address })
    const context = yield* Layer.build(socketServer(keys, folder).pipe(Layer.provide(config)))
    const { run } = yield* Effect.provideContext(SocketServer.SocketServer, context)
    let admitted = 0
    const hello = run((socket) =>
      Effect.gen(function* () {
        admitted++
        const { pull } = yield* socket.reader
        yield* (yield* socket.writer).write("hello")
        yield* Effect.forever(pull)
      }).pipe(Effect.scoped, Effect.ignore)
    )
    yield* Effect.forkScoped(hello)
    return { port, admitted: () => admitted }
  })

/** What a process with these keys is told. */
const greeting = (port: number, keys: Keys) =>
  Effect.gen(function* () {
    const socket = yield* opened({ host: "127.0.0.1", port }, keys)
    const [data] = yield* Effect.promise(() => once(socket, "data"))
    return { text: String(data), cipher: socket.getCipher().name, encrypted: socket.encrypted }
  }).pipe(Effect.scoped)

it.live("processes with the same key reach each other, encrypted with forward secrecy", () =>
  Effect.gen(function* () {
    const { port } = yield* processWith([current])
    assert.deepStrictEqual(yield* greeting(port, [current]), {
      text: "hello",
      cipher: "ECDHE-PSK-CHACHA20-POLY1305",
      encrypted: true
    })
  })
)

it.live("a process that has a replaced key is reached and reaches others while the master key is changed", () =>
  Effect.gen(function* () {
    const [before, during, after] = yield* Effect.all([
      processWith([old, current]),
      processWith([current, old]),
      processWith([current])
    ])
    for (const keys of [
      [old, current],
      [current, old]
    ] as const) {
      assert.strictEqual((yield* greeting(before.port, keys)).text, "hello")
      assert.strictEqual((yield* greeting(during.port, keys)).text, "hello")
    }
    assert.strictEqual((yield* greeting(after.port, [current, old])).text, "hello")
    assert.strictEqual((yield* Effect.flip(greeting(after.port, [old, current]))).reason._tag, "SocketOpenError")
  })
)

it.live("a process with another key gets no further than the handshake", () =>
  Effect.gen(function* () {
    const { admitted, port } = yield* processWith([current, old])
    assert.strictEqual((yield* Effect.flip(greeting(port, [foreign]))).reason._tag, "SocketOpenError")
    assert.strictEqual(admitted(), 0)
    assert.strictEqual((yield* greeting(port, [current])).text, "hello", "it goes on for the others")
  })
)

it.live(
  "strangers without a key get no further than the handshake",
  () =>
    Effect.gen(function* () {
      const { admitted, port } = yield* processWith([current])
      const closed = (socket: ReturnType<typeof connect>) =>
        Effect.promise(async () => {
          const received: Array<Buffer> = []
          socket.on("data", (data: Buffer) => received.push(data))
          socket.on("error", () => {})
          await new Promise((resolve) => socket.once("close", resolve))
          return Buffer.concat(received).toString("latin1")
        })
      const plain = connect(port, "127.0.0.1")
      plain.write('{"_tag":"Ping"}\n')
      assert.notInclude(yield* closed(plain), "hello")
      const certified = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
      assert.notInclude(yield* closed(certified), "hello")
      // One that says nothing is disconnected after five seconds.
      const silent = connect(port, "127.0.0.1")
      const waiting = yield* Effect.forkChild(closed(silent), { startImmediately: true })
      yield* untilHolds("end of the silent connection", () => silent.closed)
      assert.notInclude(yield* Fiber.join(waiting), "hello")
      assert.strictEqual(admitted(), 0)
    }),
  60_000
)

it.live("processes of one machine reach each other by a Unix socket that only their user may open", () =>
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder, "runners")
    const { port } = yield* processWith([current], folder)
    const address = { host: "127.0.0.1", port }
    const socket = yield* openedTo(address, [current], folder)
    assert.notInstanceOf(socket, TLSSocket)
    assert.strictEqual(String((yield* Effect.promise(() => once(socket, "data")))[0]), "hello")
    const modeOf = (path: string) =>
      Effect.map(
        Effect.promise(() => stat(path)),
        ({ mode }) => mode & 0o777
      )
    assert.strictEqual(yield* modeOf(folder), 0o700)
    assert.strictEqual(yield* modeOf(localPath(folder, address) ?? ""), 0o600)
    // Another machine does not see the folder.
    assert.instanceOf(yield* openedTo(address, [current], yield* temporaryFolder), TLSSocket)
  }).pipe(Effect.scoped)
)

it.live("a process whose Unix socket nobody answers is reached by TLS", () =>
  Effect.gen(function* () {
    const [theirs, ours] = [yield* temporaryFolder, yield* temporaryFolder]
    const { port } = yield* processWith([current], theirs)
    const address = { host: "127.0.0.1", port }
    const path = localPath(ours, address) ?? ""
    const dead = createServer()
    yield* Effect.promise(() => new Promise<void>((resolve) => void dead.listen(`${path}.dead`, resolve)))
    yield* Effect.promise(() => link(`${path}.dead`, path))
    yield* Effect.promise(() => new Promise((resolve) => void dead.close(resolve)))
    assert.instanceOf(yield* openedTo(address, [current], ours), TLSSocket)
  }).pipe(Effect.scoped)
)

it.live("a process that takes over the address of a dead one replaces its Unix socket", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const port = yield* freePort
    const path = localPath(folder, { host: "127.0.0.1", port }) ?? ""
    yield* Effect.promise(() => writeFile(path, ""))
    yield* prepareFolder(folder, path)
    assert.isFalse(yield* hasSocket(path))
  }).pipe(Effect.scoped)
)

it("a folder whose path is too long for a socket has none", () => {
  assert.isUndefined(localPath(`/${"long/".repeat(20)}`, { host: "127.0.0.1", port: 34_431 }))
})

it.live("many writers to a slow reader wait behind one that waits for it, in order", () =>
  Effect.gen(function* () {
    const { port } = yield* processWith([current])
    const connection = yield* opened({ host: "127.0.0.1", port }, [current])
    const socket = orderly(yield* NodeSocket.fromDuplex(Effect.succeed(connection)))
    const { pull } = yield* socket.reader
    yield* pull
    const { write } = yield* socket.writer
    let most = 0
    connection.on("newListener", (event) => {
      if (event === "drain") most = Math.max(most, connection.listenerCount("drain") + 1)
    })
    const order: Array<number> = []
    const writers = Array.from({ length: 20 }, (_, index) =>
      Effect.andThen(
        write(new Uint8Array(100_000).fill(index)),
        Effect.sync(() => order.push(index))
      )
    )
    yield* Effect.all(writers, { concurrency: "unbounded" })
    assert.strictEqual(most, 1)
    assert.deepStrictEqual(
      order,
      [...order].sort((a, b) => a - b)
    )
    assert.lengthOf(order, 20)
  }).pipe(Effect.scoped)
)
