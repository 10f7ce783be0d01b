import { Context } from "effect"

/** When API keys were last used, for those who look after them. */
export class KeyUse extends Context.Service<
  KeyUse,
  {
    /** Told at each request with a good key, so it does no more than remember it. */
    readonly used: (key_id: string) => void
  }
>()("trunkline/domain/ports/KeyUse") {}
