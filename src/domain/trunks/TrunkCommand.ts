// The commands of a workspace's trunk.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import {
  TrunkAlreadyExists,
  TrunkInUse,
  TrunkNotFound,
  WorkspaceLockedToPlatformNumbers
} from "../errors/TrunkErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { TrunkReport } from "./Trunk.ts"
import { TrunkDefinition, TrunkRecord } from "./TrunkRecord.ts"
import { PbxTrunkId, TrunkId } from "../BrandedIds.ts"

const origin = { origin: Origin }
/** Whether the workspace has chosen numbers of the platform. */
const locked = { locked: Schema.Boolean }
/** The version of the definition that the command is about. Other versions ignore it. */
const generation = { generation: Schema.Int }

const TrunkReply = Schema.Struct({
  record: TrunkRecord,
  /** Whether the latest definition has become active or has failed. */
  settled: Schema.Boolean
})
export type TrunkReply = typeof TrunkReply.Type

export const TrunkCommands = commandsOf("SipTrunk", {
  Create: {
    payload: {
      id: TrunkId,
      definition: TrunkDefinition,
      ...locked,
      ...origin,
      idempotency: Schema.optionalKey(IdempotentRequest)
    },
    reply: TrunkReply,
    errors: [WorkspaceLockedToPlatformNumbers, TrunkAlreadyExists]
  },
  /** The password is sealed for the trunk with this id. A trunk that was created meanwhile refuses it. */
  Change: {
    payload: { id: TrunkId, definition: TrunkDefinition, ...locked, ...origin },
    reply: TrunkReply,
    errors: [WorkspaceLockedToPlatformNumbers, TrunkNotFound]
  },
  Delete: { payload: { in_use: Schema.Boolean, ...origin }, errors: [TrunkInUse, TrunkNotFound] },
  Get: { reply: TrunkReply, errors: [TrunkNotFound] },
  Approve: { payload: { id: TrunkId, ...origin }, reply: TrunkReply, errors: [TrunkNotFound] },
  Reject: {
    payload: { id: TrunkId, reason: Schema.String, ...origin },
    reply: TrunkReply,
    errors: [TrunkNotFound]
  },
  /** The host has these addresses, and the PBX is given them. */
  Locate: { payload: { ...generation, addresses: Schema.Array(Schema.String) } },
  /** The PBX has set up the version. */
  ConfirmSetUp: { payload: generation },
  /** The PBX has not set up the version. `final`: it never will. `code`: its host or a range is refused. */
  FailSetUp: { payload: { ...generation, final: Schema.Boolean, code: Schema.optionalKey(Schema.String) } },
  /** The PBX reports the state of the trunk. Instants are epoch milliseconds. */
  Report: {
    payload: {
      ...TrunkReport.fields,
      at: Schema.Int
    }
  },
  /**
   * The host of a trunk on the PBX, or a range, is refused by now: the code of its fault. Null: the name of the host
   * has no address.
   */
  Refuse: { payload: { pbx_trunk_id: PbxTrunkId, code: Schema.NullOr(Schema.String) } },
  /** The workspace is committed to numbers of its own. */
  ConfirmNumberMode: { payload: generation },
  /** The workspace cannot use numbers of its own, or the trunk may not serve: the code of the error or fault. */
  RefuseNumberMode: { payload: { ...generation, code: Schema.String } },
  /** The PBX has taken the trunk down. */
  ConfirmRemoval: { payload: { pbx_trunk_id: PbxTrunkId } },
  /** Deadline: the time of the probe is over. */
  EndProbe: { payload: { probe: Schema.Int } },
  /** Deadline: the trunk has been unreachable since then (epoch milliseconds), long enough to notify the workspace. */
  NotifyUnreachable: { payload: { since: Schema.Int } },
  /** The workspace's gateway has connected, for the `epoch`th time, and may have forgotten the trunk. */
  BeginResync: { payload: { epoch: Schema.Int } },
  /** The gateway has been sent the trunk again. */
  FinishResync: { payload: { epoch: Schema.Int } }
})
export type TrunkCommands = typeof TrunkCommands
export type TrunkMessage<T extends Tag<TrunkCommands> = Tag<TrunkCommands>> = Message<TrunkCommands, T>
