// What may happen to a workspace's trunk (docs/sip-trunks.md has the table of states).
import { Result } from "effect"
import { allBut, decideBy, type Rules } from "../Command.ts"
import {
  TrunkAlreadyExists,
  TrunkInUse,
  TrunkNotFound,
  WorkspaceLockedToPlatformNumbers
} from "../errors/TrunkErrors.ts"
import {
  evolveTrunk,
  newTrunk,
  pbxTrunkId,
  recordOf,
  type Stage,
  type Trunk,
  type TrunkEvent,
  type TrunkState
} from "./Trunk.ts"
import { TrunkCommands, type TrunkMessage } from "./TrunkCommand.ts"

type TrunkRules = Rules<TrunkState, TrunkCommands, TrunkEvent>

/** Unanswered probes, each with its own time limit, before a new trunk has failed: about a minute. */
export const probesMax = 5
/** Attempts to set up an approved trunk on the PBX before it has failed. */
export const setUpsMax = 3

const done = (...events: ReadonlyArray<TrunkEvent>) => Result.succeed({ events, reply: undefined })
/** Events that are kept in memory alone. */
const inMemory = (...events: ReadonlyArray<TrunkEvent>) =>
  Result.succeed({ events, reply: undefined, volatile: true as const })

const showing = (trunk: Trunk, events: ReadonlyArray<TrunkEvent>) =>
  Result.succeed({ events, reply: { record: recordOf(trunk), settled: trunk.stage === "settled" } })

/** Replies with the trunk as it is after the events. */
const shown = (state: TrunkState, trunk: Trunk, ...events: ReadonlyArray<TrunkEvent>) =>
  showing(events.reduce(evolveTrunk, state).trunk ?? trunk, events)

const notFound = () => Result.fail(new TrunkNotFound())
const locked = () => Result.fail(new WorkspaceLockedToPlatformNumbers())

const isAt = ({ stage, wanted }: Trunk, at: Stage, generation: number): boolean =>
  stage === at && wanted.generation === generation

const failSetUp = (
  trunk: Trunk,
  { code = "sip_trunk.provisioning_failed", final, generation }: TrunkMessage<"FailSetUp">,
  at: number
) => {
  if (!isAt(trunk, "setting_up", generation)) return done()
  const has_failed = final || trunk.tries + 1 >= setUpsMax
  return has_failed
    ? done({ _tag: "AttemptFailed" }, { _tag: "Failed", reason: code, at })
    : done({ _tag: "AttemptFailed" })
}

/** Name servers list the addresses of a host in any order. */
const isSame = (one: ReadonlyArray<string> | undefined, other: ReadonlyArray<string>): boolean =>
  one !== undefined && one.toSorted().join(" ") === other.toSorted().join(" ")

const locate = ({ serving, wanted, withdrawn }: Trunk, { addresses, generation }: TrunkMessage<"Locate">) => {
  const version = [serving, wanted].find((each) => each?.generation === generation)
  const returns = withdrawn !== undefined && serving?.generation === generation
  return done(
    ...(!version || isSame(version.addresses, addresses) ? [] : [{ _tag: "Located" as const, generation, addresses }]),
    ...(returns ? [{ _tag: "Reinstated" as const }] : [])
  )
}

/** The PBX has taken a version down for good: it is not tried again before the workspace changes the trunk. */
const withdraw = (trunk: Trunk, pbx_trunk_id: string, reason: string, reported: TrunkEvent, at: number) => {
  const isWanted = trunk.status !== "failed" && pbx_trunk_id === pbxTrunkId(trunk, trunk.wanted)
  if (isWanted) return done(reported, { _tag: "Failed", reason, at })
  const isServing = trunk.serving !== null && pbx_trunk_id === pbxTrunkId(trunk, trunk.serving)
  return isServing ? done(reported, { _tag: "ServingRemoved", at }) : done()
}

const report = (trunk: Trunk, { _tag, at: occurred_at, ...report }: TrunkMessage<"Report">, now: number) => {
  const at = Math.min(occurred_at, now)
  const reported: TrunkEvent = { _tag: "Reported", report, at }
  if (report.withdrawn !== undefined) return withdraw(trunk, report.pbx_trunk_id, report.withdrawn, reported, at)
  if (trunk.stage === "probing" && report.pbx_trunk_id === pbxTrunkId(trunk, trunk.wanted)) {
    return report.reachable ? done(reported, { _tag: "ProbeAnswered" }) : done(reported)
  }
  if (trunk.serving === null || report.pbx_trunk_id !== pbxTrunkId(trunk, trunk.serving)) return done()
  // A report from before the trunk was taken off the PBX.
  if (report.reachable && trunk.withdrawn !== undefined) return done()
  if (report.reachable && trunk.unreachable_told) return done(reported, { _tag: "Recovered", at })
  return report.reachable === trunk.health.reachable ? inMemory(reported) : done(reported)
}

