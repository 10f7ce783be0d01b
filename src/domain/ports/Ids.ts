import { Context } from "effect"

/** Where identifiers come from, so that a run with a seed repeats. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A new UUID of version 7 (RFC 9562, section 5.7). Synchronous: it is drawn several times a call. */
    readonly uuid: () => string
    /** The UUID of version 8 (RFC 9562, section 5.8) that belongs to a name: always the same, and no other name's. */
    readonly named: (name: string) => string
  }
>()("trunkline/domain/ports/Ids") {}
