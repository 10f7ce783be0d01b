// The permission of a user of the chat app to be called.
import { Effect, Layer } from "effect"
import {
  decidePermission,
  evolvePermission,
  noPermission,
  type Permission,
  PermissionCommands,
  type PermissionEvent,
  recordPermission,
  restorePermission
} from "../../domain/chatapp/Permission.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor } from "../runtime/Definition.ts"

export const PermissionActor = actor<Permission, PermissionCommands, PermissionEvent, never>({
  type: "ChatAppPermission",
  commands: PermissionCommands,
  initial: () => noPermission,
  restore: restorePermission,
  decide: decidePermission,
  evolve: evolvePermission,
  plan: () => [],
  record: recordPermission
})

export const layer = Layer.effectDiscard(
  Effect.flatMap(ActorSystem, ({ register }) => register(PermissionActor, () => Effect.void))
)
