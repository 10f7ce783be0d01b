import { Context } from "effect"

/** Makes identifiers. A service, so that a run with a seed can be repeated. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A new UUID of version 7 (RFC 9562, section 5.7). Synchronous, because each call needs several. */
    readonly uuid: () => string
    /**
     * The UUID of version 8 (RFC 9562, section 5.8) derived from a name: the same for the same name, unique per name.
     */
    readonly named: (name: string) => string
  }
>()("trunkline/domain/ports/Ids") {}
