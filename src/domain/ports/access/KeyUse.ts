import { Context } from "effect"
import type { ApiKeyId } from "../../BrandedIds.ts"

/** When API keys were last used, for those who look after them. */
export class KeyUse extends Context.Service<
  KeyUse,
  {
    /** Told at each request with a good key, so it does no more than remember it. */
    readonly used: (key_id: ApiKeyId) => void
  }
>()("trunkline/domain/ports/KeyUse") {}
