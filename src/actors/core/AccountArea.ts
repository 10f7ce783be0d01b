// People, workspaces, API keys and mail.
import { Layer } from "effect"
import * as ApiKeyActor from "../access/ApiKeyActor.ts"
import { ApiKeys } from "../access/ApiKeys.ts"
import { IdpSignIn } from "../access/IdpSignIn.ts"
import { SignIn } from "../access/SignIn.ts"
import * as MailboxActor from "../mail/MailboxActor.ts"
import { Members } from "../workspace/Members.ts"
import * as PerformWorkspace from "../workspace/PerformWorkspace.ts"
import { Sandboxes } from "../workspace/Sandboxes.ts"
import { Workspaces } from "../workspace/Workspaces.ts"

export const accountActors = Layer.mergeAll(PerformWorkspace.layer, MailboxActor.layer, ApiKeyActor.layer)

export const accountFacades = Layer.mergeAll(
  ApiKeys.layer,
  Workspaces.layer,
  Members.layer,
  Sandboxes.layer,
  IdpSignIn.layer.pipe(Layer.provideMerge(SignIn.layer))
)
