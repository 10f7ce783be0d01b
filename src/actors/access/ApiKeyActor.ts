// One API key. Its id is `sub` and `jti` of the token.
import { Effect, Layer } from "effect"
import {
  type ApiKey,
  type ApiKeyEvent,
  decideApiKey,
  emptyApiKey,
  evolveApiKey,
  isPresent,
  planApiKey,
  type WarnOfExpiry
} from "../../domain/access/ApiKey.ts"
import { recordApiKey } from "../../domain/access/RecordApiKey.ts"
import { restoreApiKey } from "../../domain/access/StoredApiKey.ts"
import { ApiKeyCommands } from "../../domain/access/ApiKeyCommand.ts"
import { keyExpiryEmail } from "../../domain/mail/EmailTemplates.ts"
import { NotifyAdmins } from "../mail/NotifyAdmins.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor, type Perform } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { sealedIn, type SecretPlace } from "../shared/SealedResponse.ts"
import { traced } from "../../domain/Traced.ts"

/** What a key's token is sealed for. The token is in stored responses only. */
export const apiKeyToken: SecretPlace = "api_keys/key"

export const ApiKeyActor = actor<ApiKey, ApiKeyCommands, ApiKeyEvent, WarnOfExpiry>({
  type: "ApiKey",
  commands: ApiKeyCommands,
  initial: emptyApiKey,
  restore: restoreApiKey,
  decide: decideApiKey,
  evolve: evolveApiKey,
  plan: planApiKey,
  record: ({ after, events }) => recordApiKey(after, events),
  answers: {
    Create: (record, { sealed }) => ({
      status: 201,
      body: JSON.stringify(record),
      headers: { location: `/v1/api-keys/${record.id}`, ...sealedIn(apiKeyToken, sealed) }
    }),
    Revoke: (record) => ({ status: 200, body: JSON.stringify(record), headers: {} })
  },
  creates: ({ _tag }) => _tag === "Create"
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { notify } = yield* NotifyAdmins
    const perform: Perform<ApiKey, ApiKeyCommands, WarnOfExpiry> = traced("ApiKeyActor.warnOfExpiry")(
      function* (_, self) {
        const key = self.state()
        if (!isPresent(key)) return
        const { expires_at, label, prefix, workspace_id } = key.facts
        const letter = (workspace: string) =>
          keyExpiryEmail({ workspace, label, prefix, expires_at: new Date(expires_at) })
        const notified = notify({ workspace_id, id: `${self.id}.expiry`, letter, expires_at })
        yield* retryWithBackoff(Effect.andThen(notified, self.tell({ _tag: "Warned" })))
      }
    )
    yield* system.register(ApiKeyActor, perform)
  })
)
