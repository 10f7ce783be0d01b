// What can be asked of a workspace about its members. `by` is the user who asks: their role is looked up here and now, not
// taken from a session that may be older.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { Role } from "../access/Role.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { InvitationRecord, MemberRecord } from "./MemberRecords.ts"

const by = Schema.String
const id = Schema.String
const idempotency = Schema.optionalKey(IdempotentRequest)

export const memberCommands = [
  tagged("ChangeMember", {
    by,
    user_id: Schema.String,
    role: Schema.optionalKey(Role),
    read_only: Schema.optionalKey(Schema.Boolean),
    origin: Origin
  }),
  /** Somebody leaves, or is removed. */
  tagged("RemoveMember", { by, user_id: Schema.String, origin: Origin }),
  /** An invitation of the same address that is pending is revoked by it. */
  tagged("Invite", {
    by,
    id,
    email: Schema.String,
    role: Role,
    read_only: Schema.Boolean,
    origin: Origin,
    idempotency
  }),
  tagged("RevokeInvitation", { by, id, origin: Origin }),
  /** Mails it again, and gives it its seven days anew. */
  tagged("ResendInvitation", { by, id, idempotency }),
  /** So many messages about it are on their way. */
  tagged("InvitationMailed", { id, mails: Schema.Int }),
  /** By whoever has the link, signed in with the address that it was sent to. */
  tagged("AcceptInvitation", { id, user_id: Schema.String, email: Schema.String, origin: Origin })
] as const
export type MemberCommand = (typeof memberCommands)[number]["Type"]

export const memberReplies = [
  tagged("Member", { member: MemberRecord }),
  tagged("Invitation", { invitation: InvitationRecord })
] as const
export type MemberReply = (typeof memberReplies)[number]["Type"] | { readonly _tag: "Granted" }
