import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AccountSuspended,
  InvitationAlreadyMember,
  InvitationNotFound,
  InviteRequiresLogin
} from "../../domain/errors/AccountErrors.ts"
import { InviteEmailMismatch, SessionInvalid, WorkspaceForbidden } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, NotFound, RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { CurrencyUnsupported } from "../../domain/errors/WalletErrors.ts"
import { Role } from "../../domain/access/Role.ts"
import { WorkspaceRecord, WorkspaceRequest } from "../../domain/workspace/WorkspaceRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { SignedIn } from "../middleware/SignedIn.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { writes } from "../request/EndpointRow.ts"
import { idempotencyHeader } from "../request/JsonWrite.ts"
import { OnboardingWrite } from "../middleware/OnboardingWrite.ts"
import { plainEndpoints } from "./Endpoints.ts"

const AcceptRequest = Schema.Struct({
  token: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))).annotate({
    description:
      "The token in the link of the e-mail. Default: the token in the cookie that was set while you were not signed in."
  })
}).annotate({ identifier: "AcceptInvitationRequest" })

const Accepted = Schema.Struct({ workspace_id: WorkspaceId, role: Role }).annotate({
  identifier: "AcceptedInvitation"
})

const endpoint = plainEndpoints()
const onboarding = writes("POST", OnboardingWrite, {}, idempotencyHeader)

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(
    onboarding("onboard", "/v1/workspace", {
      summary: "Create a workspace",
      description:
        "Creates a workspace and its wallet. The currency cannot be changed later. You become its owner, and your session moves into it. A repeated request with the same Idempotency-Key moves the session, too. The key belongs to you, in all of your workspaces.",
      payload: WorkspaceRequest,
      success: WorkspaceRecord.pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, CurrencyUnsupported, SessionInvalid, WorkspaceForbidden]
    }).middleware(SignedIn),
    endpoint.post("accept", "/v1/auth/invite/accept", {
      summary: "Accept an invitation",
      description:
        "Requires a session of the invited address. Without a session, the invitation is stored in a cookie for 30 minutes: sign in, then send the request again without a token.",
      payload: [AcceptRequest, Schema.Null],
      success: Accepted,
      errors: [
        BadRequest,
        InviteRequiresLogin,
        InviteEmailMismatch,
        InvitationNotFound,
        InvitationAlreadyMember,
        NotFound,
        AccountSuspended,
        SessionInvalid,
        WorkspaceForbidden,
        RateLimited
      ]
    })
  )
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({
      title: "Accounts",
      description: "Creating a workspace, or joining one by invitation."
    })
  ) {}
