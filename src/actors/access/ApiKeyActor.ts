// One API key. Its id is the key's: `sub` and `jti` of the token.
import { Effect, Layer, Schema } from "effect"
import {
  type ApiKey,
  ApiKeyCommand,
  type ApiKeyEvent,
  ApiKeyReply,
  decideApiKey,
  emptyApiKey,
  evolveApiKey,
  planApiKey,
  recordApiKey,
  restoreApiKey,
  type WarnOfExpiry
} from "../../domain/access/ApiKey.ts"
import { keyExpiryEmail } from "../../domain/mail/EmailTemplates.ts"
import { NotifyAdmins } from "../mail/NotifyAdmins.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Answer, Definition, Perform } from "../runtime/Definition.ts"
import { sealedIn, type SecretPlace } from "../shared/SealedResponse.ts"

/** Where a key's token would be kept, were it kept: it stands in kept answers alone. */
export const apiKeyToken: SecretPlace = "api_keys/key"

const answer = (command: ApiKeyCommand, { record }: ApiKeyReply): Answer => ({
  status: command._tag === "Create" ? 201 : 200,
  body: JSON.stringify(record),
  headers:
    command._tag === "Create" ? { location: `/v1/api-keys/${record.id}`, ...sealedIn(apiKeyToken, command.sealed) } : {}
})

export const ApiKeyActor: Definition<ApiKey, ApiKeyCommand, ApiKeyEvent, ApiKeyReply, WarnOfExpiry> = {
  type: "ApiKey",
  initial: emptyApiKey,
  restore: restoreApiKey,
  decide: decideApiKey,
  evolve: evolveApiKey,
  plan: planApiKey,
  record: ({ after, events }) => recordApiKey(after, events),
  answer,
  creates: ({ _tag }) => _tag === "Create",
  wire: { command: ApiKeyCommand, reply: ApiKeyReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { notify } = yield* NotifyAdmins
    const perform: Perform<ApiKey, ApiKeyCommand, ApiKeyReply, WarnOfExpiry> = (_, self) =>
      Effect.asVoid(
        retryWithBackoff(
          Effect.suspend(() => {
            const { expires_at, label, prefix, workspace_id } = self.state().facts!
            const letter = (workspace: string) =>
              keyExpiryEmail({ workspace, label, prefix, expires_at: new Date(expires_at) })
            return Effect.andThen(
              notify({ workspace_id, id: `${self.id}.expiry`, letter, expires_at }),
              self.tell({ _tag: "Warned" })
            )
          })
        )
      )
    yield* system.register(ApiKeyActor, perform)
  })
)
