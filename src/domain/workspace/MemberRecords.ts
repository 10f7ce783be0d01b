// Members and invitations as members see them, and what they ask.
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import type { Invitation, Membered, Membership } from "./Members.ts"

const ReadOnly = Schema.Boolean.annotate({
  description: "Reads alone, whatever the role would allow. For viewers and members."
})

export const MemberRecord = Schema.Struct({
  user_id: Schema.String,
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
  id: Schema.String,
  email: Schema.String,
  role: Role,
  read_only: ReadOnly,
  status: Schema.Literals(["pending", "accepted", "revoked", "expired"]),
  invited_by: Schema.String.annotate({ description: "The e-mail address of who invited them." }),
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

const instant = (at: number): string => new Date(at).toISOString()

export const memberRecord = (user_id: string, { email, joined_at, read_only, role }: Membership): MemberRecord => ({
  user_id,
  email,
  role,
  read_only,
  joined_at: instant(joined_at)
})

export const invitationRecord = (id: string, invitation: Invitation, now: number): InvitationRecord => {
  const { created_at, email, expires_at, invited_by, read_only, role, status } = invitation
  return {
    id,
    email,
    role,
    read_only,
    status: status === "pending" && expires_at <= now ? "expired" : status,
    invited_by,
    created_at: instant(created_at),
    expires_at: instant(expires_at)
  }
}

/** In the order in which they joined. */
export const memberRecords = ({ members }: Membered): ReadonlyArray<MemberRecord> =>
  Object.entries(members)
    .sort(([, a], [, b]) => a.joined_at - b.joined_at || a.generation - b.generation)
    .map(([user_id, member]) => memberRecord(user_id, member))

/** The newest first. */
export const invitationRecords = ({ invitations }: Membered, now: number): ReadonlyArray<InvitationRecord> =>
  Object.entries(invitations)
    .sort(([a, { created_at: earlier }], [b, { created_at: later }]) => later - earlier || (a < b ? 1 : -1))
    .map(([id, invitation]) => invitationRecord(id, invitation, now))
