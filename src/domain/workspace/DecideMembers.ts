// Who may change members and invitations (docs/accounts.md). A workspace always has an owner.
import { Result } from "effect"
import { mayWrite, reaches, type Rights, rightsOf, type Role } from "../access/Role.ts"
import { decideBy, type Message, type Refusal, refuse, type Reply, type Rules } from "../Command.ts"
import type { Decided } from "../Decision.ts"
import {
  AdminRequired,
  InvitationAlreadyMember,
  InvitationNotFound,
  LastOwner,
  MemberNotFound,
  RemoveDenied,
  RoleChangeDenied,
  WriteDenied
} from "../errors/AccountErrors.ts"
import { InviteEmailMismatch, WorkspaceForbidden } from "../errors/AuthErrors.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import type { MemberCommands } from "./MemberCommand.ts"
import { invitationRecord, memberRecord } from "./MemberRecords.ts"
import {
  type Invitation,
  invitationLife_ms,
  isLastOwner,
  isOpen,
  maxMembers,
  type Members,
  type MemberEvent,
  type Membership
} from "./Members.ts"
import type { UserId } from "../BrandedIds.ts"

type Tag = keyof MemberCommands
type Answer<T extends Tag> = Decided<MemberEvent, Reply<MemberCommands, T>, Refusal<MemberCommands, T>>
type MemberRules = Rules<Members, MemberCommands, MemberEvent>

const granted = (...events: ReadonlyArray<MemberEvent>) => Result.succeed({ events, reply: undefined })

const memberShown = (user_id: UserId, member: Omit<Membership, "generation">, ...events: ReadonlyArray<MemberEvent>) =>
  Result.succeed({ events, reply: memberRecord(user_id, member) })

const invitationShown = (id: string, invitation: Invitation, now: number, ...events: ReadonlyArray<MemberEvent>) =>
  Result.succeed({ events, reply: invitationRecord(id, invitation, now) })

/** Admins and owners cannot be read-only. */
const contradiction = ({ read_only, role }: Rights): BadRequest | undefined => {
  if (!read_only || !reaches(role, "admin")) return undefined
  const message = "Only viewers and members can be read-only."
  return new BadRequest({ message, details: [{ field: "/read_only", code: "invalid", message }] })
}

/** A rule for commands of a member, who is passed to it as `by`. */
const byMember =
  <T extends Exclude<Tag, "InvitationMailed" | "AcceptInvitation">>(
    rule: (members: Members, by: Membership, command: Message<MemberCommands, T>, now: number) => Answer<T>
  ) =>
  (
    members: Members,
    command: Message<MemberCommands, T> & { readonly by: UserId },
    now: number
  ): Answer<T> | Result.Result<never, WorkspaceForbidden> => {
    const by = members.members[command.by]
    return by === undefined ? refuse(new WorkspaceForbidden()) : rule(members, by, command, now)
  }

const changeMember = byMember<"ChangeMember">((members, by, command, at) => {
  const { origin, user_id } = command
  if (!mayWrite(by)) return refuse(new WriteDenied())
  if (!reaches(by.role, "admin")) return refuse(new RoleChangeDenied())
  const member = members.members[user_id]
  if (member === undefined) return refuse(new MemberNotFound())
  const role = command.role ?? member.role
  // A member who becomes an admin is no longer read-only.
  const read_only = command.read_only ?? (member.read_only && !reaches(role, "admin"))
  if ((role === "owner" || member.role === "owner") && by.role !== "owner") return refuse(new RoleChangeDenied())
  const rights = { role, read_only }
  const fault = contradiction(rights)
  if (fault !== undefined) return refuse(fault)
  if (role === member.role && read_only === member.read_only) return memberShown(user_id, member)
  if (role !== "owner" && isLastOwner(members.members, user_id)) return refuse(new LastOwner())
  const event: MemberEvent = { _tag: "MemberChanged", at, user_id, ...rights, origin }
  return memberShown(user_id, { ...member, ...rights }, event)
})

const removeMember = byMember<"RemoveMember">((members, by, { by: by_id, origin, user_id }, at) => {
  const left = by_id === user_id
  const member = members.members[user_id]
  if (!left && !reaches(by.role, "admin")) return refuse(new RemoveDenied())
  if (member === undefined) return refuse(new MemberNotFound())
  if (!left && member.role === "owner" && by.role !== "owner") return refuse(new RemoveDenied())
  if (isLastOwner(members.members, user_id)) return refuse(new LastOwner())
  return granted({ _tag: "MemberRemoved", at, user_id, left, origin })
})

