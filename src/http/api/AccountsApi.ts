import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AccountSuspended,
  InvitationAlreadyMember,
  InvitationNotFound,
  InviteRequiresLogin
} from "../../domain/errors/AccountErrors.ts"
import { InviteEmailMismatch, SessionInvalid, WorkspaceForbidden } from "../../domain/errors/AuthErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { CurrencyUnsupported } from "../../domain/errors/WalletErrors.ts"
import { Role } from "../../domain/access/Role.ts"
import { WorkspaceRecord, WorkspaceRequest } from "../../domain/workspace/WorkspaceRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { idempotencyHeader } from "../middleware/JsonWrite.ts"
import { OnboardingWrite } from "../middleware/OnboardingWrite.ts"
import { SignedIn } from "../middleware/SignedIn.ts"
import { responses } from "./Responses.ts"

const onboard = HttpApiEndpoint.post("onboard", "/v1/workspace", {
  headers: idempotencyHeader,
  payload: WorkspaceRequest,
  success: WorkspaceRecord.pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, CurrencyUnsupported, WorkspaceForbidden)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Make a workspace",
      description:
        "With its wallet, in a currency that stays. You are its owner, and your session is in it from then on; so is one that repeats the request with its Idempotency-Key, which is yours in all of your workspaces."
    })
  )
  .middleware(OnboardingWrite)
  .middleware(SignedIn)

const AcceptRequest = Schema.Struct({
  token: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))).annotate({
    description: "From the link in the mail. Absent: the one that was kept when you were not signed in."
  })
}).annotate({ identifier: "AcceptInvitationRequest" })

const Accepted = Schema.Struct({ workspace_id: Schema.String, role: Role }).annotate({
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
    AccountSuspended,
    SessionInvalid,
    WorkspaceForbidden
  )
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Accept an invitation",
      description:
        "Signed in with the invited address. Without a session the invitation is kept in a cookie for 30 minutes: sign in, and ask again without a token.",
      transform: (operation) => ({
        ...operation,
        requestBody: { ...(operation["requestBody"] as object), required: false }
      })
    })
  )
  .middleware(JsonOnly)

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(onboard, accept)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({
      title: "Accounts",
      description: "How people come to a workspace: they make one, or are invited."
    })
  ) {}
