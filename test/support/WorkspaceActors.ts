// Workspaces as actors, for engines of tests that send no mail.
import { Effect, Layer } from "effect"
import * as MailboxActor from "../../src/actors/MailboxActor.ts"
import * as WorkspaceActor from "../../src/actors/WorkspaceActor.ts"
import { Mailer } from "../../src/domain/ports/Mailer.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import { HmacTokens } from "../../src/layers/keyring/HmacTokens.ts"

const noMail = Layer.succeed(Mailer)({ send: () => Effect.void })

/** Needs the actor system, and the actors of wallets in it. */
export const layer = Layer.merge(WorkspaceActor.layer({ base_url: "https://voice.example" }), MailboxActor.layer).pipe(
  Layer.provide([noMail, AesVault(new Uint8Array(32).fill(1)), HmacTokens(new Uint8Array(32).fill(2))])
)
