import { deadline, task, type Work } from "../Decision.ts"
import { pbxTrunkId, type Trunk, type TrunkState } from "./Trunk.ts"
import type { TrunkMessage } from "./TrunkCommand.ts"
import type { PbxTrunkId } from "../BrandedIds.ts"

export type TrunkWork =
  /** Set up the wanted version on the PBX. */
  | { readonly _tag: "SetUp"; readonly generation: number; readonly tries: number }
  | { readonly _tag: "Probe"; readonly pbx_trunk_id: PbxTrunkId; readonly probe: number }
  /** Commit the workspace to numbers of its own. */
  | { readonly _tag: "ChooseNumberMode"; readonly generation: number }
  | { readonly _tag: "Remove"; readonly pbx_trunk_id: PbxTrunkId }
  /** Set up the trunk again on a PBX that has come back. */
  | { readonly _tag: "Resync"; readonly epoch: number }

/** How long a probe of a new trunk may take. */
export const probe_ms = 12_000
/** How often an active trunk is probed. */
export const check_ms = 60_000
/** How long an active trunk must be unreachable before its workspace is notified. */
export const unreachable_ms = 15 * 60_000

type Item = Work<TrunkMessage, TrunkWork>

const probing = (pbx_trunk_id: PbxTrunkId, { probe, probed_at }: Trunk, lasts_ms: number): ReadonlyArray<Item> => [
  task(`probe:${probe}`, { _tag: "Probe", pbx_trunk_id, probe }),
  deadline(`probe_over:${probe}`, probed_at + lasts_ms, { _tag: "EndProbe", probe })
]

/** The active version is probed unless a new version is being probed. */
const serving = (trunk: Trunk): ReadonlyArray<Item> => {
  if (trunk.serving === null) return []
  const { unreachable_since: since, unreachable_told } = trunk
  const check = trunk.stage === "probing" ? [] : probing(pbxTrunkId(trunk, trunk.serving), trunk, check_ms)
  return since === null || unreachable_told
    ? check
    : [...check, deadline(`unreachable:${since}`, since + unreachable_ms, { _tag: "NotifyUnreachable", since })]
}

/** The work that brings the wanted version to its next stage. */
const activation = (trunk: Trunk): ReadonlyArray<Item> => {
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
      return [task(`choose:${generation}`, { _tag: "ChooseNumberMode", generation })]
  }
}

export const planTrunk = ({ removing, restored_epoch, returned_epoch, trunk }: TrunkState): ReadonlyArray<Item> => [
  ...(trunk === null ? [] : [...activation(trunk), ...serving(trunk)]),
  ...removing.map((pbx_trunk_id) => task(`remove:${pbx_trunk_id}`, { _tag: "Remove" as const, pbx_trunk_id })),
  ...(returned_epoch === restored_epoch
    ? []
    : [task(`resync:${returned_epoch}`, { _tag: "Resync" as const, epoch: returned_epoch })])
]
