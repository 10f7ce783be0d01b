// The SIP trunk of a workspace: the definition that its workspace wants, and the one that serves until that is active.
import type { Origin } from "../access/Origin.ts"
import type { ServingTrunk } from "./TrunkCapacity.ts"
import type { TrunkDefinition, TrunkRecord } from "./TrunkRecord.ts"

/** A definition under a number of its own: the PBX knows each as a trunk of its own, so two can stand side by side. */
export interface Version {
  readonly generation: number
  readonly definition: TrunkDefinition
}

/**
 * How far the wanted definition is. approval: operators look at it. setting_up: the PBX is told of it. probing: the PBX
 * asks whether it answers. choosing: the workspace commits itself to numbers of its own. settled: active or failed.
 */
export type Stage = "approval" | "setting_up" | "probing" | "choosing" | "settled"

export interface Health {
  readonly reachable: boolean | null
  readonly last_checked_at: number | null
  readonly registered_until: number | null
  readonly last_sip_code: number | null
}

/** Instants are epoch milliseconds. */
export interface Trunk {
  readonly id: string
  readonly wanted: Version
  readonly serving: Version | null
  readonly status: TrunkRecord["status"]
  readonly status_reason: string | null
  readonly stage: Stage
  /** Set-ups or probes of this stage that came to nothing. */
  readonly tries: number
  /** The probe under way, of what is wanted while it is being probed, else of what serves; and when it began. */
  readonly probe: number
  readonly probed_at: number
  readonly health: Health
  /** Since when what serves has not answered, and whether its workspace was told. */
  readonly unreachable_since: number | null
  readonly unreachable_told: boolean
  readonly approved_at: number | null
  readonly created_at: number
  readonly updated_at: number
  /** Counts the events about it. */
  readonly sequence: number
}

export interface TrunkState {
  readonly workspace_id: string
  readonly trunk: Trunk | null
  /** Goes on rising when a trunk is deleted and another made. */
  readonly generation: number
  /** Trunks, as the PBX names them, that it is to take down. */
  readonly removing: ReadonlyArray<string>
  readonly returned_epoch: number
  readonly restored_epoch: number
}

/** What a PBX tells of a trunk. */
export interface TrunkReport {
  readonly pbx_trunk_id: string
  readonly reachable: boolean
  readonly sip_code: number | null
  readonly registered_until: number | null
}

interface At {
  readonly at: number
}
interface By extends At {
  readonly origin: Origin
}

export type TrunkEvent =
  | ({ readonly _tag: "Created"; readonly id: string; readonly definition: TrunkDefinition } & By)
  | ({ readonly _tag: "Changed"; readonly definition: TrunkDefinition } & By)
  | ({ readonly _tag: "Deleted"; readonly id: string } & By)
  | ({ readonly _tag: "Approved" } & By)
  | ({ readonly _tag: "Rejected"; readonly reason: string } & By)
  | ({ readonly _tag: "SetUp" } & At)
  | { readonly _tag: "TryFailed" }
  | ({ readonly _tag: "ProbeBegan" } & At)
  | ({ readonly _tag: "Reported"; readonly report: TrunkReport } & At)
  | { readonly _tag: "Answered" }
  | ({ readonly _tag: "Activated" } & At)
  | ({ readonly _tag: "Failed"; readonly reason: string } & At)
  | ({ readonly _tag: "UnreachableTold" } & At)
  | ({ readonly _tag: "Recovered" } & At)
  | { readonly _tag: "Removed"; readonly pbx_trunk_id: string }
  | { readonly _tag: "GatewayReturned"; readonly epoch: number }
  | { readonly _tag: "Restored"; readonly epoch: number }

export const initial = (workspace_id: string): TrunkState => ({
  workspace_id,
  trunk: null,
  generation: 0,
  removing: [],
  returned_epoch: 0,
  restored_epoch: 0
})

/** How the PBX knows a version. */
export const pbxTrunkId = ({ id }: Pick<Trunk, "id">, { generation }: Version): string => `${id}.${generation}`

/** What serves; undefined where nothing does. */
export const servingTrunk = ({ trunk }: TrunkState): ServingTrunk | undefined => {
  if (trunk === null || trunk.serving === null) return undefined
  const { max_channels, max_cps } = trunk.serving.definition
  return { id: pbxTrunkId(trunk, trunk.serving), max_channels, max_cps }
}

const unknown: Health = { reachable: null, last_checked_at: null, registered_until: null, last_sip_code: null }

/** What the PBX may have of the trunk, but for what serves on. */
const leftovers = (trunk: Trunk, ...versions: ReadonlyArray<Version | null>): ReadonlyArray<string> =>
  versions.flatMap((version) => (version === null ? [] : [pbxTrunkId(trunk, version)]))

const firstStage = ({ auth_mode }: TrunkDefinition): Stage => (auth_mode === "signaling" ? "approval" : "setting_up")

