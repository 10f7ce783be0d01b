import { failure } from "./Failure.ts"

export class AccountSuspended extends failure(
  "account.suspended",
  403,
  "The workspace is suspended: it can be read, but not changed.",
  "Contact support to reinstate the workspace."
) {}

export class AdminRequired extends failure(
  "accounts.admin_required",
  403,
  "This route requires the role admin or owner.",
  "Ask an admin or owner of the workspace to do this or to change your role."
) {}

export class LastOwner extends failure(
  "accounts.last_owner",
  409,
  "The change would leave the workspace without an owner.",
  "Make another member an owner first."
) {}

export class RemoveDenied extends failure(
  "accounts.remove_denied",
  403,
  "Only an admin or owner can remove another member.",
  "Ask an admin or owner of the workspace to remove the member."
) {}

export class RoleChangeDenied extends failure(
  "accounts.role_change_denied",
  403,
  "Your role does not allow you to make this role change.",
  "Ask an admin or owner. Only an owner can grant or remove the role owner."
) {}

export class WriteDenied extends failure(
  "accounts.write_denied",
  403,
  "Viewers and read-only members cannot change anything.",
  "Ask an admin or owner of the workspace for the role member or higher."
) {}

export class MemberNotFound extends failure(
  "members.not_found",
  404,
  "No member with this id belongs to this workspace."
) {}

export class InvitationNotFound extends failure(
  "invitations.not_found",
  404,
  "The invitation does not exist or was revoked.",
  "Ask an admin of the workspace for a new invitation."
) {}

export class InvitationAlreadyMember extends failure(
  "invitations.already_member",
  409,
  "This e-mail address already belongs to a member of the workspace."
) {}

export class InviteRequiresLogin extends failure(
  "invite_requires_login",
  401,
  "You must be signed in to accept an invitation.",
  "Sign in and accept again within 30 minutes."
) {}

export const AccountErrors = [
  AccountSuspended,
  AdminRequired,
  LastOwner,
  RemoveDenied,
  RoleChangeDenied,
  WriteDenied,
  MemberNotFound,
  InvitationNotFound,
  InvitationAlreadyMember,
  InviteRequiresLogin
] as const
