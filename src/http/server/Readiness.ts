import { Context, type Effect } from "effect"

/** Whether requests can be served: the database takes writes and the actors can be reached. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly check: Effect.Effect<boolean>
  }
>()("trunkline/http/Readiness") {}
