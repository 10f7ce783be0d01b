// The stored state of an API key. Its id is the key of the row.
import { type ApiKeyId, toApiKeyId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { type PresentApiKey, StoredApiKey } from "./ApiKey.ts"

export const apiKeyState = storedState({
  schema: StoredApiKey,
  // Keys of version 0 may be older than the warnings. A migration wrote some of them (0055_api_keys.ts).
  upgrades: [(stored) => ({ warned: false, ...stored })]
})

export const stateOfApiKey = ({ facts, revoked_at, warned }: PresentApiKey): string =>
  apiKeyState.write({ facts, revoked_at, warned })

export const restoreApiKey = apiKeyState.restore((stored, _row, id): PresentApiKey => ({
  id: toApiKeyId(id),
  ...stored
}))

/** The key of a stored state, for reads. It is not checked against the schema. */
export const apiKeyOfState = (id: ApiKeyId, state: string | object): PresentApiKey => ({
  id,
  ...apiKeyState.view(state)
})
