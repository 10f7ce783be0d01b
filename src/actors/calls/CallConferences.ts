// The tasks of a call that takes part in conferences.
import { toConferenceId } from "../../domain/BrandedIds.ts"
import { ConferenceCommands } from "../../domain/conferences/ConferenceCommand.ts"
import { RoomCommands } from "../../domain/conferences/ConferenceRooms.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { Ids } from "../../domain/ports/engine/Ids.ts"
import { traced } from "../../domain/Traced.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { type CallSelf, placedCall, type WorkOf } from "./CallWork.ts"

/** `limit`: how many conferences a workspace may have at once. */
export const makeCallConferences = (system: ActorSystem["Service"], ids: Ids["Service"], limit: number) => {
  /** Fails with ServiceUnavailable if the conference has ended meanwhile: its name then has another one, or is free. */
  const joinConference = traced("PerformCall.joinConference")(function* (
    { action, step }: WorkOf<"JoinConference">,
    self: CallSelf
  ) {
    const { gateway_id, session_id, workspace_id } = placedCall(self).facts
    const candidate = toConferenceId(ids.uuid())
    const conference_id = yield* system.ask(RoomCommands.Open, workspace_id, { name: action.name, candidate, limit })
    if (conference_id === null) return yield* self.tell({ _tag: "ConferenceRefused", step, result: "limit_reached" })
    const request = { workspace_id, call_id: self.id, session_id, gateway_id, step, action }
    const reply = yield* system.ask(ConferenceCommands.Join, conference_id, request)
    if (reply === "gone") return yield* new ServiceUnavailable()
    if (reply !== "joined") yield* self.tell({ _tag: "ConferenceRefused", step, result: reply })
  })

  const leaveConference = traced("PerformCall.leaveConference")(function* (
    { conference_id, result, step }: WorkOf<"LeaveConference">,
    self: CallSelf
  ) {
    yield* system.ask(ConferenceCommands.Leave, conference_id, { call_id: self.id, step, result })
    yield* self.tell({ _tag: "ConferenceTold", step })
  })

  return { joinConference, leaveConference }
}
