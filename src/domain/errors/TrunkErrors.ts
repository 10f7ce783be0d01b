import { failure } from "./Failure.ts"

export class TrunkNotFound extends failure("sip_trunk.not_found", 404, "The workspace has no SIP trunk.") {}

export class TrunkAlreadyExists extends failure(
  "sip_trunk.already_exists",
  409,
  "The workspace already has a SIP trunk; it can have only one.",
  "Change the trunk with PUT /v1/sip-trunk."
) {}

export class TrunkInUse extends failure(
  "sip_trunk.in_use",
  409,
  "Numbers of the workspace still use the SIP trunk.",
  "Remove your own numbers first."
) {}

export class TrunkInvalid extends failure(
  "sip_trunk.invalid",
  422,
  "A field that the authentication mode of the SIP trunk requires is missing or not valid.",
  "See `details` for the invalid fields."
) {}

export class TrunkProvisioningFailed extends failure(
  "sip_trunk.provisioning_failed",
  502,
  "The approved SIP trunk could not be set up on the PBX.",
  "Contact support."
) {}

export class WorkspaceLockedToByoc extends failure(
  "workspace.locked_to_byoc",
  409,
  "The workspace uses its own SIP trunk, so it cannot claim platform numbers. This choice is permanent.",
  "Use another workspace for platform numbers."
) {}

export class WorkspaceLockedToPlatformNumbers extends failure(
  "workspace.locked_to_platform_numbers",
  409,
  "The workspace has claimed a platform number, so it cannot use its own numbers. This choice is permanent.",
  "Use another workspace for your own SIP trunk and numbers."
) {}

export const TrunkErrors = [
  TrunkNotFound,
  TrunkAlreadyExists,
  TrunkInUse,
  TrunkInvalid,
  TrunkProvisioningFailed,
  WorkspaceLockedToByoc,
  WorkspaceLockedToPlatformNumbers
] as const
