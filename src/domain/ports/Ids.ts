import { Context } from "effect"

/** Where identifiers come from, so that a run with a seed repeats. */
export class Ids extends Context.Service<Ids, {
  /** A new UUID of version 7 (RFC 9562, section 5.7). Synchronous: it is drawn several times a call. */
  readonly uuid: () => string
}>()("trunkline/domain/ports/Ids") {}
