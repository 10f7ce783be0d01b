import { Context } from "effect"

/** Where people and programs reach the engine: the start of every link that it hands out. */
export class PublicUrl extends Context.Service<PublicUrl, { readonly base_url: string }>()(
  "trunkline/actors/PublicUrl"
) {}
