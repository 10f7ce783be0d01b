// People and workspaces for tests of the HTTP server. Every operation fails, except that a change of the calling policy
// is passed on to the fake actor system.
import { Effect, Layer } from "effect"
import { IdpSignIn } from "../../src/actors/access/IdpSignIn.ts"
import { Members } from "../../src/actors/workspace/Members.ts"
import { SignIn } from "../../src/actors/access/SignIn.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { Sandboxes } from "../../src/actors/workspace/Sandboxes.ts"
import { Workspaces } from "../../src/actors/workspace/Workspaces.ts"
import { InvitationAlreadyMember, InvitationNotFound, MemberNotFound } from "../../src/domain/errors/AccountErrors.ts"
import {
  CannotUnlinkOnlyAuth,
  EmailTaken,
  IdpNotConfigured,
  IdpStateMismatch,
  MagicLinkInvalid,
  SessionInvalid,
  WorkspaceForbidden
} from "../../src/domain/errors/AuthErrors.ts"
import { NotFound } from "../../src/domain/errors/GeneralErrors.ts"
import { CurrencyUnsupported } from "../../src/domain/errors/WalletErrors.ts"
import { WorkspaceCommands } from "../../src/domain/workspace/WorkspaceCommand.ts"
import { Directory } from "../../src/domain/ports/access/Directory.ts"
import { WorkspaceReads } from "../../src/domain/ports/access/WorkspaceReads.ts"

export const fakeAccounts = Layer.mergeAll(
  Layer.succeed(SignIn)({
    signUp: () => Effect.fail(new EmailTaken()),
    askForLink: () => Effect.void,
    redeem: () => Effect.fail(new MagicLinkInvalid()),
    open: () => Effect.fail(new SessionInvalid()),
    view: ({ email, membership, operator, user_id: id }) =>
      Effect.succeed({ user: { id, email }, operator, workspace_id: membership?.workspace_id ?? null, workspaces: [] }),
    enter: () => Effect.fail(new WorkspaceForbidden()),
    list: () => Effect.succeed([]),
    end: () => Effect.fail(new NotFound())
  }),
  Layer.succeed(IdpSignIn)({
    start: () => Effect.fail(new IdpNotConfigured()),
    comeBack: () => Effect.fail(new IdpStateMismatch()),
    unlink: () => Effect.fail(new CannotUnlinkOnlyAuth())
  }),
  Layer.effect(
    Workspaces,
    Effect.map(
      Effect.all([ActorSystem, Directory]),
      ([system, directory]) =>
        ({
          onboard: () => Effect.fail(new CurrencyUnsupported()),
          get: () => Effect.fail(new NotFound()),
          change: () => Effect.fail(new NotFound()),
          policy: (id) => Effect.map(directory.workspace(id), (workspace) => workspace?.calling_policy),
          changeCeilings: (id, ceilings, origin) =>
            system.ask(WorkspaceCommands.ChangeCeilings, id, { ceilings, origin }),
          changePolicy: (id, policy, origin) => system.ask(WorkspaceCommands.ChangePolicy, id, { policy, origin }),
          rotateVoiceSecret: () => Effect.fail(new NotFound()),
          close: () => Effect.fail(new NotFound()),
          assignGateway: () => Effect.fail(new NotFound()),
          suspend: () => Effect.fail(new NotFound()),
          reinstate: () => Effect.fail(new NotFound())
        }) satisfies Workspaces["Service"]
    )
  ),
  Sandboxes.layer,
  Layer.succeed(Members)({
    list: () => Effect.succeed([]),
    change: () => Effect.fail(new MemberNotFound()),
    remove: () => Effect.fail(new MemberNotFound()),
    invitations: () => Effect.succeed([]),
    invite: () => Effect.fail(new InvitationAlreadyMember()),
    revoke: () => Effect.fail(new InvitationNotFound()),
    resend: () => Effect.fail(new InvitationNotFound()),
    readToken: () => Effect.fail(new InvitationNotFound()),
    accept: () => Effect.fail(new InvitationNotFound())
  }),
  Layer.succeed(WorkspaceReads)({ find: () => Effect.succeed(undefined), list: () => Effect.succeed([]) })
)
