import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EmailRequest, SessionRow, SessionView, TokenRequest, UserRecord } from "../../domain/access/AuthRecords.ts"
import {
  CannotUnlinkOnlyAuth,
  EmailTaken,
  SignUpClosed,
  IdpExchangeFailed,
  IdpNotConfigured,
  IdpStateMismatch,
  MagicLinkExpired,
  MagicLinkInvalid,
  MagicLinkUsed,
  SessionInvalid,
  WorkspaceForbidden
} from "../../domain/errors/AuthErrors.ts"
import { BadRequest, NotFound, RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Id } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { SignedIn } from "../middleware/SignedIn.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { plainEndpoints } from "./Endpoints.ts"

const Sent = Schema.Struct({ sent: Schema.Literal(true) }).annotate({ identifier: "LinkSent" })

const idpQuery = {
  return_to: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))).annotate({
    description: "The path of this host to return to."
  })
}

const endpoint = plainEndpoints()

export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    endpoint.post("signUp", "/v1/auth/signup", {
      summary: "Sign up",
      description:
        "Creates an account and mails a link that signs in to it. After that, create a workspace or accept an invitation.",
      payload: EmailRequest,
      success: UserRecord.pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, EmailTaken, SignUpClosed, RateLimited]
    }),
    endpoint.post("askForLink", "/v1/auth/magic-link", {
      summary: "Request a sign-in link",
      description:
        "Sends an e-mail whether or not the address has an account, and the response does not tell which. The link works once, within 15 minutes.",
      payload: EmailRequest,
      success: Sent.pipe(HttpApiSchema.status(202)),
      errors: [BadRequest, RateLimited]
    }),
    endpoint.post("verify", "/v1/auth/magic-link/verify", {
      summary: "Sign in",
      description: "Uses the link and sets the session cookie.",
      payload: TokenRequest,
      success: SessionView,
      errors: [BadRequest, MagicLinkInvalid, MagicLinkExpired, MagicLinkUsed, SessionInvalid]
    }),
    endpoint
      .act("logout", "/v1/auth/logout", {
        summary: "Sign out",
        description: "The session ends within a second.",
        success: HttpApiSchema.NoContent,
        errors: [NotFound]
      })
      .middleware(SignedIn),
    endpoint
      .get("session", "/v1/auth/session", {
        summary: "Read your session",
        description: "Who is signed in, the workspace of the session, and your other workspaces.",
        success: SessionView
      })
      .middleware(SignedIn),
    endpoint
      .patch("enter", "/v1/auth/session", {
        summary: "Switch to another workspace",
        description: "Moves the session to another of your workspaces and sets a new cookie.",
        payload: Schema.Struct({
          workspace_id: WorkspaceId.check(Schema.isUUID()).annotate({ description: "The workspace to act for." })
        }).annotate({
          identifier: "SessionPatch"
        }),
        success: SessionView,
        errors: [BadRequest, WorkspaceForbidden, SessionInvalid]
      })
      .middleware(SignedIn),
    endpoint
      .get("sessions", "/v1/auth/sessions", {
        summary: "List your sessions",
        description: "Sessions that have not ended, newest first.",
        success: Schema.Array(SessionRow)
      })
      .middleware(SignedIn),
    endpoint
      .remove("endSession", "/v1/auth/sessions/:id", {
        summary: "End a session",
        description: "Ends one of your sessions, on any device, within a second.",
        params: { id: Id },
        success: HttpApiSchema.NoContent,
        errors: [NotFound]
      })
      .middleware(SignedIn),
    endpoint.get("idpStart", "/v1/auth/idp/start", {
      summary: "Start at the identity provider",
      description: "Redirects to the provider, to sign in.",
      query: idpQuery,
      success: HttpApiSchema.Empty(302),
      errors: [BadRequest, IdpNotConfigured, IdpExchangeFailed, ServiceUnavailable]
    }),
    endpoint
      .act("idpLink", "/v1/auth/idp/link", {
        summary: "Link an identity provider",
        description: "Redirects to the provider, to link the identity there to your account.",
        query: idpQuery,
        success: HttpApiSchema.Empty(303),
        errors: [BadRequest, IdpNotConfigured, IdpExchangeFailed]
      })
      .middleware(SignedIn),
    endpoint.get("idpCallback", "/v1/auth/idp/callback", {
      summary: "Return from the identity provider",
      description:
        "Opens a session, and creates an account if the address has none. If the address already has an account, sign in by e-mail and link the provider.",
      success: HttpApiSchema.Empty(302),
      errors: [
        IdpStateMismatch,
        IdpExchangeFailed,
        IdpNotConfigured,
        EmailTaken,
        SignUpClosed,
        SessionInvalid,
        RateLimited,
        ServiceUnavailable
      ]
    }),
    endpoint
      .remove("idpUnlink", "/v1/auth/idp", {
        summary: "Unlink the identity provider",
        description:
          "Refused while the provider is your only way to sign in. Sign in once with a link from an e-mail, then unlink.",
        success: HttpApiSchema.NoContent,
        errors: [CannotUnlinkOnlyAuth, NotFound]
      })
      .middleware(SignedIn)
  )
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Sign-in", description: "Accounts and sessions." })) {}
