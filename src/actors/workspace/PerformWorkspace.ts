// How the work of a workspace is done: its wallet, its invitations, and its end.
import { Effect, Layer } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { invitationEmail } from "../../domain/mail/EmailTemplates.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Tokens } from "../../domain/ports/Tokens.ts"
import type { WorkspaceWork } from "../../domain/workspace/PlanWorkspace.ts"
import type { WorkspaceState } from "../../domain/workspace/Workspace.ts"
import type { WorkspaceCommand, WorkspaceReply } from "../../domain/workspace/WorkspaceCommand.ts"
import { makePost } from "../mail/MailboxActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { WalletActor } from "../wallet/WalletActor.ts"
import { makeCloseWorkspace } from "../maintenance/CloseWorkspace.ts"
import { invitation_purpose, WorkspaceActor } from "./WorkspaceActor.ts"

type Actor = Self<WorkspaceState, WorkspaceCommand, WorkspaceReply>

export const layer = ({ base_url }: { readonly base_url: string }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const post = yield* makePost
      const system = yield* ActorSystem
      const tokens = yield* Tokens
      const windUp = yield* makeCloseWorkspace

      const openWallet = (self: Actor, currency: Currency) =>
        Effect.andThen(
          system.ask(WalletActor, self.id, { _tag: "Open", currency }),
          self.tell({ _tag: "WalletOpened" })
        )

      /** The link can be made anew at any time, and so is stored nowhere. */
      const mailInvitation = (self: Actor, id: string, mails: number) =>
        Effect.suspend(() => {
          const { invitations, name } = self.state().kept!
          const { email, expires_at, invited_by, role } = invitations[id]!
          const url = `${base_url}/invitation?token=${tokens.sign(`${self.id} ${id}`, invitation_purpose)}`
          const letter = invitationEmail({ workspace: name, invited_by, role, url })
          return Effect.andThen(
            post({ id: `${id}.${mails}`, to: email, letter, expires_at }),
            self.tell({ _tag: "InvitationMailed", id, mails })
          )
        })

      const done = (work: WorkspaceWork, self: Actor): Effect.Effect<unknown, Failure | NotCommitted | ReadFailed> => {
        switch (work._tag) {
          case "OpenWallet":
            return openWallet(self, work.currency)
          case "MailInvitation":
            return mailInvitation(self, work.id, work.mails)
          case "WindUp":
            return Effect.andThen(windUp(self.id, self.state().kept!.currency), self.tell({ _tag: "WoundUp" }))
        }
      }

      const perform: Perform<WorkspaceState, WorkspaceCommand, WorkspaceReply, WorkspaceWork> = (work, self) =>
        Effect.asVoid(retryWithBackoff(done(work, self)))
      yield* system.register(WorkspaceActor, perform)
    })
  )
