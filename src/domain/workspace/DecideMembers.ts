// Who may do what about members (docs/accounts.md). A workspace has an owner at all times.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import { reaches, type Role } from "../access/Role.ts"
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
import type { Failure } from "../errors/Failure.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import type { MemberCommand, MemberReply } from "./MemberCommand.ts"
import { invitationRecord, memberRecord } from "./MemberRecords.ts"
import {
  evolveMembers,
  type Invitation,
  invitation_life_ms,
  isLastOwner,
  isOpen,
  type Membered,
  type MemberEvent,
  members_max,
  type Membership
} from "./Members.ts"

type Answer = Decided<MemberEvent, MemberReply>
type CommandOf<Tag extends MemberCommand["_tag"]> = Extract<MemberCommand, { readonly _tag: Tag }>

const refused = (failure: Failure): Answer => Result.fail(failure)
const granted = (...events: ReadonlyArray<MemberEvent>): Answer =>
  Result.succeed({ events, reply: { _tag: "Granted" } })

const memberAfter = (state: Membered, user_id: string, ...events: ReadonlyArray<MemberEvent>): Answer => {
  const member = events.reduce(evolveMembers, state).members[user_id]!
  return Result.succeed({ events, reply: { _tag: "Member", member: memberRecord(user_id, member) } })
}

const invitationAfter = (state: Membered, id: string, now: number, ...events: ReadonlyArray<MemberEvent>): Answer => {
  const invitation = events.reduce(evolveMembers, state).invitations[id]!
  return Result.succeed({ events, reply: { _tag: "Invitation", invitation: invitationRecord(id, invitation, now) } })
}

/** An admin or an owner would not be one who only reads. */
const contradiction = (role: Role, read_only: boolean): BadRequest | undefined => {
  if (!read_only || !reaches(role, "admin")) return undefined
  const message = "Only viewers and members can be read-only."
  return new BadRequest({ message, details: [{ field: "/read_only", code: "invalid", message }] })
}

const changeMember = (state: Membered, by: Membership, command: CommandOf<"ChangeMember">, at: number): Answer => {
  const { origin, user_id } = command
  if (by.role === "viewer" || by.read_only) return refused(new WriteDenied())
  if (!reaches(by.role, "admin")) return refused(new RoleChangeDenied())
  const member = state.members[user_id]
  if (member === undefined) return refused(new MemberNotFound())
  const role = command.role ?? member.role
  // Who is raised to admin reads no longer alone.
  const read_only = command.read_only ?? (member.read_only && !reaches(role, "admin"))
  if ((role === "owner" || member.role === "owner") && by.role !== "owner") return refused(new RoleChangeDenied())
  const fault = contradiction(role, read_only)
  if (fault !== undefined) return refused(fault)
  if (role === member.role && read_only === member.read_only) return memberAfter(state, user_id)
  if (role !== "owner" && isLastOwner(state.members, user_id)) return refused(new LastOwner())
  return memberAfter(state, user_id, { _tag: "MemberChanged", at, user_id, role, read_only, origin })
}

const removeMember = (
  state: Membered,
  by: Membership,
  { by: by_id, origin, user_id }: CommandOf<"RemoveMember">,
  at: number
): Answer => {
  const left = by_id === user_id
  const member = state.members[user_id]
  if (!left && !reaches(by.role, "admin")) return refused(new RemoveDenied())
  if (member === undefined) return refused(new MemberNotFound())
  if (!left && member.role === "owner" && by.role !== "owner") return refused(new RemoveDenied())
  if (isLastOwner(state.members, user_id)) return refused(new LastOwner())
  return granted({ _tag: "MemberRemoved", at, user_id, left, origin })
}

const mayInvite = (by: Membership, role: Role): Failure | undefined => {
  if (by.role === "viewer" || by.read_only) return new WriteDenied()
  if (!reaches(by.role, "admin")) return new AdminRequired()
  return role === "owner" && by.role !== "owner" ? new RoleChangeDenied() : undefined
}

const invite = (state: Membered, by: Membership, command: CommandOf<"Invite">, at: number): Answer => {
  const { email, id, origin, read_only, role } = command
  const fault = mayInvite(by, role) ?? contradiction(role, read_only)
  if (fault !== undefined) return refused(fault)
  if (state.invitations[id] !== undefined) return invitationAfter(state, id, at)
  if (Object.values(state.members).some((member) => member.email === email))
    return refused(new InvitationAlreadyMember())
  const open = Object.entries(state.invitations).filter(([, invitation]) => isOpen(invitation, at))
  const replaced = open.filter(([, invitation]) => invitation.email === email)
  if (open.length - replaced.length + Object.keys(state.members).length >= members_max) {
    return refused(
      new BadRequest({
        message: `A workspace has at most ${members_max} members, those invited included.`,
        reason: "too_many"
      })
    )
  }
  const expires_at = at + invitation_life_ms
  const invitation: Invitation = {
    email,
    role,
    read_only,
    status: "pending",
    invited_by: by.email,
    created_at: at,
    expires_at,
    mails: 1,
    mailed: 0
  }
  return invitationAfter(
    state,
    id,
    at,
    ...replaced.map(([id]): MemberEvent => ({ _tag: "InvitationRevoked", at, id, origin })),
    { _tag: "Invited", at, id, invitation, origin }
  )
}

const accept = (state: Membered, { email, id, origin, user_id }: CommandOf<"AcceptInvitation">, at: number): Answer => {
  const invitation = state.invitations[id]
  const member = state.members[user_id]
  if (invitation === undefined || invitation.status === "revoked") return refused(new InvitationNotFound())
  if (invitation.email !== email) return refused(new InviteEmailMismatch())
  // Asked once more, by whoever did not hear the answer.
  if (invitation.status === "accepted")
    return member === undefined ? refused(new InvitationNotFound()) : memberAfter(state, user_id)
  if (!isOpen(invitation, at)) return refused(new InvitationNotFound({ message: "The invitation has expired." }))
  if (member !== undefined) return refused(new InvitationAlreadyMember())
  return memberAfter(state, user_id, { _tag: "InvitationAccepted", at, id, user_id, email, origin })
}

const manageInvitation = (
  state: Membered,
  by: Membership,
  command: CommandOf<"RevokeInvitation" | "ResendInvitation">,
  at: number
): Answer => {
  const { id } = command
  const invitation = state.invitations[id]
  const fault = mayInvite(by, invitation?.role ?? "viewer")
  if (fault !== undefined) return refused(fault)
  if (invitation === undefined || invitation.status !== "pending") return refused(new InvitationNotFound())
  return command._tag === "RevokeInvitation"
    ? granted({ _tag: "InvitationRevoked", at, id, origin: command.origin })
    : invitationAfter(state, id, at, { _tag: "InvitationResent", id, expires_at: at + invitation_life_ms })
}

export const decideMembers = (state: Membered, command: MemberCommand, now: number): Answer => {
  if (command._tag === "AcceptInvitation") return accept(state, command, now)
  if (command._tag === "InvitationMailed") {
    const { id, mails } = command
    return (state.invitations[id]?.mailed ?? mails) < mails
      ? granted({ _tag: "InvitationMailed", id, mails })
      : granted()
  }
  const by = state.members[command.by]
  if (by === undefined) return refused(new WorkspaceForbidden())
  switch (command._tag) {
    case "ChangeMember":
      return changeMember(state, by, command, now)
    case "RemoveMember":
      return removeMember(state, by, command, now)
    case "Invite":
      return invite(state, by, command, now)
    case "RevokeInvitation":
    case "ResendInvitation":
      return manageInvitation(state, by, command, now)
  }
}
