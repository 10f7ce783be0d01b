// The names of a workspace's conferences that live now. One actor for each workspace: it makes a name lead to one
// conference, and counts.
import { Result, Schema } from "effect"
import { ConferenceId, WorkspaceId } from "../BrandedIds.ts"
import { commandsOf, type Decide, decideBy } from "../Command.ts"
import { task, type Task } from "../Decision.ts"
import { storedState } from "../state/StoredState.ts"
import { ConferenceName } from "./ConferenceAction.ts"

const Room = Schema.Struct({
  name: ConferenceName,
  conference_id: ConferenceId,
  /** Whether the conference exists. */
  begun: Schema.Boolean
})

const StoredRooms = Schema.Struct({ workspace_id: WorkspaceId, rooms: Schema.Array(Room) })
export type ConferenceRooms = typeof StoredRooms.Type

export const noRooms = (workspace_id: WorkspaceId): ConferenceRooms => ({ workspace_id, rooms: [] })

export const roomsState = storedState({ schema: StoredRooms, upgrades: [] })
export const restoreRooms = roomsState.restore((stored): ConferenceRooms => stored)

export const RoomCommands = commandsOf("ConferenceRooms", {
  /**
   * Replies with the conference of this name: the one that lives, or a new one with the id `candidate`. Null: the
   * workspace has `limit` conferences.
   */
  Open: {
    payload: { name: ConferenceName, candidate: ConferenceId, limit: Schema.Int },
    reply: Schema.NullOr(ConferenceId)
  },
  Begun: { payload: { conference_id: ConferenceId } },
  /** The conference has ended. */
  Close: { payload: { conference_id: ConferenceId } }
})
export type RoomCommands = typeof RoomCommands

export type RoomEvent =
  | { readonly _tag: "Opened"; readonly name: string; readonly conference_id: ConferenceId }
  | { readonly _tag: "Begun"; readonly conference_id: ConferenceId }
  | { readonly _tag: "Closed"; readonly conference_id: ConferenceId }

export const evolveRooms = (state: ConferenceRooms, event: RoomEvent): ConferenceRooms => {
  const { conference_id } = event
  switch (event._tag) {
    case "Opened":
      return { ...state, rooms: [...state.rooms, { name: event.name, conference_id, begun: false }] }
    case "Begun":
      return {
        ...state,
        rooms: state.rooms.map((room) => (room.conference_id === conference_id ? { ...room, begun: true } : room))
      }
    case "Closed":
      return { ...state, rooms: state.rooms.filter((room) => room.conference_id !== conference_id) }
  }
}

/** This event, if it concerns a room that is there. */
const ifOpen = (state: ConferenceRooms, event: RoomEvent) =>
  Result.succeed({
    events: state.rooms.some(({ conference_id }) => conference_id === event.conference_id) ? [event] : [],
    reply: undefined
  })

export const decideRooms: Decide<ConferenceRooms, RoomCommands, RoomEvent> = decideBy<
  ConferenceRooms,
  RoomCommands,
  RoomEvent
>(() => ({
  Open: ({ rooms }, { candidate, limit, name }) => {
    const room = rooms.find((each) => each.name === name)
    if (room !== undefined) return Result.succeed({ events: [], reply: room.conference_id })
    if (rooms.length >= limit) return Result.succeed({ events: [], reply: null })
    return Result.succeed({ events: [{ _tag: "Opened", name, conference_id: candidate }], reply: candidate })
  },
  Begun: (state, { conference_id }) => ifOpen(state, { _tag: "Begun", conference_id }),
  Close: (state, { conference_id }) => ifOpen(state, { _tag: "Closed", conference_id })
}))

/** Creates the conference, until it exists. */
export interface RoomWork {
  readonly _tag: "BeginConference"
  readonly conference_id: ConferenceId
  readonly name: string
}

export const planRooms = ({ rooms }: ConferenceRooms): ReadonlyArray<Task<RoomWork>> =>
  rooms
    .filter(({ begun }) => !begun)
    .map(({ conference_id, name }) => task(`begin:${conference_id}`, { _tag: "BeginConference", conference_id, name }))
