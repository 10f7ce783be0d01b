// The SIP trunk of a workspace: the definition that the workspace wants, and the one that carries calls until the
// wanted one is active.
import { Schema, Struct } from "effect"
import type { Origin } from "../access/Origin.ts"
import { type ServingTrunk, trunkLimits } from "./TrunkCapacity.ts"
import { TrunkDefinition, TrunkRecord } from "./TrunkRecord.ts"
import { PbxTrunkId, toPbxTrunkId, TrunkId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, optional, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { storedState } from "../state/StoredState.ts"

/** A numbered definition. The PBX has each version as a separate trunk, so two versions can exist side by side. */
const Version = Schema.Struct({
  generation: Count,
  definition: TrunkDefinition,
  /** The addresses of its host that the PBX was last given. Absent: none yet. */
  addresses: optional(Schema.Array(Schema.String))
})
export type Version = typeof Version.Type

/**
 * The progress of the wanted definition. `approval`: it waits for operators. `setting_up`: it is being set up on the
 * PBX. `probing`: the PBX checks whether it answers. `choosing`: the workspace is committed to numbers of its own.
 * `settled`: it is active or has failed.
 */
const Stage = Schema.Literals(["approval", "setting_up", "probing", "choosing", "settled"])
export type Stage = typeof Stage.Type

const Health = Schema.Struct({
  reachable: orNull(Schema.Boolean),
  last_checked_at: orNull(EpochMs),
  registered_until: orNull(EpochMs),
  last_sip_code: orNull(Schema.Int)
})
export type Health = typeof Health.Type

const Trunk = Schema.Struct({
  id: TrunkId,
  wanted: Version,
  serving: orNull(Version),
  status: TrunkRecord.fields.status,
  status_reason: orNull(Schema.String),
  stage: Stage,
  /** Failed set-ups or probes of this stage. */
  tries: Count,
  /** The current probe and when it began: of the wanted version while that is in `probing`, else of the serving one. */
  probe: Count,
  probed_at: EpochMs,
  health: Health,
  /** Since when the serving version has not answered, and whether the workspace was notified. */
  unreachable_since: orNull(EpochMs),
  unreachable_told: Schema.Boolean,
  /** Why the serving version was taken off the PBX: the code of a fault of its host or ranges. Absent: it was not. */
  withdrawn: optional(Schema.String),
  approved_at: orNull(EpochMs),
  created_at: EpochMs,
  updated_at: EpochMs,
  /** Counts the events about it. */
  sequence: Count
})
export type Trunk = typeof Trunk.Type

const TrunkState = Schema.Struct({
  workspace_id: WorkspaceId,
  trunk: orNull(Trunk),
  /** The latest version number. It never restarts, even if the trunk is deleted and another is created. */
  generation: Count,
  /** Trunks that the PBX must take down, by their ids on the PBX. */
  removing: Schema.Array(PbxTrunkId),
  /** The gateway connection that last came back, and the one that was last sent the trunk again. */
  returned_epoch: Count,
  restored_epoch: Count
})
export type TrunkState = typeof TrunkState.Type

export const trunkState = storedState({ schema: TrunkState, upgrades: [] })

export const restoreTrunk = trunkState.restore((stored): TrunkState => stored)

/** The state of a trunk, as a PBX reports it. */
export const TrunkReport = Schema.Struct({
  pbx_trunk_id: PbxTrunkId,
  reachable: Schema.Boolean,
  sip_code: orNull(Schema.Int),
  registered_until: orNull(EpochMs),
  /** Present if the PBX has taken the trunk down for good: why. */
  withdrawn: optional(Schema.String)
})
export type TrunkReport = typeof TrunkReport.Type

interface At {
  readonly at: number
}
interface By extends At {
  readonly origin: Origin
}

export type TrunkEvent =
  | ({ readonly _tag: "Created"; readonly id: TrunkId; readonly definition: TrunkDefinition } & By)
  | ({ readonly _tag: "Changed"; readonly definition: TrunkDefinition } & By)
  | ({ readonly _tag: "Deleted"; readonly id: TrunkId } & By)
  | ({ readonly _tag: "Approved" } & By)
  | ({ readonly _tag: "Rejected"; readonly reason: string } & By)
  | ({ readonly _tag: "SetUp" } & At)
  | { readonly _tag: "Located"; readonly generation: number; readonly addresses: ReadonlyArray<string> }
  | { readonly _tag: "AttemptFailed" }
  | ({ readonly _tag: "ProbeBegan" } & At)
  | ({ readonly _tag: "Reported"; readonly report: TrunkReport } & At)
  | { readonly _tag: "ProbeAnswered" }
  | ({ readonly _tag: "Activated" } & At)
  | ({ readonly _tag: "Failed"; readonly reason: string } & At)
  /** The PBX has taken down the serving version, while another one is wanted. */
  | ({ readonly _tag: "ServingRemoved" } & At)
  | ({ readonly _tag: "UnreachableNotified" } & At)
  | ({ readonly _tag: "Withdrawn"; readonly code: string } & At)
  | { readonly _tag: "Reinstated" }
  | ({ readonly _tag: "Recovered" } & At)
  | { readonly _tag: "Removed"; readonly pbx_trunk_id: PbxTrunkId }
  | { readonly _tag: "ResyncBegan"; readonly epoch: number }
  | { readonly _tag: "ResyncFinished"; readonly epoch: number }

export const initialTrunk = (workspace_id: WorkspaceId): TrunkState => ({
  workspace_id,
  trunk: null,
  generation: 0,
  removing: [],
  returned_epoch: 0,
  restored_epoch: 0
})

/** The id of a version on the PBX. */
export const pbxTrunkId = ({ id }: Pick<Trunk, "id">, { generation }: Version): PbxTrunkId =>
  toPbxTrunkId(`${id}.${generation}`)

/** The version that carries calls; undefined if there is none. */
export const servingTrunk = ({ trunk }: TrunkState): ServingTrunk | undefined => {
  if (trunk === null || trunk.serving === null) return undefined
  return { id: pbxTrunkId(trunk, trunk.serving), ...Struct.pick(trunk.serving.definition, trunkLimits) }
}

const unknown: Health = { reachable: null, last_checked_at: null, registered_until: null, last_sip_code: null }

/** The ids on the PBX of versions that are no longer needed. */
const leftovers = (trunk: Trunk, ...versions: ReadonlyArray<Version | null>): ReadonlyArray<PbxTrunkId> =>
  versions.flatMap((version) => (version === null ? [] : [pbxTrunkId(trunk, version)]))

const firstStage = ({ auth_mode }: TrunkDefinition): Stage => (auth_mode === "signaling" ? "approval" : "setting_up")

const activating = (definition: TrunkDefinition, generation: number) => ({
  wanted: { generation, definition },
  status: "pending" as const,
  status_reason: definition.auth_mode === "signaling" ? "approval" : null,
  stage: firstStage(definition),
  tries: 0,
  approved_at: null
})

export const newTrunk = (
  { generation }: TrunkState,
  { at, definition, id }: Extract<TrunkEvent, { _tag: "Created" }>
): Trunk => ({
  id,
  ...activating(definition, generation + 1),
  serving: null,
  probe: 0,
  probed_at: at,
  health: unknown,
  unreachable_since: null,
  unreachable_told: false,
  created_at: at,
  updated_at: at,
  sequence: 0
})

const isServing = ({ serving, wanted }: Trunk): boolean => serving?.generation === wanted.generation

const changed = (state: TrunkState, trunk: Trunk, definition: TrunkDefinition, at: number): TrunkState => {
  const generation = state.generation + 1
  const abandoned = isServing(trunk) ? [] : leftovers(trunk, trunk.wanted)
  return {
    ...state,
    generation,
    removing: [...state.removing, ...abandoned],
    trunk: { ...trunk, ...activating(definition, generation), updated_at: at }
  }
}

const reported = (trunk: Trunk, { reachable, registered_until, sip_code }: TrunkReport, at: number): Trunk => ({
  ...trunk,
  health: { reachable, last_checked_at: at, registered_until, last_sip_code: sip_code },
  unreachable_since: trunk.serving === null || reachable ? null : (trunk.unreachable_since ?? at)
})

const reinstated = ({ withdrawn: _, ...trunk }: Trunk): Trunk => trunk

const activated = (state: TrunkState, trunk: Trunk, at: number): TrunkState => ({
  ...state,
  removing: [...state.removing, ...leftovers(trunk, trunk.serving)],
  trunk: {
    ...reinstated(trunk),
    serving: trunk.wanted,
    status: "active",
    status_reason: null,
    stage: "settled",
    tries: 0,
    probed_at: at,
    unreachable_since: null,
    unreachable_told: false,
    updated_at: at,
    sequence: trunk.sequence + 1
  }
})

const failed = (state: TrunkState, trunk: Trunk, reason: string, at: number): TrunkState => ({
  ...state,
  removing: [...state.removing, ...leftovers(trunk, trunk.wanted)],
  trunk: {
    ...trunk,
    ...(isServing(trunk) && { serving: null, unreachable_since: null }),
    status: "failed",
    status_reason: reason,
    stage: "settled",
    tries: 0,
    updated_at: at,
    sequence: trunk.sequence + 1
  }
})

const located = ({ serving, wanted }: Trunk, { addresses, generation }: Extract<TrunkEvent, { _tag: "Located" }>) => {
  const at = <V extends Version | null>(version: V): V =>
    version?.generation === generation ? { ...version, addresses } : version
  return { wanted: at(wanted), serving: at(serving) }
}

const evolvePresent = (state: TrunkState, trunk: Trunk, event: TrunkEvent): TrunkState => {
  const changing = (change: Partial<Trunk>): TrunkState => ({ ...state, trunk: { ...trunk, ...change } })
  switch (event._tag) {
    case "Changed":
      return changed(state, trunk, event.definition, event.at)
    case "Deleted": {
      const unneeded = leftovers(trunk, trunk.serving, isServing(trunk) ? null : trunk.wanted)
      return { ...state, trunk: null, removing: [...state.removing, ...unneeded] }
    }
    case "Approved":
      return changing({
        stage: "setting_up",
        status_reason: null,
        tries: 0,
        approved_at: event.at,
        updated_at: event.at
      })
    case "Rejected":
    case "Failed":
      return failed(state, trunk, event.reason, event.at)
    case "SetUp":
      return trunk.wanted.definition.auth_mode === "signaling"
        ? changing({ stage: "choosing", tries: 0 })
        : changing({ stage: "probing", tries: 0, probe: trunk.probe + 1, probed_at: event.at })
    case "Located":
      return changing(located(trunk, event))
    case "AttemptFailed":
      return changing({ tries: trunk.tries + 1 })
    case "ProbeBegan":
      return changing({ probe: trunk.probe + 1, probed_at: event.at })
    case "Reported":
      return { ...state, trunk: reported(trunk, event.report, event.at) }
    case "ProbeAnswered":
      return changing({ stage: "choosing", tries: 0 })
    case "Activated":
      return activated(state, trunk, event.at)
    case "Withdrawn":
      return changing({ withdrawn: event.code, unreachable_told: true, sequence: trunk.sequence + 1 })
    case "Reinstated":
      return { ...state, trunk: reinstated(trunk) }
    case "ServingRemoved":
      return {
        ...state,
        removing: [...state.removing, ...leftovers(trunk, trunk.serving)],
        trunk: { ...trunk, serving: null, unreachable_since: null, updated_at: event.at }
      }
    case "UnreachableNotified":
      return changing({ unreachable_told: true, sequence: trunk.sequence + 1 })
    case "Recovered":
      return changing({ unreachable_told: false, sequence: trunk.sequence + 1 })
    default:
      return state
  }
}

export const evolveTrunk = (state: TrunkState, event: TrunkEvent): TrunkState => {
  switch (event._tag) {
    case "Created":
      return { ...state, trunk: newTrunk(state, event), generation: state.generation + 1 }
    case "Removed":
      return { ...state, removing: state.removing.filter((id) => id !== event.pbx_trunk_id) }
    case "ResyncBegan":
      return { ...state, returned_epoch: event.epoch }
    case "ResyncFinished":
      return { ...state, restored_epoch: event.epoch }
    default:
      return state.trunk === null ? state : evolvePresent(state, state.trunk, event)
  }
}

export const recordOf = (trunk: Trunk): TrunkRecord => {
  const { approved_at, created_at, health, id, status, updated_at, wanted, withdrawn } = trunk
  const { host, password: _, ...definition } = wanted.definition
  const registers = definition.auth_mode === "registration"
  return {
    id,
    ...definition,
    host: registers ? null : host,
    registrar: registers ? host : null,
    status,
    status_reason: trunk.status_reason ?? (isServing(trunk) ? withdrawn : undefined) ?? null,
    health: {
      ...health,
      last_checked_at: instantOrNull(health.last_checked_at),
      registered_until: instantOrNull(health.registered_until)
    },
    approved_at: instantOrNull(approved_at),
    created_at: isoInstant(created_at),
    updated_at: isoInstant(updated_at)
  }
}
