import { Clock, Context, Effect, Layer } from "effect"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { signingSecrets, voiceSecretItself } from "../../domain/workspace/VoiceSecret.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { webhookSecret } from "./WebhookResponses.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** The voice secrets of workspaces, which sign deliveries to the `events_url` of a call. */
export class VoiceSecrets extends Context.Service<
  VoiceSecrets,
  {
    /** The secrets in force, newest first. */
    readonly of: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("trunkline/actors/VoiceSecrets") {
  static readonly layer = Layer.effect(
    VoiceSecrets,
    Effect.map(Directory, (directory) => ({
      of: Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
        const workspace = yield* directory.workspace(workspace_id)
        return workspace === undefined ? [] : signingSecrets(workspace, yield* Clock.currentTimeMillis)
      })
    }))
  )

  /** For engines without calls: no workspace has a voice secret. */
  static readonly none = Layer.succeed(VoiceSecrets)({ of: () => Effect.succeed([]) })
}

/** Opens the sealed secrets of a subscription. Secrets that no key opens are left out. */
export const makeOpenSecrets = Effect.gen(function* () {
  const vault = yield* Vault
  const voiceSecrets = yield* VoiceSecrets
  return (id: string, workspace_id: WorkspaceId, sealed: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
    Effect.map(
      Effect.forEach(sealed, (text) => {
        if (text === voiceSecretItself) return voiceSecrets.of(workspace_id)
        const secret = vault.open(text, sealContext(webhookSecret, id, workspace_id))
        return Effect.succeed(secret === undefined ? [] : [secret])
      }),
      (secrets) => secrets.flat()
    )
})
