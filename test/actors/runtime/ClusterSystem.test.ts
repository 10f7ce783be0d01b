import { Layer } from "effect"
import { TestRunner } from "effect/cluster"
import * as ClusterSystem from "../../../src/actors/runtime/ClusterSystem.ts"
import { actorSystemContract } from "../../contract/ActorSystem.ts"

actorSystemContract(
  "actors as entities, everything serialized",
  Layer.provide(ClusterSystem.layer({ shortcuts: false }), Layer.fresh(TestRunner.layer))
)
actorSystemContract(
  "actors as entities, with shortcuts",
  Layer.provide(ClusterSystem.layer(), Layer.fresh(TestRunner.layer))
)
