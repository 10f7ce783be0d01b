import { failure } from "./Failure.ts"

export class TrunkNotFound extends failure("sip_trunk.not_found", 404, "The workspace has no SIP trunk.") {}

export class TrunkAlreadyExists extends failure(
  "sip_trunk.already_exists",
  409,
  "The workspace has a SIP trunk; it can have only one.",
  "Change the trunk with PUT /v1/sip-trunk."
) {}

export class TrunkInUse extends failure(
  "sip_trunk.in_use",
  409,
  "Numbers of the workspace use the SIP trunk.",
  "Remove the numbers you brought first."
) {}

export class TrunkInvalid extends failure(
  "sip_trunk.invalid",
  422,
  "A field that the authentication mode of the SIP trunk needs is missing or malformed.",
  "See `details` for the fields at fault."
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
  "The workspace uses its own SIP trunk and cannot claim numbers of the platform. The choice is permanent.",
  "Use another workspace for numbers of the platform."
) {}

export class WorkspaceLockedToPlatformNumbers extends failure(
  "workspace.locked_to_platform_numbers",
  409,
  "The workspace has claimed a number of the platform and cannot bring its own. The choice is permanent.",
  "Use another workspace for your own SIP trunk."
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
