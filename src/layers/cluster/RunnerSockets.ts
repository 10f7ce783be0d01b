// The connections between the processes of a cluster: TLS with a key that both ends derive from the master key, and no
// certificates (TLS-PSK, RFC 4279; with ephemeral keys, RFC 5489). Whoever does not have the key gets no further than
// the handshake, and nobody can read or change what is sent.
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Layer, Option } from "effect"
import { type RunnerAddress, Runners, ShardingConfig } from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket"
import { createHash } from "node:crypto"
import { connect, type SecureContextOptions, type TLSSocket } from "node:tls"
import { expectPresent } from "../../domain/ExpectPresent.ts"
import type { Keys } from "../keyring/Secrets.ts"

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

/** A connection to a process, once both ends have proved that they have the key. The first key is used. */
export const opened = (options: { readonly host: string; readonly port: number }, [psk]: Keys) =>
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
      socket.on("error", (cause) =>
        resume(Effect.fail(new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause }) })))
      )
      return Effect.sync(() => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroySoon())
  )

/** How a process reaches the others. The first key is used. */
export const clientProtocol = (keys: Keys) =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (serialization) => ({
      codecFor: serialization.codecFor,
      make: Effect.fnUntraced(function* ({ host, port }: RunnerAddress.RunnerAddress) {
        const socket = yield* NodeSocket.fromDuplex(opened({ host, port }, keys), { openTimeout })
        return yield* RpcClient.makeProtocolSocket().pipe(
          Effect.provideService(Socket.Socket, socket),
          Effect.provideService(RpcSerialization.RpcSerialization, serialization)
        )
      }, Effect.orDie)
    }))
  )

/** Where the others reach this process. Every key opens: those of before until all processes have the new one. */
export const socketServer = (keys: Keys) =>
  Layer.unwrap(
    Effect.map(ShardingConfig.ShardingConfig, ({ runnerListenAddress }) => {
      const { host, port } = expectPresent(Option.getOrUndefined(runnerListenAddress), "The address to listen on")
      const keyOf = new Map(keys.map((key) => [identityOf(key), key]))
      return NodeSocketServer.layerTls({
        ...security,
        host,
        port,
        handshakeTimeout: handshakeTimeout_ms,
        pskCallback: (_socket, identity) => keyOf.get(identity) ?? null
      })
    })
  )
