// The stored state of a workspace's SIP trunk.
import { Schema } from "effect"
import { PbxTrunkId, TrunkId, WorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import type { TrunkState } from "./Trunk.ts"
import { TrunkDefinition, TrunkRecord } from "./TrunkRecord.ts"

const Instant = Schema.Int
const Count = Schema.Int
const orNull = Schema.NullOr

const Version = Schema.Struct({
  generation: Count,
  definition: TrunkDefinition,
  addresses: Schema.optionalKey(Schema.Array(Schema.String))
})

const StoredTrunk = Schema.Struct({
  id: TrunkId,
  wanted: Version,
  serving: orNull(Version),
  status: TrunkRecord.fields.status,
  status_reason: orNull(Schema.String),
  stage: Schema.Literals(["approval", "setting_up", "probing", "choosing", "settled"]),
  tries: Count,
  probe: Count,
  probed_at: Instant,
  health: Schema.Struct({
    reachable: orNull(Schema.Boolean),
    last_checked_at: orNull(Instant),
    registered_until: orNull(Instant),
    last_sip_code: orNull(Schema.Int)
  }),
  unreachable_since: orNull(Instant),
  unreachable_told: Schema.Boolean,
  withdrawn: Schema.optionalKey(Schema.String),
  approved_at: orNull(Instant),
  created_at: Instant,
  updated_at: Instant,
  sequence: Count
})

const StoredTrunkState = Schema.Struct({
  workspace_id: WorkspaceId,
  trunk: orNull(StoredTrunk),
  generation: Count,
  removing: Schema.Array(PbxTrunkId),
  returned_epoch: Count,
  restored_epoch: Count
})

export const trunkState = storedState({ schema: StoredTrunkState, upgrades: [] })

export const restoreTrunk = trunkState.restore((stored): TrunkState => stored)
