// The voice secret of a workspace: it signs the voice callbacks, and what is sent to an `events_url` that a call names.
import { Schema } from "effect"

/** What the sealed voice secret (`workspaces.voice_secret`) belongs to: table and column, then row and workspace. */
export const voiceSecretPlace = "workspaces/voice_secret"

export const voiceSecretBound = (workspace_id: string): string => `${voiceSecretPlace}/${workspace_id}/${workspace_id}`

/** Stands for the workspace's voice secret, whichever it is then, where a sealed secret would stand. */
export const voiceSecretItself = "voice_secret"

export interface ReplacedSecret {
  readonly secret: string
  /** Epoch milliseconds. */
  readonly expires_at: number
}

/** Those that sign now, the newest first. */
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

/** What a rotation did, but for the new secret itself. */
export const VoiceSecretRotation = Schema.Struct({
  id: Schema.String.annotate({ description: "The workspace." }),
  previous_expires_at: Schema.NullOr(Schema.String).annotate({
    description: "Until when the secret of until now signs too; null: no longer."
  })
})
export type VoiceSecretRotation = typeof VoiceSecretRotation.Type
