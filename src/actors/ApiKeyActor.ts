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
  recordApiKey,
  restoreApiKey
} from "../domain/access/ApiKey.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import type { Answer, Definition } from "./runtime/Definition.ts"
import { sealedIn, type SecretPlace } from "./SealedAnswer.ts"

/** Where a key's token would be kept, were it kept: it stands in kept answers alone. */
export const apiKeyToken: SecretPlace = "api_keys/key"

const answer = (command: ApiKeyCommand, { record }: ApiKeyReply): Answer => ({
  status: command._tag === "Create" ? 201 : 200,
  body: JSON.stringify(record),
  headers: command._tag === "Create" ? { location: `/v1/api-keys/${record.id}`, ...sealedIn(apiKeyToken, command.sealed) } : {}
})

export const ApiKeyActor: Definition<ApiKey, ApiKeyCommand, ApiKeyEvent, ApiKeyReply, never> = {
  type: "ApiKey",
  initial: emptyApiKey,
  restore: restoreApiKey,
  decide: decideApiKey,
  evolve: evolveApiKey,
  plan: () => [],
  record: ({ after, events }) => recordApiKey(after, events),
  answer,
  creates: ({ _tag }) => _tag === "Create",
  wire: { command: ApiKeyCommand, reply: ApiKeyReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ register }) => register(ApiKeyActor, () => Effect.void)))
