import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EmailRequest, SessionRow, SessionView, TokenRequest, UserRecord } from "../../domain/access/AuthRecords.ts"
import {
  CannotUnlinkOnlyAuth,
  EmailTaken,
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
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const Sent = Schema.Struct({ sent: Schema.Literal(true) }).annotate({ identifier: "LinkSent" })

const signUp = HttpApiEndpoint.post("signUp", "/v1/auth/signup", {
  payload: EmailRequest,
  success: UserRecord.pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, EmailTaken, RateLimited)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sign up",
      description:
        "Makes an account and mails a link that signs in to it. Then make a workspace, or accept an invitation."
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
      summary: "Ask for a sign-in link",
      description:
        "A mail is sent to the address, known or not; the answer does not tell which. The link works once, for 15 minutes."
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
      description: "Uses the link up and sets the session's cookie."
    })
  )
  .middleware(JsonOnly)

const logout = HttpApiEndpoint.post("logout", "/v1/auth/logout", { success: HttpApiSchema.NoContent })
  .annotateMerge(
    OpenApi.annotations({ summary: "Sign out", description: "The session ends everywhere within a second." })
  )
  .middleware(SignedIn)

const session = HttpApiEndpoint.get("session", "/v1/auth/session", { success: SessionView })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Who am I",
      description: "Who is signed in, in which workspace, and which others there are."
    })
  )
  .middleware(SignedIn)

const enter = HttpApiEndpoint.patch("enter", "/v1/auth/session", {
  payload: Schema.Struct({ workspace_id: Schema.String.check(Schema.isUUID()) }).annotate({
    identifier: "SessionPatch"
  }),
  success: SessionView,
  error: responses(BadRequest, WorkspaceForbidden, SessionInvalid)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Go to another workspace",
      description: "Puts the session into another of your workspaces, and gives it a new cookie."
    })
  )
  .middleware(JsonOnly)
  .middleware(SignedIn)

const sessions = HttpApiEndpoint.get("sessions", "/v1/auth/sessions", { success: Schema.Array(SessionRow) })
  .annotateMerge(
    OpenApi.annotations({ summary: "List your sessions", description: "Those that can still be used, newest first." })
  )
  .middleware(SignedIn)

const endSession = HttpApiEndpoint.delete("endSession", "/v1/auth/sessions/:id", {
  params: { id: Id },
  success: HttpApiSchema.NoContent,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { absent: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "End a session",
      description: "One of your own, on whatever device. It is gone within a second."
    })
  )
  .middleware(SignedIn)

const idpStart = HttpApiEndpoint.get("idpStart", "/v1/auth/idp/start", {
  query: {
    return_to: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))).annotate({
      description: "A path of this host."
    })
  },
  success: HttpApiSchema.Empty(302),
  error: responses(BadRequest, IdpNotConfigured, IdpExchangeFailed, ServiceUnavailable)
}).annotateMerge(
  OpenApi.annotations({
    summary: "Go to the identity provider",
    description: "To sign in by it; with a session, to link it to your account."
  })
)

const idpCallback = HttpApiEndpoint.get("idpCallback", "/v1/auth/idp/callback", {
  success: HttpApiSchema.Empty(302),
  error: responses(
    IdpStateMismatch,
    IdpExchangeFailed,
    IdpNotConfigured,
    EmailTaken,
    SessionInvalid,
    ServiceUnavailable
  )
}).annotateMerge(
  OpenApi.annotations({
    summary: "Come back from the identity provider",
    description:
      "Opens a session, for a new account too. Who has an account with the address signs in by mail, and links the provider."
  })
)

const idpUnlink = HttpApiEndpoint.delete("idpUnlink", "/v1/auth/idp", {
  success: HttpApiSchema.NoContent,
  error: responses(CannotUnlinkOnlyAuth, NotFound)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Unlink the identity provider",
      description: "Refused where it is the only way in: use a link that is mailed to you once, and it is not."
    })
  )
  .middleware(SignedIn)

export class AuthApi extends HttpApiGroup.make("auth")
  .add(signUp, askForLink, verify, logout, session, enter, sessions, endSession, idpStart, idpCallback, idpUnlink)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Sign-in", description: "Accounts of people, and their sessions." })) {}