/** Nobody can reach a trunk that is refused. A new one has failed at once; an active one may be allowed again. */
const refuse = (trunk: Trunk, { code, pbx_trunk_id }: TrunkMessage<"Refuse">, at: number) => {
  const down = { pbx_trunk_id, reachable: false, sip_code: null, registered_until: null }
  if (trunk.stage === "probing" && pbx_trunk_id === pbxTrunkId(trunk, trunk.wanted) && code !== null)
    return done({ _tag: "Failed", reason: code, at })
  const isServing = trunk.serving !== null && pbx_trunk_id === pbxTrunkId(trunk, trunk.serving)
  return !isServing || code === null || code === trunk.withdrawn
    ? report(trunk, { _tag: "Report", ...down, at }, at)
    : done({ _tag: "Reported", report: down, at }, { _tag: "Withdrawn", code, at })
}

const endProbe = (trunk: Trunk, { probe }: TrunkMessage<"EndProbe">, at: number) => {
  if (trunk.probe !== probe) return done()
  if (trunk.stage !== "probing") return inMemory({ _tag: "ProbeBegan", at })
  return trunk.tries + 1 >= probesMax
    ? done({ _tag: "AttemptFailed" }, { _tag: "Failed", reason: "unreachable", at })
    : done({ _tag: "AttemptFailed" }, { _tag: "ProbeBegan", at })
}

const beginResync: TrunkRules["BeginResync"] = (state, { epoch }) =>
  // Not "greater": another gateway, whose epochs are its own, may carry the workspace now.
  epoch !== state.returned_epoch && state.trunk !== null ? done({ _tag: "ResyncBegan", epoch }) : done()

const confirmRemoval: TrunkRules["ConfirmRemoval"] = (state, { pbx_trunk_id }) =>
  state.removing.includes(pbx_trunk_id) ? done({ _tag: "Removed", pbx_trunk_id }) : done()

const finishResync: TrunkRules["FinishResync"] = (state, { epoch }) =>
  epoch === state.returned_epoch ? done({ _tag: "ResyncFinished", epoch }) : done()

/** The same whether or not the workspace has a trunk. */
const always = { BeginResync: beginResync, ConfirmRemoval: confirmRemoval, FinishResync: finishResync }

/** Rules of a workspace with this trunk. */
const present = (trunk: Trunk): TrunkRules => ({
  ...always,
  Create: (_, command) => (command.locked ? locked() : Result.fail(new TrunkAlreadyExists())),
  Change: (state, { definition, id, origin, ...command }, at) => {
    if (command.locked) return locked()
    return id === trunk.id ? shown(state, trunk, { _tag: "Changed", definition, origin, at }) : notFound()
  },
  Delete: (_, { in_use, origin }, at) =>
    in_use ? Result.fail(new TrunkInUse()) : done({ _tag: "Deleted", id: trunk.id, origin, at }),
  Get: (state) => shown(state, trunk),
  Approve: (state, { id, origin }, at) => {
    if (id !== trunk.id) return notFound()
    return trunk.stage === "approval" ? shown(state, trunk, { _tag: "Approved", origin, at }) : shown(state, trunk)
  },
  Reject: (state, { id, origin, reason }, at) => {
    if (id !== trunk.id) return notFound()
    return trunk.stage === "approval"
      ? shown(state, trunk, { _tag: "Rejected", reason, origin, at })
      : shown(state, trunk)
  },
  Locate: (_, command) => locate(trunk, command),
  ConfirmSetUp: (_, { generation }, at) =>
    isAt(trunk, "setting_up", generation) ? done({ _tag: "SetUp", at }) : done(),
  FailSetUp: (_, command, at) => failSetUp(trunk, command, at),
  Report: (_, command, at) => report(trunk, command, at),
  Refuse: (_, command, at) => refuse(trunk, command, at),
  ConfirmNumberMode: (_, { generation }, at) =>
    isAt(trunk, "choosing", generation) ? done({ _tag: "Activated", at }) : done(),
  RefuseNumberMode: (_, { code, generation }, at) =>
    isAt(trunk, "choosing", generation) ? done({ _tag: "Failed", reason: code, at }) : done(),
  EndProbe: (_, command, at) => endProbe(trunk, command, at),
  NotifyUnreachable: (_, { since }, at) =>
    trunk.unreachable_since === since && !trunk.unreachable_told ? done({ _tag: "UnreachableNotified", at }) : done()
})

const requests = ["Create", "Change", "Delete", "Get", "Approve", "Reject"] as const
const common = ["BeginResync", "ConfirmRemoval", "FinishResync"] as const

/** Rules of a workspace without a trunk. What the trunk was doing is over; requests are refused. */
const absent: TrunkRules = {
  ...always,
  ...allBut(TrunkCommands, [...requests, ...common], () => done()),
  Create: (state, { definition, id, origin, ...command }, at) => {
    const event = { _tag: "Created", id, definition, origin, at } as const
    return command.locked ? locked() : showing(newTrunk(state, event), [event])
  },
  Change: (_, command) => (command.locked ? locked() : notFound()),
  Delete: notFound,
  Get: notFound,
  Approve: notFound,
  Reject: notFound
}

export const decideTrunk = decideBy<TrunkState, TrunkCommands, TrunkEvent>(({ trunk }) =>
  trunk === null ? absent : present(trunk)
)
