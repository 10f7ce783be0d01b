// What may become of a workspace's trunk (docs/sip-trunks.md has the table).
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import type { Failure } from "../errors/Failure.ts"
import {
  TrunkAlreadyExists,
  TrunkInUse,
  TrunkNotFound,
  WorkspaceLockedToPlatformNumbers
} from "../errors/TrunkErrors.ts"
import { evolve, pbxTrunkId, recordOf, type Stage, type Trunk, type TrunkEvent, type TrunkState } from "./Trunk.ts"
import type { TrunkCommand, TrunkReply } from "./TrunkCommand.ts"

type Decide = Decided<TrunkEvent, TrunkReply>
type Command<Tag extends TrunkCommand["_tag"]> = Extract<TrunkCommand, { readonly _tag: Tag }>

/** So many probes, each given its time, before a trunk that does not answer has failed: within a minute. */
export const probesMax = 5
/** How often the PBX is told of an approved trunk before it has failed. */
export const setUpsMax = 3

const noted = (...events: ReadonlyArray<TrunkEvent>): Decide => Result.succeed({ events, reply: { _tag: "Noted" } })
const volatile = (...events: ReadonlyArray<TrunkEvent>): Decide =>
  Result.succeed({ events, reply: { _tag: "Noted" }, volatile: true })
const refused = (failure: Failure): Decide => Result.fail(failure)

const shown = (state: TrunkState, ...events: ReadonlyArray<TrunkEvent>): Decide => {
  const trunk = events.reduce(evolve, state).trunk!
  return Result.succeed({
    events,
    reply: { _tag: "Shown", record: recordOf(trunk), settled: trunk.stage === "settled" }
  })
}

const isAt = ({ stage, wanted }: Trunk, at: Stage, generation: number): boolean =>
  stage === at && wanted.generation === generation

const setUpFailed = (trunk: Trunk, { final, generation }: Command<"SetUpFailed">, at: number): Decide => {
  if (!isAt(trunk, "setting_up", generation)) return noted()
  const over = final || trunk.tries + 1 >= setUpsMax
  return noted(
    { _tag: "TryFailed" },
    ...(over ? [{ _tag: "Failed", reason: "sip_trunk.provisioning_failed", at } as const] : [])
  )
}

const report = (trunk: Trunk, { _tag, at: occurred_at, ...report }: Command<"Report">, now: number): Decide => {
  const at = Math.min(occurred_at, now)
  const told: TrunkEvent = { _tag: "Reported", report, at }
  if (trunk.stage === "probing" && report.pbx_trunk_id === pbxTrunkId(trunk, trunk.wanted)) {
    return report.reachable ? noted(told, { _tag: "Answered" }) : noted(told)
  }
  if (trunk.serving === null || report.pbx_trunk_id !== pbxTrunkId(trunk, trunk.serving)) return noted()
  if (report.reachable && trunk.unreachable_told) return noted(told, { _tag: "Recovered", at })
  return report.reachable === trunk.health.reachable ? volatile(told) : noted(told)
}

const probeOver = (trunk: Trunk, { probe }: Command<"ProbeOver">, at: number): Decide => {
  if (trunk.probe !== probe) return noted()
  if (trunk.stage !== "probing") return volatile({ _tag: "ProbeBegan", at })
  if (trunk.tries + 1 >= probesMax) return noted({ _tag: "TryFailed" }, { _tag: "Failed", reason: "unreachable", at })
  return noted({ _tag: "TryFailed" }, { _tag: "ProbeBegan", at })
}

const approve = (
  state: TrunkState,
  { id, stage }: Trunk,
  { id: asked, origin }: Command<"Approve">,
  at: number
): Decide => {
  if (id !== asked) return refused(new TrunkNotFound())
  return stage === "approval" ? shown(state, { _tag: "Approved", origin, at }) : shown(state)
}

const reject = (
  state: TrunkState,
  { id, stage }: Trunk,
  { id: asked, origin, reason }: Command<"Reject">,
  at: number
): Decide => {
  if (id !== asked) return refused(new TrunkNotFound())
  return stage === "approval" ? shown(state, { _tag: "Rejected", reason, origin, at }) : shown(state)
}

const change = (
  state: TrunkState,
  { id }: Trunk,
  { definition, id: asked, locked, origin }: Command<"Change">,
  at: number
): Decide => {
  if (locked) return refused(new WorkspaceLockedToPlatformNumbers())
  return id === asked ? shown(state, { _tag: "Changed", definition, origin, at }) : refused(new TrunkNotFound())
}

/** Of a trunk that is there. */
const ofTrunk = (state: TrunkState, trunk: Trunk, command: TrunkCommand, now: number): Decide => {
  switch (command._tag) {
    case "Change":
      return change(state, trunk, command, now)
    case "Delete":
      return command.in_use
        ? refused(new TrunkInUse())
        : noted({ _tag: "Deleted", id: trunk.id, origin: command.origin, at: now })
    case "Look":
      return shown(state)
    case "Approve":
      return approve(state, trunk, command, now)
    case "Reject":
      return reject(state, trunk, command, now)
    case "SetUp":
      return isAt(trunk, "setting_up", command.generation) ? noted({ _tag: "SetUp", at: now }) : noted()
    case "SetUpFailed":
      return setUpFailed(trunk, command, now)
    case "Report":
      return report(trunk, command, now)
    case "Chosen":
      return isAt(trunk, "choosing", command.generation) ? noted({ _tag: "Activated", at: now }) : noted()
    case "ChoiceRefused":
      return isAt(trunk, "choosing", command.generation)
        ? noted({ _tag: "Failed", reason: command.code, at: now })
        : noted()
    case "ProbeOver":
      return probeOver(trunk, command, now)
    case "StillUnreachable":
      return trunk.unreachable_since === command.since && !trunk.unreachable_told
        ? noted({ _tag: "UnreachableTold", at: now })
        : noted()
    default:
      return noted()
  }
}

/** Where there is none: what was under way is over, and whoever asks is told. */
const ofNone = (command: TrunkCommand): Decide => {
  switch (command._tag) {
    case "Change":
      return refused(command.locked ? new WorkspaceLockedToPlatformNumbers() : new TrunkNotFound())
    case "Delete":
    case "Look":
    case "Approve":
    case "Reject":
      return refused(new TrunkNotFound())
    default:
      return noted()
  }
}

const create = (state: TrunkState, { definition, id, locked, origin }: Command<"Create">, at: number): Decide => {
  if (locked) return refused(new WorkspaceLockedToPlatformNumbers())
  return state.trunk === null
    ? shown(state, { _tag: "Created", id, definition, origin, at })
    : refused(new TrunkAlreadyExists())
}

export const decideTrunk = (state: TrunkState, command: TrunkCommand, now: number): Decide => {
  switch (command._tag) {
    case "Create":
      return create(state, command, now)
    case "Removed":
      return state.removing.includes(command.pbx_trunk_id)
        ? noted({ _tag: "Removed", pbx_trunk_id: command.pbx_trunk_id })
        : noted()
    case "GatewayReturned":
      return command.epoch > state.returned_epoch && state.trunk !== null ? noted(command) : noted()
    case "Restored":
      return command.epoch === state.returned_epoch ? noted(command) : noted()
    default:
      return state.trunk === null ? ofNone(command) : ofTrunk(state, state.trunk, command, now)
  }
}
