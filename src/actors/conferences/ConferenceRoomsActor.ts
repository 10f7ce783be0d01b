// The names of a workspace's conferences. Its actor id is the workspace's id.
import { Effect, Layer } from "effect"
import { ConferenceCommands } from "../../domain/conferences/ConferenceCommand.ts"
import {
  type ConferenceRooms,
  decideRooms,
  evolveRooms,
  noRooms,
  planRooms,
  restoreRooms,
  RoomCommands,
  type RoomEvent,
  roomsState,
  type RoomWork
} from "../../domain/conferences/ConferenceRooms.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor, type Perform } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"

export const ConferenceRoomsActor = actor<ConferenceRooms, RoomCommands, RoomEvent, RoomWork>({
  type: "ConferenceRooms",
  commands: RoomCommands,
  initial: noRooms,
  restore: restoreRooms,
  decide: decideRooms,
  evolve: evolveRooms,
  plan: planRooms,
  record: ({ after }) => ({ workspace_id: after.workspace_id, state: roomsState.write(after), columns: {} })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const perform: Perform<ConferenceRooms, RoomCommands, RoomWork> = ({ conference_id, name }, self) =>
      Effect.asVoid(
        retryWithBackoff(
          Effect.andThen(
            system.ask(ConferenceCommands.Begin, conference_id, { workspace_id: self.id, name }),
            self.tell({ _tag: "Begun", conference_id })
          )
        )
      )
    yield* system.register(ConferenceRoomsActor, perform)
  })
)
