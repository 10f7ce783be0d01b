// The commands of a workspace that concern its members. `by` is the id of the user who makes the request: the actor
// looks up the user's role itself, because the role in a session may be out of date.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { Rights } from "../access/Role.ts"
import { commandsOf, type Message } from "../Command.ts"
import {
  AccountSuspended,
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
import { BadRequest, NotFound } from "../errors/GeneralErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { InvitationRecord, MemberPatch, MemberRecord } from "./MemberRecords.ts"
import { UserId } from "../BrandedIds.ts"

const by = UserId
const id = Schema.String
const idempotency = Schema.optionalKey(IdempotentRequest)

export const MemberCommands = commandsOf("Workspace", {
  ChangeMember: {
    payload: {
      by,
      user_id: UserId,
      ...MemberPatch.fields,
      origin: Origin
    },
    reply: MemberRecord,
    errors: [NotFound, WorkspaceForbidden, WriteDenied, RoleChangeDenied, MemberNotFound, BadRequest, LastOwner]
  },
  /** Removes a member. With `user_id` equal to `by` the member leaves. */
  RemoveMember: {
    payload: { by, user_id: UserId, origin: Origin },
    errors: [NotFound, WorkspaceForbidden, RemoveDenied, MemberNotFound, LastOwner]
  },
  /** Invites an address. A pending invitation of the same address is revoked. */
  Invite: {
    payload: { by, id, email: Schema.String, ...Rights.fields, origin: Origin, idempotency },
    reply: InvitationRecord,
    errors: [
      NotFound,
      WorkspaceForbidden,
      WriteDenied,
      AdminRequired,
      RoleChangeDenied,
      BadRequest,
      InvitationAlreadyMember
    ]
  },
  RevokeInvitation: {
    payload: { by, id, origin: Origin },
    errors: [NotFound, WorkspaceForbidden, WriteDenied, AdminRequired, RoleChangeDenied, InvitationNotFound]
  },
  /** Mails the invitation again. It is valid for another seven days. */
  ResendInvitation: {
    payload: { by, id, idempotency },
    reply: InvitationRecord,
    errors: [NotFound, WorkspaceForbidden, WriteDenied, AdminRequired, RoleChangeDenied, InvitationNotFound]
  },
  /** `mails` messages about the invitation were handed to the mailbox. */
  InvitationMailed: { payload: { id, mails: Schema.Int }, errors: [NotFound] },
  /** `email` is the address of the signed-in user, who must be the one invited. */
  AcceptInvitation: {
    payload: { id, user_id: UserId, email: Schema.String, origin: Origin },
    reply: MemberRecord,
    errors: [NotFound, AccountSuspended, InvitationNotFound, InviteEmailMismatch, InvitationAlreadyMember]
  }
})
export type MemberCommands = typeof MemberCommands
export type MemberCommand = Message<MemberCommands>