const mayInvite = (by: Membership, role: Role): WriteDenied | AdminRequired | RoleChangeDenied | undefined => {
  if (!mayWrite(by)) return new WriteDenied()
  if (!reaches(by.role, "admin")) return new AdminRequired()
  return role === "owner" && by.role !== "owner" ? new RoleChangeDenied() : undefined
}

const tooMany = () =>
  new BadRequest({
    message: `A workspace has at most ${maxMembers} members, pending invitations included.`,
    reason: "too_many"
  })

const invite = byMember<"Invite">((members, by, { email, id, origin, ...asked }, at) => {
  const rights = rightsOf(asked)
  const fault = mayInvite(by, rights.role) ?? contradiction(rights)
  if (fault !== undefined) return refuse(fault)
  const repeated = members.invitations[id]
  if (repeated !== undefined) return invitationShown(id, repeated, at)
  if (Object.values(members.members).some((member) => member.email === email)) {
    return refuse(new InvitationAlreadyMember())
  }
  const open = Object.entries(members.invitations).filter(([, invitation]) => isOpen(invitation, at))
  const replaced = open.filter(([, invitation]) => invitation.email === email)
  if (open.length - replaced.length + Object.keys(members.members).length >= maxMembers) return refuse(tooMany())
  const invitation: Invitation = {
    email,
    ...rights,
    status: "pending",
    invited_by: by.email,
    created_at: at,
    expires_at: at + invitationLife_ms,
    mails: 1,
    mailed: 0
  }
  const revoked = replaced.map(([id]): MemberEvent => ({ _tag: "InvitationRevoked", at, id, origin }))
  return invitationShown(id, invitation, at, ...revoked, { _tag: "Invited", at, id, invitation, origin })
})

const accept: MemberRules["AcceptInvitation"] = (members, { email, id, origin, user_id }, at) => {
  const invitation = members.invitations[id]
  const member = members.members[user_id]
  if (invitation === undefined || invitation.status === "revoked") return refuse(new InvitationNotFound())
  if (invitation.email !== email) return refuse(new InviteEmailMismatch())
  // A repetition, by somebody who did not get the first response.
  if (invitation.status === "accepted") {
    return member === undefined ? refuse(new InvitationNotFound()) : memberShown(user_id, member)
  }
  if (!isOpen(invitation, at)) return refuse(new InvitationNotFound({ message: "The invitation has expired." }))
  if (member !== undefined) return refuse(new InvitationAlreadyMember())
  const event: MemberEvent = { _tag: "InvitationAccepted", at, id, user_id, email, origin }
  return memberShown(user_id, { email, ...rightsOf(invitation), joined_at: at }, event)
}

/** The pending invitation, or why the member may not manage it. */
const pendingInvitation = (
  members: Members,
  by: Membership,
  id: string
): Result.Result<Invitation, WriteDenied | AdminRequired | RoleChangeDenied | InvitationNotFound> => {
  const invitation = members.invitations[id]
  const fault = mayInvite(by, invitation?.role ?? "viewer")
  if (fault !== undefined) return refuse(fault)
  if (invitation === undefined || invitation.status !== "pending") return refuse(new InvitationNotFound())
  return Result.succeed(invitation)
}

const revoke = byMember<"RevokeInvitation">((members, by, { id, origin }, at) =>
  Result.flatMap(pendingInvitation(members, by, id), () => granted({ _tag: "InvitationRevoked", at, id, origin }))
)

const resend = byMember<"ResendInvitation">((members, by, { id }, at) =>
  Result.flatMap(pendingInvitation(members, by, id), (invitation) => {
    const expires_at = at + invitationLife_ms
    const event: MemberEvent = { _tag: "InvitationResent", id, expires_at }
    return invitationShown(id, { ...invitation, expires_at }, at, event)
  })
)

const invitationMailed: MemberRules["InvitationMailed"] = (members, { id, mails }) => {
  const { mailed = mails } = members.invitations[id] ?? {}
  return mailed < mails ? granted({ _tag: "InvitationMailed", id, mails }) : granted()
}

export const memberRules: MemberRules = {
  ChangeMember: changeMember,
  RemoveMember: removeMember,
  Invite: invite,
  RevokeInvitation: revoke,
  ResendInvitation: resend,
  InvitationMailed: invitationMailed,
  AcceptInvitation: accept
}

export const decideMembers = decideBy<Members, MemberCommands, MemberEvent>(() => memberRules)
