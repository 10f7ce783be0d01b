// Members and invitations as the API shows them, and the requests to change them.
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { isoInstant } from "../kit/Instants.ts"
import { recordOf } from "../kit/RecordOf.ts"
import type { Invitation, Members, Membership } from "./Members.ts"
import { toUserId, UserId } from "../BrandedIds.ts"

const ReadOnly = Schema.Boolean.annotate({
  description: "The member can read but change nothing, whatever the role allows. For viewers and members only."
})

export const MemberRecord = Schema.Struct({
  user_id: UserId,
  email: Schema.String,
  role: Role,
  read_only: ReadOnly,
  joined_at: Schema.String
}).annotate({ identifier: "Member" })
export type MemberRecord = typeof MemberRecord.Type

export const MemberPatch = Schema.Struct({
  role: Schema.optionalKey(Role),
  read_only: Schema.optionalKey(ReadOnly)
}).annotate({ identifier: "MemberPatch" })
export type MemberPatch = typeof MemberPatch.Type

export const InvitationRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the invitation." }),
  email: Schema.String,
  role: Role,
  read_only: ReadOnly,
  status: Schema.Literals(["pending", "accepted", "revoked", "expired"]).annotate({
    description: "The state of the invitation."
  }),
  invited_by: Schema.String.annotate({ description: "The e-mail address of the member who sent the invitation." }),
  created_at: Schema.String,
  expires_at: Schema.String
}).annotate({ identifier: "Invitation" })
export type InvitationRecord = typeof InvitationRecord.Type

export const InvitationRequest = Schema.Struct({
  email: Schema.String.check(Schema.isMaxLength(320)).annotate({ format: "email" }),
  role: Role,
  read_only: Schema.optionalKey(ReadOnly)
}).annotate({ identifier: "InvitationRequest" })
export type InvitationRequest = typeof InvitationRequest.Type

export const memberRecord = (user_id: UserId, member: Omit<Membership, "generation">): MemberRecord =>
  recordOf(MemberRecord, member, { user_id, joined_at: isoInstant(member.joined_at) })

export const invitationRecord = (id: string, invitation: Invitation, now: number): InvitationRecord => {
  const { created_at, expires_at, status } = invitation
  return recordOf(InvitationRecord, invitation, {
    id,
    status: status === "pending" && expires_at <= now ? "expired" : status,
    created_at: isoInstant(created_at),
    expires_at: isoInstant(expires_at)
  })
}

/** The members, in the order in which they joined. */
export const memberRecords = ({ members }: Members): ReadonlyArray<MemberRecord> =>
  Object.entries(members)
    .sort(([, a], [, b]) => a.joined_at - b.joined_at || a.generation - b.generation)
    .map(([user_id, member]) => memberRecord(toUserId(user_id), member))

/** The invitations as of `now` (epoch milliseconds), the newest first. */
export const invitationRecords = ({ invitations }: Members, now: number): ReadonlyArray<InvitationRecord> =>
  Object.entries(invitations)
    .sort(([a, { created_at: earlier }], [b, { created_at: later }]) => later - earlier || (a < b ? 1 : -1))
    .map(([id, invitation]) => invitationRecord(id, invitation, now))
