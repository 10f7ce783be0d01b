import { failure } from "./Failure.ts"

export class SipCredentialNotFound extends failure(
  "numbers.sip_credentials.not_found",
  404,
  "No SIP credential with this id exists for this number."
) {}

export class SipCredentialAlreadyRevoked extends failure(
  "numbers.sip_credentials.already_revoked",
  409,
  "The SIP credential is already revoked; nothing was changed.",
  "Create a new credential."
) {}

export class SipCredentialLimitReached extends failure(
  "numbers.credential_limit_reached",
  409,
  "The number has reached its maximum number of active SIP credentials.",
  "Revoke a credential that is no longer used."
) {}

export class ExtensionInvalid extends failure(
  "numbers.extension_invalid",
  422,
  "An extension must have exactly four digits."
) {}

export class ExtensionTaken extends failure(
  "numbers.extension_taken",
  409,
  "Another active SIP credential of the workspace has this extension.",
  "Choose another extension, or revoke that credential."
) {}

export class SipProvisioningFailed extends failure(
  "numbers.sip_provisioning_failed",
  502,
  "The SIP registrar did not accept the change; nothing was changed.",
  "Retry with the same Idempotency-Key."
) {}

export class SipConfigUnavailable extends failure(
  "numbers.sip_config_unavailable",
  503,
  "No SIP gateway is configured in this deployment."
) {}

export class SipTokenUnavailable extends failure(
  "numbers.sip_token_unavailable",
  503,
  "This deployment has no key for signing SIP tokens."
) {}

export const SipCredentialErrors = [
  SipCredentialNotFound,
  SipCredentialAlreadyRevoked,
  SipCredentialLimitReached,
  ExtensionInvalid,
  ExtensionTaken,
  SipProvisioningFailed,
  SipConfigUnavailable,
  SipTokenUnavailable
] as const
