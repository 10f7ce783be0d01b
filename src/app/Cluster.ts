// One process of a cluster: actors spread over all processes that share the database.
import { Layer, Option } from "effect"
import {
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  Runners,
  ShardingConfig,
  SocketRunner,
  SqlRunnerStorage
} from "effect/cluster"
import { RpcSerialization } from "effect/rpc"
import * as ClusterSystem from "../actors/runtime/ClusterSystem.ts"
import { clientProtocol, socketServer } from "../layers/cluster/RunnerSockets.ts"
import type { Keys } from "../layers/keyring/Secrets.ts"

export interface ClusterNode {
  /** The address at which the other processes reach this one. It need not be public. */
  readonly host: string
  readonly port: number
  /** By which the processes know each other. All have the first one, or are about to. */
  readonly keys: Keys
  /** Where the processes of this machine have their sockets. Only their user can open it. */
  readonly folder: string
}

/**
 * The actors of a killed process run elsewhere within eight seconds, those of a frozen one within ten. A process holds
 * its locks by its database session, and PostgreSQL ends a session that does not refresh them for
 * `shardLockExpiration`.
 */
const configOf = ({
  host,
  port
}: Pick<ClusterNode, "host" | "port">): Partial<ShardingConfig.ShardingConfig["Service"]> => {
  const address = Option.some(RunnerAddress.make(host, port))
  return {
    // Set both: otherwise Effect reads HOST and PORT, which are the address of the HTTP server.
    runnerAddress: address,
    runnerListenAddress: address,
    shardLockRefreshInterval: "2 seconds",
    shardLockExpiration: "6 seconds",
    refreshAssignmentsInterval: "1 second",
    runnerHealthCheckInterval: "2 seconds",
    entityMessagePollInterval: "500 millis",
    entityTerminationTimeout: "5 seconds",
    simulateRemoteSerialization: false
  }
}

/** The actor system of one process. The database stores which process runs which actors, but no messages. */
export const layer = ({ folder, keys, ...address }: ClusterNode) => {
  const config = ShardingConfig.layer(configOf(address))
  const protocol = clientProtocol(keys, folder)
  const health = RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc), Layer.provide(protocol))
  const runner = SocketRunner.layer.pipe(Layer.provide([socketServer(keys, folder), protocol]), Layer.provide(health))
  return ClusterSystem.layer().pipe(
    Layer.provide(runner),
    Layer.provide([SqlRunnerStorage.layer, MessageStorage.layerNoop]),
    // The binary serialization of effect 4.1.0 loses replies of some schemas without an error.
    Layer.provide([config, RpcSerialization.layerNdjsonWith({ maxBufferSize: undefined })])
  )
}
