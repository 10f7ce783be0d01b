// The secrets that deliveries are signed with, opened.
import { Clock, Context, Effect, Layer } from "effect"
import { Directory } from "../../domain/ports/Directory.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { signingSecrets, voiceSecretItself } from "../../domain/workspace/VoiceSecret.ts"
import { boundTo } from "../shared/SealedResponse.ts"
import { webhookSecret } from "./WebhookResponses.ts"

/** The voice secrets of a workspace that sign now. */
export type VoiceSecretsOf = (workspace_id: string) => Effect.Effect<ReadonlyArray<string>>

/** Where no calls are made, nothing is signed with them. */
export class VoiceSecrets extends Context.Reference<VoiceSecretsOf>("trunkline/actors/VoiceSecrets", {
  defaultValue: () => () => Effect.succeed([])
}) {}

export const layer = Layer.effect(
  VoiceSecrets,
  Effect.map(
    Directory,
    (directory) => (workspace_id: string) =>
      Effect.gen(function* () {
        const workspace = yield* directory.workspace(workspace_id)
        return workspace === undefined ? [] : signingSecrets(workspace, yield* Clock.currentTimeMillis)
      })
  )
)

/** Of what a subscription keeps sealed: those that can be read. */
export const makeOpenSecrets = Effect.gen(function* () {
  const vault = yield* Vault
  const voiceSecrets = yield* VoiceSecrets
  return (id: string, workspace_id: string, sealed: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
    Effect.map(
      Effect.forEach(sealed, (text) => {
        if (text === voiceSecretItself) return voiceSecrets(workspace_id)
        const secret = vault.open(text, boundTo(webhookSecret, id, workspace_id))
        return Effect.succeed(secret === undefined ? [] : [secret])
      }),
      (secrets) => secrets.flat()
    )
})
