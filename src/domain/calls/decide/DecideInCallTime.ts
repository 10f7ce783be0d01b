// What a call decides and plans, in its own time. When the wall clock is set while a call is under way, its instants
// stay as they are, and the instants of what it is told and asks for are converted. So it lasts, and costs, as long as
// it really did. Instants are epoch milliseconds.
import type { Decide } from "../../Command.ts"
import type { Work } from "../../Decision.ts"
import type { PbxCommand } from "../../pbx/PbxCommand.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import type { Call } from "../state/Call.ts"
import type { CallCommands, CallMessage } from "../state/CallCommand.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { callTime, wallTime } from "../state/CallTime.ts"
import { decideCall } from "./DecideCall.ts"
import { type CallWork, planCall } from "./PlanCall.ts"
import { isoInstant } from "../../kit/Instants.ts"

/**
 * An event of the PBX in the call's time. One that the PBX saw before the clock was set may arrive afterwards: what it
 * says then needs no conversion. The PBX reports promptly, so the instant that is nearer to now is the right one.
 */
const eventInCallTime = (call: Call, event: PbxEvent, now: number): PbxEvent => {
  const told = Date.parse(event.occurred_at)
  const converted = callTime(call, told)
  return Math.abs(now - told) < Math.abs(now - converted) ? event : { ...event, occurred_at: isoInstant(converted) }
}

const commandInCallTime = (call: Call, command: CallMessage, now: number): CallMessage => {
  switch (command._tag) {
    case "Incoming":
    case "PbxReported":
      return { ...command, event: eventInCallTime(call, command.event, now) }
    case "ProofOfLife":
    case "SessionUnlisted":
      return { ...command, at: callTime(call, command.at) }
    default:
      return command
  }
}

/** `decideCall` in the call's time. `wall` is the time of the wall clock. */
export const decideInCallTime: Decide<Call, CallCommands, CallEvent> = (call, command, wall) => {
  if (call.clock_set_ms === undefined) return decideCall(call, command, wall)
  const now = callTime(call, wall)
  // The compiler cannot follow that a converted command has the tag that it had.
  return decideCall(call, commandInCallTime(call, command as CallMessage, now) as typeof command, now)
}

const pbxCommandOnTheWall = (call: Call, command: PbxCommand): PbxCommand =>
  "not_after" in command.action && command.action.not_after !== undefined
    ? {
        ...command,
        action: { ...command.action, not_after: isoInstant(wallTime(call, Date.parse(command.action.not_after))) }
      }
    : command

const taskOnTheWall = (call: Call, work: CallWork): CallWork => {
  switch (work._tag) {
    case "SendToPbx": {
      const command = pbxCommandOnTheWall(call, work.command)
      return work.until === undefined ? { ...work, command } : { ...work, command, until: wallTime(call, work.until) }
    }
    default:
      return work
  }
}

const workOnTheWall = (call: Call, work: Work<CallMessage, CallWork>): Work<CallMessage, CallWork> => {
  if (work._tag === "Deadline") return { ...work, at: wallTime(call, work.at) }
  const converted = { ...work, work: taskOnTheWall(call, work.work) }
  return work.at === undefined ? converted : { ...converted, at: wallTime(call, work.at) }
}

/** `planCall` with the instants of the wall clock, by which deadlines fire and others are told. */
export const planOnTheWall = (call: Call): ReadonlyArray<Work<CallMessage, CallWork>> =>
  call.clock_set_ms === undefined ? planCall(call) : planCall(call).map((work) => workOnTheWall(call, work))
