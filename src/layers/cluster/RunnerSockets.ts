// The connections between the processes of a cluster. Between machines: TLS with a key that both ends derive from the
// master key, and no certificates (TLS-PSK, RFC 4279; with ephemeral keys, RFC 5489). Whoever does not have the key
// gets no further than the handshake, and nobody can read or change what is sent. Within a machine: a Unix socket.
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Layer, Option } from "effect"
import { type RunnerAddress, Runners, ShardingConfig } from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket, SocketServer } from "effect/socket"
import { createHash } from "node:crypto"
import { connect as connectLocally, type Socket as NetSocket } from "node:net"
import { connect, type SecureContextOptions, type TLSSocket } from "node:tls"
import { expectPresent } from "../../domain/ExpectPresent.ts"
import type { Keys } from "../keyring/Secrets.ts"
import { type Address, closeToOthers, hasSocket, localPath, prepareFolder } from "./LocalSocket.ts"
import { orderly } from "./OrderlySocket.ts"

const openTimeout = "2 seconds"
/** A stranger who connects and sends nothing is disconnected after this time. */
const handshakeTimeout_ms = 5_000

/** Node takes pre-shared keys with ciphers of their own, up to TLS 1.2. This one has forward secrecy. */
const security: SecureContextOptions = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2"
}

/** Names a key without revealing it, so that both ends agree on one while the master key is being changed. */
const identityOf = (key: Uint8Array): string => createHash("sha256").update("runner:").update(key).digest("hex")

const openFailed = (cause: unknown) =>
  new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause }) })

/** A connection to a process, once both ends have proved that they have the key. The first key is used. */
export const opened = (options: Address, [psk]: Keys) =>
  Effect.acquireRelease(
    Effect.callback<TLSSocket, Socket.SocketError>((resume) => {
      const socket = connect({
        ...options,
        ...security,
        pskCallback: () => ({ psk, identity: identityOf(psk) }),
        // There is no certificate that could name the host: the key proves that it is one of ours.
        checkServerIdentity: () => undefined
      })
      socket.once("secureConnect", () => resume(Effect.succeed(socket)))
      socket.on("error", (cause) => resume(Effect.fail(openFailed(cause))))
      return Effect.sync(() => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroySoon())
  )

const openedLocally = (path: string) =>
  Effect.acquireRelease(
    Effect.callback<NetSocket, Socket.SocketError>((resume) => {
      const socket = connectLocally({ path })
      socket.once("connect", () => resume(Effect.succeed(socket)))
      socket.on("error", (cause) => resume(Effect.fail(openFailed(cause))))
      return Effect.sync(() => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroySoon())
  )

/**
 * A connection to a process: by its Unix socket if it runs on this machine with the same folder, else by TLS. A socket
 * that nobody answers was left by a process that died, or is one of another machine that shares the folder.
 */
export const openedTo = (address: Address, keys: Keys, folder: string) =>
  Effect.gen(function* () {
    const path = localPath(folder, address)
    if (path === undefined || !(yield* hasSocket(path))) return yield* opened(address, keys)
    return yield* Effect.catch(openedLocally(path), () => opened(address, keys))
  })

/** How a process reaches the others. The first key is used. */
export const clientProtocol = (keys: Keys, folder: string) =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (serialization) => ({
      codecFor: serialization.codecFor,
      make: Effect.fnUntraced(function* ({ host, port }: RunnerAddress.RunnerAddress) {
        const socket = yield* NodeSocket.fromDuplex(openedTo({ host, port }, keys, folder), { openTimeout })
        return yield* RpcClient.makeProtocolSocket().pipe(
          Effect.provideService(Socket.Socket, orderly(socket)),
          Effect.provideService(RpcSerialization.RpcSerialization, serialization)
        )
      }, Effect.orDie)
    }))
  )

/** The process listens on both; a connection is handled in the same way, whichever it came by. */
const both = (
  one: SocketServer.SocketServer["Service"],
  other: SocketServer.SocketServer["Service"] | undefined
): SocketServer.SocketServer["Service"] => ({
  address: one.address,
  run: (handler) => {
    const inOrder = (socket: Socket.Socket) => handler(orderly(socket))
    return other === undefined ? one.run(inOrder) : Effect.raceFirst(one.run(inOrder), other.run(inOrder))
  }
})

/** Where the others of this machine reach this process. None if the path of the folder is too long. */
const localServer = Effect.fnUntraced(function* (folder: string, address: Address) {
  const path = localPath(folder, address)
  if (path === undefined) return undefined
  yield* prepareFolder(folder, path)
  const server = yield* NodeSocketServer.make({ path })
  yield* closeToOthers(path)
  return server
})

/** Where the others reach this process. Every key opens: those of before until all processes have the new one. */
export const socketServer = (keys: Keys, folder: string) =>
  Layer.effect(
    SocketServer.SocketServer,
    Effect.gen(function* () {
      const { runnerListenAddress } = yield* ShardingConfig.ShardingConfig
      const { host, port } = expectPresent(Option.getOrUndefined(runnerListenAddress), "The address to listen on")
      const keyOf = new Map(keys.map((key) => [identityOf(key), key]))
      const encrypted = yield* NodeSocketServer.makeTls({
        ...security,
        host,
        port,
        handshakeTimeout: handshakeTimeout_ms,
        pskCallback: (_socket, identity) => keyOf.get(identity) ?? null
      })
      return both(encrypted, yield* localServer(folder, { host, port }))
    })
  )
