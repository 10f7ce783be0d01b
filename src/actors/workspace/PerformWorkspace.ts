// Performs the work of a workspace: opens its wallet, mails its invitations, and ends what it has when it is closed.
import { Effect, Layer } from "effect"
import { invitationEmail } from "../../domain/mail/EmailTemplates.ts"
import { systemOrigin as origin } from "../../domain/access/Origin.ts"
import { Tokens } from "../../domain/ports/access/Tokens.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type {
  CloseWorkspace,
  GovernSandbox,
  MailInvitation,
  OpenWallet,
  WorkspaceWork
} from "../../domain/workspace/PlanWorkspace.ts"
import { isPresent, type WorkspaceState } from "../../domain/workspace/Workspace.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { makePost } from "../mail/MailboxActor.ts"
import { makeCloseWorkspace } from "./CloseWorkspace.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { makeFoundSandbox } from "./Sandboxes.ts"
import { makeStartSandbox } from "./StartSandbox.ts"
import { invitationPurpose, WorkspaceActor } from "./WorkspaceActor.ts"
import { traced } from "../../domain/Traced.ts"
import { PublicUrl } from "../shared/PublicUrl.ts"

type Actor = Self<WorkspaceState, WorkspaceCommands>

const makePerform = Effect.fnUntraced(function* () {
  const { base_url } = yield* PublicUrl
  const post = yield* makePost
  const system = yield* ActorSystem
  const tokens = yield* Tokens
  const close = yield* makeCloseWorkspace
  const found = yield* makeFoundSandbox
  const startSandbox = yield* makeStartSandbox

  const openWallet = traced("PerformWorkspace.openWallet")(function* (self: Actor, { currency }: OpenWallet) {
    yield* system.ask(WalletCommands.Open, self.id, { currency })
    const workspace = self.state()
    if (isPresent(workspace) && workspace.facts.sandbox_of !== null) yield* startSandbox(self.id, currency)
    yield* self.tell({ _tag: "WalletOpened" })
  })

  /** The link is not stored: its token can be signed again at any time. */
  const mailInvitation = traced("PerformWorkspace.mailInvitation")(function* (
    self: Actor,
    { id, mails }: MailInvitation
  ) {
    const workspace = self.state()
    const invitation = isPresent(workspace) ? workspace.facts.invitations[id] : undefined
    if (!isPresent(workspace) || invitation === undefined) return
    const { email, expires_at, invited_by, role } = invitation
    const url = `${base_url}/invitation?token=${tokens.sign(`${self.id} ${id}`, invitationPurpose)}`
    const letter = invitationEmail({ workspace: workspace.facts.name, invited_by, role, url })
    yield* post({ id: `${id}.${mails}`, to: email, letter, expires_at })
    yield* self.tell({ _tag: "InvitationMailed", id, mails })
  })

  const closeWorkspace = traced("PerformWorkspace.closeWorkspace")(function* (self: Actor, _: CloseWorkspace) {
    const workspace = self.state()
    if (!isPresent(workspace)) return
    yield* close(self.id, workspace.facts.currency)
    yield* self.tell({ _tag: "ClosingFinished" })
  })

  const governSandbox = traced("PerformWorkspace.governSandbox")(function* (
    self: Actor,
    { name, status }: GovernSandbox
  ) {
    const workspace = self.state()
    if (!isPresent(workspace)) return
    const id = yield* found(self.id, workspace.facts)
    yield* system.ask(WorkspaceCommands.Rename, id, { name })
    if (status === "closed") yield* system.ask(WorkspaceCommands.Close, id, { origin })
    else if (status === "suspended") yield* system.ask(WorkspaceCommands.Suspend, id, { reason: null, origin })
    else yield* system.ask(WorkspaceCommands.Reinstate, id, { origin })
    yield* self.tell({ _tag: "SandboxGoverned", status, name })
  })

  const perform: Perform<WorkspaceState, WorkspaceCommands, WorkspaceWork> = (work, self) => {
    switch (work._tag) {
      case "OpenWallet":
        return retryWithBackoff(openWallet(self, work))
      case "MailInvitation":
        return retryWithBackoff(mailInvitation(self, work))
      case "CloseWorkspace":
        return retryWithBackoff(closeWorkspace(self, work))
      case "GovernSandbox":
        return retryWithBackoff(governSandbox(self, work))
    }
  }
  return perform
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    yield* system.register(WorkspaceActor, yield* makePerform())
  })
)