const begun = (definition: TrunkDefinition, generation: number) => ({
  wanted: { generation, definition },
  status: "pending" as const,
  status_reason: definition.auth_mode === "signaling" ? "approval" : null,
  stage: firstStage(definition),
  tries: 0,
  approved_at: null
})

const created = (state: TrunkState, { at, definition, id }: Extract<TrunkEvent, { _tag: "Created" }>): TrunkState => {
  const generation = state.generation + 1
  const trunk: Trunk = {
    id,
    ...begun(definition, generation),
    serving: null,
    probe: 0,
    probed_at: at,
    health: unknown,
    unreachable_since: null,
    unreachable_told: false,
    created_at: at,
    updated_at: at,
    sequence: 0
  }
  return { ...state, trunk, generation }
}

const isServing = ({ serving, wanted }: Trunk): boolean => serving?.generation === wanted.generation

const changed = (state: TrunkState, trunk: Trunk, definition: TrunkDefinition, at: number): TrunkState => {
  const generation = state.generation + 1
  const abandoned = isServing(trunk) ? [] : leftovers(trunk, trunk.wanted)
  return {
    ...state,
    generation,
    removing: [...state.removing, ...abandoned],
    trunk: { ...trunk, ...begun(definition, generation), updated_at: at }
  }
}

const reported = (trunk: Trunk, { reachable, registered_until, sip_code }: TrunkReport, at: number): Trunk => ({
  ...trunk,
  health: { reachable, last_checked_at: at, registered_until, last_sip_code: sip_code },
  unreachable_since: trunk.serving === null || reachable ? null : (trunk.unreachable_since ?? at)
})

const activated = (state: TrunkState, trunk: Trunk, at: number): TrunkState => ({
  ...state,
  removing: [...state.removing, ...leftovers(trunk, trunk.serving)],
  trunk: {
    ...trunk,
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
    status: "failed",
    status_reason: reason,
    stage: "settled",
    tries: 0,
    updated_at: at,
    sequence: trunk.sequence + 1
  }
})

const about = (state: TrunkState, trunk: Trunk, event: TrunkEvent): TrunkState => {
  const now = (change: Partial<Trunk>): TrunkState => ({ ...state, trunk: { ...trunk, ...change } })
  switch (event._tag) {
    case "Changed":
      return changed(state, trunk, event.definition, event.at)
    case "Deleted": {
      const left = leftovers(trunk, trunk.serving, isServing(trunk) ? null : trunk.wanted)
      return { ...state, trunk: null, removing: [...state.removing, ...left] }
    }
    case "Approved":
      return now({ stage: "setting_up", status_reason: null, tries: 0, approved_at: event.at, updated_at: event.at })
    case "Rejected":
    case "Failed":
      return failed(state, trunk, event.reason, event.at)
    case "SetUp":
      return trunk.wanted.definition.auth_mode === "signaling"
        ? now({ stage: "choosing", tries: 0 })
        : now({ stage: "probing", tries: 0, probe: trunk.probe + 1, probed_at: event.at })
    case "TryFailed":
      return now({ tries: trunk.tries + 1 })
    case "ProbeBegan":
      return now({ probe: trunk.probe + 1, probed_at: event.at })
    case "Reported":
      return { ...state, trunk: reported(trunk, event.report, event.at) }
    case "Answered":
      return now({ stage: "choosing", tries: 0 })
    case "Activated":
      return activated(state, trunk, event.at)
    case "UnreachableTold":
      return now({ unreachable_told: true, sequence: trunk.sequence + 1 })
    case "Recovered":
      return now({ unreachable_told: false, sequence: trunk.sequence + 1 })
    default:
      return state
  }
}

export const evolve = (state: TrunkState, event: TrunkEvent): TrunkState => {
  switch (event._tag) {
    case "Created":
      return created(state, event)
    case "Removed":
      return { ...state, removing: state.removing.filter((id) => id !== event.pbx_trunk_id) }
    case "GatewayReturned":
      return { ...state, returned_epoch: event.epoch }
    case "Restored":
      return { ...state, restored_epoch: event.epoch }
    default:
      return state.trunk === null ? state : about(state, state.trunk, event)
  }
}

const instant = (at: number): string => new Date(at).toISOString()
const instantOrNull = (at: number | null): string | null => (at === null ? null : instant(at))

export const recordOf = ({
  approved_at,
  created_at,
  health,
  id,
  status,
  status_reason,
  updated_at,
  wanted
}: Trunk): TrunkRecord => {
  const { host, password: _, ...definition } = wanted.definition
  const registers = definition.auth_mode === "registration"
  return {
    id,
    ...definition,
    host: registers ? null : host,
    registrar: registers ? host : null,
    status,
    status_reason,
    health: {
      ...health,
      last_checked_at: instantOrNull(health.last_checked_at),
      registered_until: instantOrNull(health.registered_until)
    },
    approved_at: instantOrNull(approved_at),
    created_at: instant(created_at),
    updated_at: instant(updated_at)
  }
}
