import { deadline, task, type Work } from "../Decision.ts"
import { pbxTrunkId, type Trunk, type TrunkState } from "./Trunk.ts"
import type { TrunkCommand } from "./TrunkCommand.ts"

export type TrunkWork =
  /** Tell the PBX of the version that is wanted. */
  | { readonly _tag: "SetUp"; readonly generation: number; readonly tries: number }
  | { readonly _tag: "Probe"; readonly pbx_trunk_id: string; readonly probe: number }
  | { readonly _tag: "Choose"; readonly generation: number }
  | { readonly _tag: "Remove"; readonly pbx_trunk_id: string }
  /** Tell a PBX that has come back of what serves. */
  | { readonly _tag: "Restore"; readonly epoch: number }

/** Each probe of a new trunk is given so long. */
export const probe_ms = 12_000
/** How often a trunk that serves is probed. */
export const check_ms = 60_000
/** A trunk that serves and does not answer for so long is told of. */
export const unreachable_ms = 15 * 60_000

type Item = Work<TrunkCommand, TrunkWork>

const probing = (pbx_trunk_id: string, { probe, probed_at }: Trunk, lasts_ms: number): ReadonlyArray<Item> => [
  task(`probe:${probe}`, { _tag: "Probe", pbx_trunk_id, probe }),
  deadline(`probe_over:${probe}`, probed_at + lasts_ms, { _tag: "ProbeOver", probe })
]

/** What serves is looked after while nothing new is being tried. */
const serving = (trunk: Trunk): ReadonlyArray<Item> => {
  if (trunk.serving === null) return []
  const { unreachable_since: since, unreachable_told } = trunk
  const check = trunk.stage === "probing" ? [] : probing(pbxTrunkId(trunk, trunk.serving), trunk, check_ms)
  return since === null || unreachable_told
    ? check
    : [...check, deadline(`unreachable:${since}`, since + unreachable_ms, { _tag: "StillUnreachable", since })]
}

const becoming = (trunk: Trunk): ReadonlyArray<Item> => {
  const { stage, tries, wanted } = trunk
  const { generation } = wanted
  switch (stage) {
    case "approval":
    case "settled":
      return []
    case "setting_up":
      return [task(`set_up:${generation}:${tries}`, { _tag: "SetUp", generation, tries })]
    case "probing":
      return probing(pbxTrunkId(trunk, wanted), trunk, probe_ms)
    case "choosing":
      return [task(`choose:${generation}`, { _tag: "Choose", generation })]
  }
}

export const planTrunk = ({ removing, restored_epoch, returned_epoch, trunk }: TrunkState): ReadonlyArray<Item> => [
  ...(trunk === null ? [] : [...becoming(trunk), ...serving(trunk)]),
  ...removing.map((pbx_trunk_id) => task(`remove:${pbx_trunk_id}`, { _tag: "Remove" as const, pbx_trunk_id })),
  ...(returned_epoch === restored_epoch
    ? []
    : [task(`restore:${returned_epoch}`, { _tag: "Restore" as const, epoch: returned_epoch })])
]
