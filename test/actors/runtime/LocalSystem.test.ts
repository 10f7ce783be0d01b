import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { actorSystemContract } from "../../contract/ActorSystem.ts"

actorSystemContract("actors in one process", LocalSystem.layer)
