import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { SignedIn } from "../middleware/SignedIn.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"

const Sent = Schema.Struct({ sent: Schema.Literal(true) }).annotate({ identifier: "LinkSent" })

const signUp = HttpApiEndpoint.post("signUp", "/v1/auth/signup", {
  payload: EmailRequest,
  success: UserRecord.pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, EmailTaken, SignUpClosed, RateLimited)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sign up",
      description:
        "Creates an account and mails a link that signs in to it. After that, create a workspace or accept an invitation."
    })
  )
  .middleware(JsonOnly)

const askForLink = HttpApiEndpoint.post("askForLink", "/v1/auth/magic-link", {
  payload: EmailRequest,
  success: Sent.pipe(HttpApiSchema.status(202)),
  error: responses(BadRequest, RateLimited)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Request a sign-in link",
      description:
        "Sends an e-mail whether or not the address has an account, and the response does not tell which. The link works once, within 15 minutes."
    })
  )
  .middleware(JsonOnly)

const verify = HttpApiEndpoint.post("verify", "/v1/auth/magic-link/verify", {
  payload: TokenRequest,
  success: SessionView,
  error: responses(BadRequest, MagicLinkInvalid, MagicLinkExpired, MagicLinkUsed, SessionInvalid)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sign in",
      description: "Uses the link and sets the session cookie."
    })
  )
  .middleware(JsonOnly)

const logout = HttpApiEndpoint.post("logout", "/v1/auth/logout", {
  success: HttpApiSchema.NoContent,
  error: responses(NotFound)
})
  .annotateMerge(OpenApi.annotations({ summary: "Sign out", description: "The session ends within a second." }))
  .middleware(SignedIn)

const session = HttpApiEndpoint.get("session", "/v1/auth/session", { success: SessionView })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read your session",
      description: "Who is signed in, the workspace of the session, and your other workspaces."
    })
  )
  .middleware(SignedIn)

const enter = HttpApiEndpoint.patch("enter", "/v1/auth/session", {
  payload: Schema.Struct({ workspace_id: WorkspaceId.check(Schema.isUUID()) }).annotate({
    identifier: "SessionPatch"
  }),
  success: SessionView,
  error: responses(BadRequest, WorkspaceForbidden, SessionInvalid)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Switch to another workspace",
      description: "Moves the session to another of your workspaces and sets a new cookie."
    })
  )
  .middleware(JsonOnly)
  .middleware(SignedIn)

const sessions = HttpApiEndpoint.get("sessions", "/v1/auth/sessions", { success: Schema.Array(SessionRow) })
  .annotateMerge(
    OpenApi.annotations({ summary: "List your sessions", description: "Sessions that have not ended, newest first." })
  )
  .middleware(SignedIn)

const endSession = HttpApiEndpoint.delete("endSession", "/v1/auth/sessions/:id", {
  params: { id: Id },
  success: HttpApiSchema.NoContent,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "End a session",
      description: "Ends one of your sessions, on any device, within a second."
    })
  )
  .middleware(SignedIn)

const idpQuery = {
  return_to: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))).annotate({
    description: "The path of this host to return to."
  })
}

const idpStart = HttpApiEndpoint.get("idpStart", "/v1/auth/idp/start", {
  query: idpQuery,
  success: HttpApiSchema.Empty(302),
  error: responses(BadRequest, IdpNotConfigured, IdpExchangeFailed, ServiceUnavailable)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Start at the identity provider",
    description: "Redirects to the provider, to sign in."
  })
)

const idpLink = HttpApiEndpoint.post("idpLink", "/v1/auth/idp/link", {
  query: idpQuery,
  success: HttpApiSchema.Empty(303),
  error: responses(BadRequest, IdpNotConfigured, IdpExchangeFailed)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Link an identity provider",
      description: "Redirects to the provider, to link the identity there to your account."
    })
  )
  .middleware(SignedIn)

const idpCallback = HttpApiEndpoint.get("idpCallback", "/v1/auth/idp/callback", {
  success: HttpApiSchema.Empty(302),
  error: responses(
    IdpStateMismatch,
    IdpExchangeFailed,
    IdpNotConfigured,
    EmailTaken,
    SignUpClosed,
    SessionInvalid,
    ServiceUnavailable
  )
}).annotateMerge(
  OpenApi.annotations({
    summary: "Return from the identity provider",
    description:
      "Opens a session, and creates an account if the address has none. If the address already has an account, sign in by e-mail and link the provider."
  })
)

const idpUnlink = HttpApiEndpoint.delete("idpUnlink", "/v1/auth/idp", {
  success: HttpApiSchema.NoContent,
  error: responses(CannotUnlinkOnlyAuth, NotFound)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Unlink the identity provider",
      description:
        "Refused while the provider is your only way to sign in. Sign in once with a link from an e-mail, then unlink."
    })
  )
  .middleware(SignedIn)

export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    signUp,
    askForLink,
    verify,
    logout,
    session,
    enter,
    sessions,
    endSession,
    idpStart,
    idpLink,
    idpCallback,
    idpUnlink
  )
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Sign-in", description: "Accounts and sessions." })) {}
