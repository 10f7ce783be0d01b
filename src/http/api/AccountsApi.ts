import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AccountSuspended,
  InvitationAlreadyMember,
  InvitationNotFound,
  InviteRequiresLogin
} from "../../domain/errors/AccountErrors.ts"
import { InviteEmailMismatch, SessionInvalid, WorkspaceForbidden } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { CurrencyUnsupported } from "../../domain/errors/WalletErrors.ts"
import { Role } from "../../domain/access/Role.ts"
import { WorkspaceRecord, WorkspaceRequest } from "../../domain/workspace/WorkspaceRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { idempotencyHeader } from "../request/JsonWrite.ts"
import { OnboardingWrite } from "../middleware/OnboardingWrite.ts"
import { SignedIn } from "../middleware/SignedIn.ts"
import { responses } from "../request/Responses.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { withOptionalBody } from "./OptionalBody.ts"

const onboard = HttpApiEndpoint.post("onboard", "/v1/workspace", {
  headers: idempotencyHeader,
  payload: WorkspaceRequest,
  success: WorkspaceRecord.pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, CurrencyUnsupported, SessionInvalid, WorkspaceForbidden)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Create a workspace",
      description:
        "Creates a workspace and its wallet. The currency cannot be changed later. You become its owner, and your session moves into it. A repeated request with the same Idempotency-Key moves the session, too. The key belongs to you, in all of your workspaces."
    })
  )
  .middleware(OnboardingWrite)
  .middleware(SignedIn)

const AcceptRequest = Schema.Struct({
  token: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))).annotate({
    description:
      "The token in the link of the e-mail. Default: the token in the cookie that was set while you were not signed in."
  })
}).annotate({ identifier: "AcceptInvitationRequest" })

const Accepted = Schema.Struct({ workspace_id: WorkspaceId, role: Role }).annotate({
  identifier: "AcceptedInvitation"
})

const accept = HttpApiEndpoint.post("accept", "/v1/auth/invite/accept", {
  payload: [AcceptRequest, Schema.Null],
  success: Accepted,
  error: responses(
    BadRequest,
    InviteRequiresLogin,
    InviteEmailMismatch,
    InvitationNotFound,
    InvitationAlreadyMember,
    NotFound,
    AccountSuspended,
    SessionInvalid,
    WorkspaceForbidden
  )
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Accept an invitation",
      description:
        "Requires a session of the invited address. Without a session, the invitation is stored in a cookie for 30 minutes: sign in, then send the request again without a token.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonOnly)

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(onboard, accept)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({
      title: "Accounts",
      description: "Creating a workspace, or joining one by invitation."
    })
  ) {}
