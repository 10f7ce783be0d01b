// A conference in each condition, for the tables of its rules.
import { toCallId, toConferenceId, toGatewayId, toSessionId } from "../../../src/domain/BrandedIds.ts"
import {
  absentConference,
  type Conference,
  type PresentConference
} from "../../../src/domain/conferences/Conference.ts"
import type { ConferenceAction } from "../../../src/domain/conferences/ConferenceAction.ts"
import { type ConferenceMessage } from "../../../src/domain/conferences/ConferenceCommand.ts"
import { type ConferenceEvent, evolveConference } from "../../../src/domain/conferences/ConferenceEvent.ts"
import { decideConference } from "../../../src/domain/conferences/DecideConference.ts"
import { Result } from "effect"
import { workspaceId } from "../../support/Ids.ts"

export const conference_id = toConferenceId("0199a000-0000-7000-8000-0000000000c1")
export const workspace_id = workspaceId("0199a000-0000-7000-8000-0000000000a1")
export const gateway_id = toGatewayId("default")
export const t0 = Date.UTC(2026, 10, 20)
export const callId = (n: number) => toCallId(`0199a000-0000-7000-8000-00000000000${n}`)
export const [host, guest, other, late] = [callId(1), callId(2), callId(3), callId(4)] as const
export const absent = absentConference(conference_id)

export const join = (
  call_id: typeof host,
  action: Partial<ConferenceAction> = {},
  { at_gateway = gateway_id, step = 0 } = {}
): ConferenceMessage<"Join"> => ({
  _tag: "Join",
  workspace_id,
  call_id,
  session_id: toSessionId(`HD_${call_id}`),
  gateway_id: at_gateway,
  step,
  action: { name: "room", ...action }
})

/** The events of a command; its error's code if it is refused. */
export const outcome = (state: Conference, command: ConferenceMessage, now = t0 + 5_000) => {
  const decided = decideConference(state, command, now)
  return Result.isFailure(decided)
    ? { events: [] as ReadonlyArray<ConferenceEvent>, reply: undefined, refusal: decided.failure._tag as string }
    : { events: decided.success.events, reply: decided.success.reply as unknown, refusal: undefined }
}

export const afterAll = (state: Conference, commands: ReadonlyArray<ConferenceMessage>, now = t0): PresentConference =>
  commands.reduce<Conference>(
    (each, command) => outcome(each, command, now).events.reduce<Conference>(evolveConference, each),
    state
  ) as PresentConference

export const begun = afterAll(absent, [{ _tag: "Begin", workspace_id, name: "room" }])
export const waiting = afterAll(begun, [join(guest, { start_on_enter: false })])
export const talking = afterAll(waiting, [join(other), join(host, { end_on_exit: true })])
export const ended = afterAll(talking, [{ _tag: "End", workspace_id }])
