// Everything that can be asked of a workspace's trunk, as it crosses between processes, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { TrunkDefinition, TrunkRecord } from "./TrunkRecord.ts"

const origin = { origin: Origin }
/** Whether the workspace has chosen numbers of the platform. */
const locked = { locked: Schema.Boolean }
const generation = { generation: Schema.Int }

export const TrunkCommand = Schema.Union([
  tagged("Create", {
    id: Schema.String,
    definition: TrunkDefinition,
    ...locked,
    ...origin,
    idempotency: Schema.optionalKey(IdempotentRequest)
  }),
  /** The password is sealed for this trunk: another one, made meanwhile, refuses it. */
  tagged("Change", { id: Schema.String, definition: TrunkDefinition, ...locked, ...origin }),
  tagged("Delete", { in_use: Schema.Boolean, ...origin }),
  tagged("Look", {}),
  tagged("Approve", { id: Schema.String, ...origin }),
  tagged("Reject", { id: Schema.String, reason: Schema.String, ...origin }),
  /** The PBX has taken on the version, or has not. `final`: it never will. */
  tagged("SetUp", generation),
  tagged("SetUpFailed", { ...generation, final: Schema.Boolean }),
  tagged("Report", {
    pbx_trunk_id: Schema.String,
    reachable: Schema.Boolean,
    sip_code: Schema.NullOr(Schema.Int),
    registered_until: Schema.NullOr(Schema.Int),
    at: Schema.Int
  }),
  /** The workspace is committed to numbers of its own; or it cannot be. */
  tagged("Chosen", generation),
  tagged("ChoiceRefused", { ...generation, code: Schema.String }),
  tagged("Removed", { pbx_trunk_id: Schema.String }),
  /** Told by the runtime. */
  tagged("ProbeOver", { probe: Schema.Int }),
  tagged("StillUnreachable", { since: Schema.Int }),
  tagged("GatewayReturned", { epoch: Schema.Int }),
  tagged("Restored", { epoch: Schema.Int })
])
export type TrunkCommand = typeof TrunkCommand.Type

export const TrunkReply = Schema.Union([
  tagged("Shown", {
    record: TrunkRecord,
    /** Whether what was wanted last has become active or has failed. */
    settled: Schema.Boolean
  }),
  tagged("Noted", {})
])
export type TrunkReply = typeof TrunkReply.Type
