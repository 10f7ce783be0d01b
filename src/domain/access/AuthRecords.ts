// People and their sessions as the API shows them, and the requests to sign in.
import { Schema } from "effect"
import { Rights } from "./Role.ts"
import { WorkspaceId } from "../BrandedIds.ts"

const Email = Schema.String.check(Schema.isMaxLength(320)).annotate({
  description: "Case does not matter.",
  format: "email"
})

export const EmailRequest = Schema.Struct({ email: Email }).annotate({ identifier: "EmailRequest" })

export const TokenRequest = Schema.Struct({
  token: Schema.String.check(Schema.isMaxLength(1024)).annotate({ description: "The token in the link of the e-mail." })
}).annotate({ identifier: "TokenRequest" })

export const UserRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the person." }),
  email: Schema.String
}).annotate({ identifier: "User" })

export const OwnWorkspaceRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the workspace." }),
  name: Schema.String,
  status: Schema.String.annotate({ description: "The state of the workspace." }),
  ...Rights.fields
}).annotate({
  identifier: "OwnWorkspace",
  description: "A workspace that you are a member of, with your role."
})
export type OwnWorkspace = typeof OwnWorkspaceRecord.Type

/** A session as its own member sees it. */
export const SessionView = Schema.Struct({
  user: UserRecord,
  operator: Schema.Boolean.annotate({ description: "Whether you operate the platform." }),
  workspace_id: Schema.NullOr(WorkspaceId).annotate({
    description: "The workspace of the session; null until you have one."
  }),
  workspaces: Schema.Array(OwnWorkspaceRecord)
}).annotate({ identifier: "Session" })
export type SessionView = typeof SessionView.Type

export const SessionRow = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the session." }),
  current: Schema.Boolean.annotate({ description: "Whether it is the session of this request." }),
  workspace_id: Schema.NullOr(WorkspaceId),
  created_at: Schema.String,
  last_seen_at: Schema.String.annotate({ description: "Accurate to the minute." }),
  expires_at: Schema.String.annotate({
    description: "The latest end. 12 hours without a request end the session earlier."
  }),
  ip: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String).annotate({ description: "The browser." })
}).annotate({ identifier: "SessionRow" })
export type SessionRow = typeof SessionRow.Type
