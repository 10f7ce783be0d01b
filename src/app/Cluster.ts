// One process of a cluster: actors spread over all processes that share the database.
import { NodeClusterSocket } from "@effect/platform-node"
import { Layer, Option } from "effect"
import { MessageStorage, RunnerAddress, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import * as ClusterSystem from "../actors/runtime/ClusterSystem.ts"

export interface ClusterNode {
  /** The address at which the other processes reach this one. It need not be public. */
  readonly host: string
  readonly port: number
}

/**
 * The actors of a killed process run elsewhere within eight seconds, those of a frozen one within ten. A process holds
 * its locks by its database session, and PostgreSQL ends a session that does not refresh them for
 * `shardLockExpiration`.
 */
const configOf = ({ host, port }: ClusterNode): Partial<ShardingConfig.ShardingConfig["Service"]> => {
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
    maxResidentEntities: 1_000_000,
    simulateRemoteSerialization: false
  }
}

/** The actor system of one process. The database stores which process runs which actors, but no messages. */
export const layer = (node: ClusterNode) => {
  const shardingConfig = configOf(node)
  const runners = SqlRunnerStorage.layer.pipe(Layer.provide(ShardingConfig.layer(shardingConfig)))
  return ClusterSystem.layer().pipe(
    // The binary serialization of effect 4.1.0 loses replies of some schemas without an error.
    Layer.provide(NodeClusterSocket.layer({ storage: "byo", serialization: "ndjson", shardingConfig })),
    Layer.provide([runners, MessageStorage.layerNoop])
  )
}
