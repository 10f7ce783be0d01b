// One process of a cluster: actors spread over all processes that share the database.
import { NodeClusterSocket } from "@effect/platform-node"
import { Layer, Option } from "effect"
import { MessageStorage, RunnerAddress, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import * as ClusterSystem from "../actors/runtime/ClusterSystem.ts"

export interface ClusterNode {
  /** Where the other processes reach this one; nobody else needs to, so it is no public address. */
  readonly host: string
  readonly port: number
}

/**
 * The actors of a process that is killed live on elsewhere within eight seconds, those of one that freezes within ten:
 * its locks go with its session, and PostgreSQL ends a session that does not refresh them for `shardLockExpiration`.
 */
const configOf = ({ host, port }: ClusterNode): Partial<ShardingConfig.ShardingConfig["Service"]> => {
  const address = Option.some(RunnerAddress.make(host, port))
  return {
    // Both, or they are read from HOST and PORT, which are where HTTP listens.
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

/** The actor system of a cluster's process. Messages are volatile, so only who runs where is in the database. */
export const layer = (node: ClusterNode) => {
  const shardingConfig = configOf(node)
  const runners = SqlRunnerStorage.layer.pipe(Layer.provide(ShardingConfig.layer(shardingConfig)))
  return ClusterSystem.layer().pipe(
    // The binary serialization of effect 4.1.0 loses replies of some schemas without a word.
    Layer.provide(NodeClusterSocket.layer({ storage: "byo", serialization: "ndjson", shardingConfig })),
    Layer.provide([runners, MessageStorage.layerNoop])
  )
}
