import { failure } from "./Failure.ts"

export class OperatorRequired extends failure(
  "auth.admin_required",
  403,
  "This route is for operators of the platform."
) {}

export class CannotUnlinkOnlyAuth extends failure(
  "auth.cannot_unlink_only_auth",
  409,
  "If you unlinked the identity provider, you could not sign in any more.",
  "Add a verified e-mail address first."
) {}

export class SignUpClosed extends failure(
  "auth.sign_up_closed",
  403,
  "No account can be created here.",
  "Ask the operators of the platform for an account."
) {}

export class EmailTaken extends failure(
  "auth.email_taken",
  409,
  "An account with this e-mail address already exists.",
  "Sign in with this address instead."
) {}

export class IdpExchangeFailed extends failure(
  "auth.idp_exchange_failed",
  502,
  "The identity provider did not complete the sign-in.",
  "Start the sign-in again."
) {}

export class IdpNotConfigured extends failure(
  "auth.idp_not_configured",
  503,
  "Sign-in through an identity provider is not set up in this deployment.",
  "Sign in with a magic link."
) {}

export class IdpStateMismatch extends failure(
  "auth.idp_state_mismatch",
  400,
  "The sign-in was not started in this browser, or its cookie was lost.",
  "Allow cookies and start the sign-in again."
) {}

export class InviteEmailMismatch extends failure(
  "auth.invite_email_mismatch",
  403,
  "The invitation was sent to a different e-mail address than yours.",
  "Sign in with the invited address, or ask for an invitation to your address."
) {}

export class NoWorkspace extends failure(
  "auth.no_workspace",
  403,
  "You are signed in but have no workspace yet.",
  "Complete the onboarding."
) {}

export class SessionInvalid extends failure(
  "auth.session_invalid",
  401,
  "The request carries no valid session.",
  "Sign in again."
) {}

export class MagicLinkExpired extends failure(
  "auth.token_expired",
  401,
  "The magic link has expired: it is older than 15 minutes.",
  "Ask for a new link."
) {}

export class MagicLinkInvalid extends failure(
  "auth.token_invalid",
  401,
  "The magic link is malformed or was not issued here.",
  "Request a new link and open the complete link."
) {}

export class MagicLinkUsed extends failure(
  "auth.token_used",
  401,
  "The magic link was already used.",
  "Ask for a new link."
) {}

export class WorkspaceForbidden extends failure(
  "auth.workspace_forbidden",
  403,
  "You are not a member of this workspace."
) {}

export const AuthErrors = [
  OperatorRequired,
  CannotUnlinkOnlyAuth,
  EmailTaken,
  SignUpClosed,
  IdpExchangeFailed,
  IdpNotConfigured,
  IdpStateMismatch,
  InviteEmailMismatch,
  NoWorkspace,
  SessionInvalid,
  MagicLinkExpired,
  MagicLinkInvalid,
  MagicLinkUsed,
  WorkspaceForbidden
] as const
