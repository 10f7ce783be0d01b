// A workspace: its facts, its members and its choices. Its id is the workspace's.
import { Effect, Layer, Schema } from "effect"
import { decideWorkspace } from "../domain/workspace/DecideWorkspace.ts"
import { planWorkspace, type WorkspaceWork } from "../domain/workspace/PlanWorkspace.ts"
import { recordWorkspace, restoreWorkspace } from "../domain/workspace/RecordWorkspace.ts"
import { evolveWorkspace, noWorkspace, type WorkspaceEvent, type WorkspaceState } from "../domain/workspace/Workspace.ts"
import { WorkspaceCommand, WorkspaceReply } from "../domain/workspace/WorkspaceCommand.ts"
import { invitationLetter } from "../domain/mail/Letters.ts"
import type { Currency } from "../domain/ports/Directory.ts"
import { Tokens } from "../domain/ports/Tokens.ts"
import { makePost } from "./MailboxActor.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import { retrying } from "./Retrying.ts"
import type { Definition, Perform, Self } from "./runtime/Definition.ts"
import { WalletActor } from "./WalletActor.ts"

export const WorkspaceActor: Definition<WorkspaceState, WorkspaceCommand, WorkspaceEvent, WorkspaceReply, WorkspaceWork> = {
  type: "Workspace",
  initial: noWorkspace,
  restore: restoreWorkspace,
  decide: decideWorkspace,
  evolve: evolveWorkspace,
  plan: planWorkspace,
  record: recordWorkspace,
  answer: (command, reply) => ({
    status: command._tag === "Invite" ? 201 : 202,
    body: JSON.stringify(reply._tag === "Invitation" ? reply.invitation : {}),
    headers: {}
  }),
  wire: { command: WorkspaceCommand, reply: WorkspaceReply, notice: Schema.Never }
}

/** What the tokens of invitations are signed for. */
export const invitation_purpose = "invitation"

export const layer = ({ base_url }: { readonly base_url: string }) => Layer.effectDiscard(Effect.gen(function*() {
  const post = yield* makePost
  const system = yield* ActorSystem
  const tokens = yield* Tokens

  type Actor = Self<WorkspaceState, WorkspaceCommand, WorkspaceReply>

  const openWallet = (self: Actor, currency: Currency) =>
    Effect.andThen(system.ask(WalletActor, self.id, { _tag: "Open", currency }), self.tell({ _tag: "WalletOpened" }))

  /** The link can be made anew at any time, and so is stored nowhere. */
  const mailInvitation = (self: Actor, id: string, mails: number) =>
    Effect.suspend(() => {
      const { invitations, name } = self.state().kept!
      const { email, expires_at, invited_by, role } = invitations[id]!
      const url = `${base_url}/invitation?token=${tokens.sign(`${self.id} ${id}`, invitation_purpose)}`
      const letter = invitationLetter({ workspace: name, invited_by, role, url })
      return Effect.andThen(
        post({ id: `${id}.${mails}`, to: email, letter, expires_at }),
        self.tell({ _tag: "InvitationMailed", id, mails })
      )
    })

  const perform: Perform<WorkspaceState, WorkspaceCommand, WorkspaceReply, WorkspaceWork> = (work, self) =>
    Effect.asVoid(retrying(
      work._tag === "OpenWallet" ? openWallet(self, work.currency) : mailInvitation(self, work.id, work.mails)
    ))
  yield* system.register(WorkspaceActor, perform)
}))
