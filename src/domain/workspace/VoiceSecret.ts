// The voice secret of a workspace. It signs voice callbacks, and webhooks to the `events_url` of a call.
import { Schema } from "effect"
import type { WorkspaceId } from "../BrandedIds.ts"
import { EpochMs } from "../kit/Fields.ts"

/** The table and the column of the sealed voice secret. */
export const voiceSecretPlace = "workspaces/voice_secret"

/** What the voice secret of a workspace is sealed for. */
export const voiceSecretBound = (workspace_id: WorkspaceId): string =>
  `${voiceSecretPlace}/${workspace_id}/${workspace_id}`

/** Used in place of a sealed secret: the voice secret that the workspace has at that time. */
export const voiceSecretItself = "voice_secret"

export const ReplacedSecret = Schema.Struct({ secret: Schema.String, expires_at: EpochMs })
export type ReplacedSecret = typeof ReplacedSecret.Type

/** The secrets that sign at `now` (epoch milliseconds), the newest first. */
export const signingSecrets = (
  {
    previous_voice_secret,
    voice_secret
  }: { readonly voice_secret: string; readonly previous_voice_secret?: ReplacedSecret | null },
  now: number
): ReadonlyArray<string> => [
  voice_secret,
  ...(previous_voice_secret && previous_voice_secret.expires_at > now ? [previous_voice_secret.secret] : [])
]

/** The result of a rotation, without the new secret. */
export const VoiceSecretRotation = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the workspace." }),
  previous_expires_at: Schema.NullOr(Schema.String).annotate({
    description: "Until when the previous secret signs too; null: it no longer does."
  })
})
export type VoiceSecretRotation = typeof VoiceSecretRotation.Type
